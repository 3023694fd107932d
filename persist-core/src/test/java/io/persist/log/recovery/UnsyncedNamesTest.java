package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Names that a killed writer left unsynced are made durable. */
final class UnsyncedNamesTest {

    private static final int RECORD_LENGTH = 500;
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(64 << 10).build();

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

    /** The writer disappears: its threads end, and the close reaches nothing. */
    private static void leave(CrashableStorage storage, Log log) {
        storage.powerOff(new PowerCut("left"));
        try {
            log.close();
        } catch (PersistException | PowerCut expected) {
            assertThat(expected).isNotNull();
        }
    }
}
