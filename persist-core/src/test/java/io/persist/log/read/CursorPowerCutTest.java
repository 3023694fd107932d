package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.cursor.CursorDirectory;
import io.persist.error.PersistException;
import io.persist.format.control.CursorSlot;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cursor is never lost, never goes back behind what was acknowledged, and never skips a record, whatever stops. */
class CursorPowerCutTest {

    private static final String NAME = "billing";

    /** What was acknowledged: the number of the next record. */
    private static final class Reader {

        private final Random random;
        private final LogConfig config;
        private final TailerConfig reading;

        /** The number of the record from which on the reader has to get everything, again or for the first time. */
        private long stored = 1;

        private boolean isRegistered;

        /** Every record up to here was handed out before. */
        private long delivered;

        Reader(Random random, LogConfig config, TailerConfig reading) {
            this.random = random;
            this.config = config;
            this.reading = reading;
        }

        /** Reads and stores at random, at most {@code steps} times; every record has to follow the one before. */
        void read(Tailer tailer, int steps) {
            long next = 0;
            for (int step = 0; step < steps; step++) {
                if (random.nextInt(4) == 0) {
                    tailer.store();
                    stored = next == 0 ? stored : next;
                } else if (tailer.next()) {
                    if (next == 0) {
                        assertThat(tailer.sequence())
                                .as("the first record after resuming, %s, %s", config, reading)
                                .isBetween(stored, Math.max(stored, delivered + 1));
                        next = tailer.sequence();
                    }
                    Records.check(tailer.sequence(), tailer.payload(), next);
                    delivered = Math.max(delivered, next);
                    next++;
                }
            }
        }

        Tailer open(CrashableStorage storage, Log log) {
            Tailer tailer = log != null && random.nextBoolean()
                    ? log.tailer(NAME, reading)
                    : Tailer.open(storage, NAME, reading);
            isRegistered = true;
            return tailer;
        }
    }

    private static TailerConfig reading(Random random) {
        return WriterKind.reader()
                .readMode(ReadMode.values()[random.nextInt(2)])
                .readScope(ReadScope.values()[random.nextInt(2)])
                .build();
    }

    /** The writer's records say their number, so a record that took the place of a lost one is the same: as it should be. */
    private static void write(Log log, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> log.commit(Durability.SYNCED);
            case 1, 2 -> log.commit(Durability.FLUSHED);
            case 3 -> log.commit(Durability.BUFFERED);
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.values()[random.nextInt(2)]);
                }
            }
            default -> Records.append(log);
        }
    }

    private static void live(CrashableStorage storage, Reader reader, int steps) {
        Log log = null;
        Tailer tailer = null;
        try {
            log = Log.open(reader.config, storage);
            if (reader.isRegistered) {
                assertThat(new CursorDirectory(storage).exists(NAME)).isTrue();
            }
            tailer = reader.open(storage, log);
            for (int i = 0; i < steps; i++) {
                write(log, reader.random);
                reader.read(tailer, 2);
            }
        } catch (io.persist.error.CorruptLogException | io.persist.error.RetiredException wrong) {
            throw new AssertionError("the cursor was lost, " + reader.config + ", " + reader.reading, wrong);
        } catch (PersistException | PowerCut | IOException stopped) {
            assertThat(storage.isOff()).as(stopped.toString()).isTrue();
        } finally {
            end(log, tailer);
        }
    }

    private static void end(Log log, Tailer tailer) {
        if (tailer != null) {
            tailer.close();
        }
        if (log != null) {
            DeadLog.end(log);
        }
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldDeliverEveryRecordThatSurvivesWhateverStops(WriterKind kind) {
        Seeds.run(10, seed -> {
            Random random = new Random(seed);
            Reader reader = new Reader(random, kind.config().build(), reading(random));
            CrashableStorage storage = new CrashableStorage();
            for (int life = 0; life < 6; life++) {
                storage.cutPowerAt(1 + random.nextInt(250));
                live(storage, reader, 150);
                storage.writeBack(random);
                if (random.nextBoolean()) {
                    storage = storage.afterKill();
                } else {
                    storage = storage.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
                }
                // What a power cut took back can come again with the same number.
                reader.delivered = Math.max(reader.delivered, reader.stored - 1);
            }
            live(storage, reader, 0);
            try (Log log = Log.open(reader.config, storage)) {
                log.sync();
                try (Tailer tailer = log.tailer(NAME)) {
                    long next = Math.max(1, stored(storage).sequence());
                    assertThat(next).isGreaterThanOrEqualTo(reader.stored);
                    assertThat(Records.readOn(tailer, next)).isEqualTo(log.lastSequence() + 1);
                }
            }
        });
    }

    private static CursorSlot stored(CrashableStorage storage) {
        try {
            return new CursorDirectory(storage).read(NAME);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- a cut at each operation in turn

    /** How far {@link #run} came. */
    private static final class Progress {
        private boolean isRegistered;
        private long acknowledged = 1;
        private boolean isRemovalBegun;
        private boolean isRemoved;
    }

    private static void run(CrashableStorage storage, LogConfig config, Progress progress) {
        Tailer tailer = Tailer.open(storage, NAME, TailerConfig.defaults());
        try {
            progress.isRegistered = true;
            for (int store = 1; store <= 3; store++) {
                for (int i = 0; i < 25; i++) {
                    assertThat(tailer.next()).isTrue();
                }
                tailer.store();
                progress.acknowledged = tailer.sequence() + 1;
            }
        } finally {
            tailer.close();
        }
        progress.isRemovalBegun = true;
        new LogCursors(storage).remove(NAME);
        progress.isRemoved = true;
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldResumeWhereverTheNextStoreOrRemovalIsCut(WriterKind kind) {
        LogConfig config = kind.config().build();
        for (int cut = 1; ; cut++) {
            boolean isDone = true;
            for (Loss loss : Loss.values()) {
                CrashableStorage storage = new CrashableStorage();
                Log log = Log.open(config, storage);
                Records.append(log, 100);
                log.flush();
                storage = killed(storage, log); // nothing of the log is synced: only the stores do that
                Progress progress = new Progress();
                storage.cutPowerAt(cut);
                try {
                    run(storage, config, progress);
                } catch (PowerCut off) {
                    isDone = false;
                }
                CrashableStorage after = storage.crash(new Random(cut), loss);
                check(after, config, progress);
            }
            if (isDone) {
                assertThat(cut).isGreaterThan(15);
                return;
            }
        }
    }

    private static CrashableStorage killed(CrashableStorage storage, Log log) {
        CrashableStorage after = storage.afterKill();
        DeadLog.end(log);
        return after;
    }

    private static void check(CrashableStorage after, LogConfig config, Progress progress) {
        boolean exists = after.list().contains("billing.cursor");
        if (progress.isRemoved) {
            assertThat(exists).isFalse();
        } else if (progress.isRegistered && !progress.isRemovalBegun) {
            assertThat(exists).isTrue();
        }
        if (!exists) {
            return;
        }
        try (Tailer tailer = Tailer.open(after, NAME, TailerConfig.defaults())) {
            long next = stored(after).sequence();
            assertThat(next).isBetween(progress.acknowledged, progress.acknowledged + 25);
            try (Log log = Log.open(config, after)) {
                assertThat(log.lastSequence())
                        .as("nothing below the cursor is gone")
                        .isGreaterThanOrEqualTo(next - 1);
                Records.append(log, 10);
                log.flush();
                assertThat(Records.readOn(tailer, next)).isEqualTo(log.lastSequence() + 1);
            }
        }
        assertThat(after.openHandles()).isZero();
    }
}
