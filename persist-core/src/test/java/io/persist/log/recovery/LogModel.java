package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.testkit.PowerCut;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a log must hold: drives it at random and remembers what was appended and what was acknowledged. A record's bytes tell
 * its number and the life in which it was appended, so that one of an earlier life that comes back is found out.
 */
final class LogModel {

    /** How a run ended the life of its log. */
    enum Ended {
        BY_ITSELF,
        BY_FAULT
    }

    /** What it does more often than other things. */
    private enum Focus {
        ALL,
        RECYCLING
    }

    private final Random random;
    private final Focus focus;
    private final LogConfig config;
    private final TailerConfig reading;

    /** The record of sequence number i + 1 is at i; those that retention took are null. */
    private final List<byte[]> records = new ArrayList<>();

    private int life;
    private long flushed;
    private long synced;

    LogModel(Random random) {
        this(random, 4096 << random.nextInt(3), Focus.ALL);
    }

    private LogModel(Random random, int segmentLength, Focus focus) {
        this.random = random;
        this.focus = focus;
        this.config = randomConfig(random, segmentLength);
        this.reading = TailerConfig.builder()
                .readMode(ReadMode.values()[random.nextInt(2)])
                .build();
    }

    /** A model of a log of few segments, of several pages each, that uses every file again and again. */
    static LogModel recycling(Random random) {
        return new LogModel(random, 8192 << random.nextInt(2), Focus.RECYCLING);
    }

    /** How many records were appended, as far as the last opening has found them. */
    int size() {
        return records.size();
    }

    long flushed() {
        return flushed;
    }

    long synced() {
        return synced;
    }

    /** The power was cut: of what was only flushed anything may be gone. */
    void powerWasCut() {
        flushed = synced;
    }

    private static LogConfig randomConfig(Random random, int segmentLength) {
        WriteMode mode = WriteMode.values()[random.nextInt(2)];
        FileMode fileMode = mode == WriteMode.MAPPED ? FileMode.RW : FileMode.values()[random.nextInt(3)];
        return LogConfig.builder(Path.of("memory"))
                .segmentLength(segmentLength)
                .writeMode(mode)
                .fileMode(fileMode)
                .writeBufferLength(64 << random.nextInt(8))
                .build();
    }

    /** Opens the log, checks that it holds what it must, and works with it until it is done or something fails. */
    Ended live(Storage storage, long atLeast, int operations) {
        life++;
        Log log = null;
        try {
            log = Log.open(config, storage);
            checkContent(log, atLeast);
            for (int i = 0; i < operations; i++) {
                step(log);
            }
            if (random.nextBoolean()) {
                log.close();
                flushed = records.size();
                synced = records.size();
            }
            return Ended.BY_ITSELF;
        } catch (AssertionError failedCheck) {
            throw failedCheck;
        } catch (CorruptLogException | UnsupportedFormatException wrong) {
            throw new AssertionError(
                    "a log without damage was refused, " + config
                            + (log == null ? "" : log.recovery().describe()),
                    wrong);
        } catch (PersistException | PowerCut fault) {
            return Ended.BY_FAULT;
        } finally {
            abandon(log);
        }
    }

    /** Ends the log's threads whatever the storage says. */
    private static void abandon(Log log) {
        if (log != null) {
            try {
                log.close();
            } catch (PersistException | PowerCut storageIsGone) {
                assertThat(storageIsGone).isNotNull();
            }
        }
    }

    /** Every record is there up to a number that is at least {@code atLeast}, and is what was appended. */
    private void checkContent(Log log, long atLeast) {
        long last = log.lastSequence();
        assertThat(last)
                .as("acknowledged records, %s, %s", config, log.recovery().describe())
                .isBetween(atLeast, (long) records.size());
        try (Tailer tailer = log.tailer(reading)) {
            long read = 0;
            while (tailer.next()) {
                assertThat(read == 0 || tailer.sequence() == read + 1).isTrue();
                read = tailer.sequence();
                ByteBuffer payload = tailer.payload();
                byte[] bytes = new byte[payload.remaining()];
                payload.get(payload.position(), bytes);
                assertThat(bytes).as("record %d", read).isEqualTo(records.get((int) read - 1));
            }
            assertThat(read).as(log.recovery().describe()).isEqualTo(last);
        }
        while (records.size() > last) {
            records.remove(records.size() - 1);
        }
        flushed = Math.min(flushed, last);
        synced = Math.min(synced, last);
    }

    private void step(Log log) {
        switch (random.nextInt(12)) {
            case 0 -> {
                log.flush();
                flushed = records.size();
            }
            case 1 -> sync(log);
            case 2 -> {
                log.commit(Durability.SYNCED);
                flushed = records.size();
                synced = records.size();
            }
            case 3 -> {
                log.commit(Durability.FLUSHED);
                flushed = records.size();
            }
            case 4 -> log.commit(Durability.BUFFERED);
            case 5 -> retire(log);
            case 6 -> abortClaim(log);
            case 7 -> roll(log);
            default -> append(log);
        }
    }

    private void abortClaim(Log log) {
        Claim claim = log.claim(random.nextInt(500));
        while (claim.payload().hasRemaining()) {
            claim.payload().put((byte) 0x5A);
        }
        claim.abort();
    }

    private void sync(Log log) {
        log.sync();
        flushed = records.size();
        synced = records.size();
    }

    private void roll(Log log) {
        log.roll();
        noteFlushed(log);
    }

    private void noteFlushed(Log log) {
        if (log.flushedPosition() >= log.position()) {
            flushed = records.size();
        }
    }

    private void retire(Log log) {
        boolean recycles = focus == Focus.RECYCLING;
        if (recycles || random.nextInt(4) == 0) {
            long kept = recycles ? 0 : 3L * config.segmentLength();
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(kept));
            log.retire(plan, !recycles && random.nextBoolean() ? Retirement.DELETE : Retirement.RECYCLE);
            if (log.syncedPosition() >= log.position()) { // it syncs only what the log's numbers need
                flushed = records.size();
                synced = records.size();
            }
        }
    }

    private void append(Log log) {
        int max = random.nextInt(20) == 0 ? Frame.maxPayload(config.segmentLength()) : 300;
        byte[] record = new byte[random.nextInt((focus == Focus.RECYCLING ? Math.max(max, 3000) : max) + 1)];
        new Random(life * 1_000_003L + records.size()).nextBytes(record);
        // Counted before it is acknowledged: it may be there although the call failed.
        records.add(record);
        log.append(record, 0, record.length);
        noteFlushed(log);
    }
}
