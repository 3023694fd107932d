package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bytes of an earlier life of the log stay dead, and names that a killed writer left unsynced are made durable. */
final class LogRevivalTest {

    private static final int RECORD_LENGTH = 500;
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(64 << 10).build();

    /** The new records have the length of the lost ones, so that lost ones behind them would continue the log. */
    @Test
    void shouldNotReviveRecordsThatWereCutOff() {
        Seeds.run(150, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = new CrashableStorage();
            append(storage, 'a', 10, Ending.CLOSE);
            append(storage, 'b', 60, Ending.LEAVE);
            CrashableStorage afterCut = storage.crash(random, Loss.RANDOM);
            long kept = append(afterCut, 'c', 1 + random.nextInt(20), Ending.SYNC);
            CrashableStorage afterSecondCut = afterCut.crash(random, Loss.RANDOM);
            assertThat(readUpTo(afterSecondCut)).isEqualTo(kept);
        });
    }

    @Test
    void shouldKeepSegmentsThatAKilledWriterHadOnlyRenamed() {
        CrashableStorage storage = new CrashableStorage();
        AtomicInteger renames = new AtomicInteger();
        storage.hook((number, what) -> {
            if (what.startsWith("rename") && what.contains("65536")) {
                renames.incrementAndGet();
            }
            if (renames.get() > 0 && what.equals("syncDirectory")) {
                throw new PowerCut("killed between rename and syncDirectory");
            }
        });
        Log killed = Log.open(CONFIG, storage);
        while (!storage.isOff()) {
            Thread.onSpinWait(); // the filler gets there by itself
        }
        leave(storage, killed);
        CrashableStorage afterKill = storage.afterKill();
        // No further segment is made, whose making would sync the directory too.
        afterKill.hook((number, what) -> {
            if (what.startsWith("create")) {
                throw new IOException("no more files");
            }
        });
        Log log = Log.open(CONFIG, afterKill);
        while (log.position() < CONFIG.segmentLength() + 1000) {
            log.append(new byte[RECORD_LENGTH], 0, RECORD_LENGTH);
        }
        log.sync();
        long kept = log.lastSequence();
        leave(afterKill, log);
        try (Log afterCut = Log.open(CONFIG, afterKill.crash(new Random(1), Loss.ALL_LOST))) {
            assertThat(afterCut.lastSequence()).isEqualTo(kept);
        }
    }

    private enum Ending {
        CLOSE,
        SYNC,
        LEAVE
    }

    /** Appends and ends the life of the log; returns the last sequence number. The storage has to be crashed then. */
    private static long append(CrashableStorage storage, char content, int count, Ending ending) {
        Log log = Log.open(CONFIG, storage);
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[RECORD_LENGTH];
            Arrays.fill(record, (byte) content);
            log.append(record, 0, RECORD_LENGTH);
        }
        long last = log.lastSequence();
        switch (ending) {
            case CLOSE -> log.close();
            case SYNC -> {
                log.sync();
                leave(storage, log);
            }
            case LEAVE -> leave(storage, log);
        }
        return last;
    }

    /** The writer disappears: its threads end, and the close reaches nothing. */
    private static void leave(CrashableStorage storage, Log log) {
        storage.powerOff(new PowerCut("left"));
        try {
            log.close();
        } catch (PersistException | PowerCut expected) {
            assertThat(expected).isNotNull();
        }
    }

    /** Reads the whole log, whose records after the first 10 are b's followed by c's and nothing else. */
    private static long readUpTo(CrashableStorage storage) {
        try (Log log = Log.open(CONFIG, storage);
                Tailer tailer = log.tailer()) {
            byte before = 'a';
            while (tailer.next()) {
                byte content = tailer.payload().get(tailer.payload().position());
                assertThat(content).as("record %d", tailer.sequence()).isGreaterThanOrEqualTo(before);
                before = content;
            }
            return tailer.sequence();
        }
    }
}
