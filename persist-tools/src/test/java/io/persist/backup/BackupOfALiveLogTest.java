package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Retention follows a cursor while a log is backed up, whenever that is. */
class BackupOfALiveLogTest {

    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    /** So many records fill more than half a segment. */
    private static final long FEW = 25;

    private static final String PREPARED = LogFileName.segment(4096);

    /** Reads on and stores; then all is retired that the cursor does not need. */
    private static void goOn(Tailer tailer, Log writer) {
        for (int i = 0; i < 150; i++) {
            tailer.next();
        }
        tailer.store();
        writer.retire(writer.planRetention(RetentionRule.below(tailer.nextPosition())), Retirement.DELETE);
    }

    @Test
    void shouldHaveTheRecordsAtItsCursors() {
        boolean isDone = false;
        for (int at = 1; !isDone; at++) {
            CrashableStorage source = new CrashableStorage();
            CrashableStorage restored = new CrashableStorage();
            Backup backup = Backup.directory(new CrashableStorage());
            try (Log writer = Log.open(CONFIG, source);
                    Tailer tailer = Tailer.open(source, "billing", TailerConfig.defaults())) {
                Records.append(writer, 200);
                writer.commit(Durability.SYNCED);
                HookedFiles files = new HookedFiles(source, at, () -> goOn(tailer, writer));
                backup.take(files, files);
                isDone = files.calls() < at;
                assertThat(source.list().contains(LogFileName.segment(0))).isEqualTo(isDone);
            }
            backup.restore(restored);
            try (Tailer tailer = Tailer.open(restored, "billing", TailerConfig.defaults())) {
                assertThat(tailer.next()).as("retired before call %d", at).isTrue();
                assertThat(tailer.sequence()).isIn(1L, 151L);
            }
        }
    }

    /** What was prepared ahead, and the backup holds, is another file when a writer has deleted it and made it anew. */
    @Test
    void shouldHaveTheRecordsOfASegmentThatWasPreparedAnewMeanwhile() throws IOException {
        boolean isDone = false;
        for (int at = 1; !isDone; at++) {
            CrashableStorage source = new CrashableStorage();
            CrashableStorage restored = new CrashableStorage();
            Backup backup = Backup.directory(new CrashableStorage());
            append(source);
            HookedFiles files = new HookedFiles(source, at, () -> prepareAnewAndAppend(source));
            backup.take(files, files);
            isDone = files.calls() < at;
            backup.restore(restored);
            try (Tailer tailer = Tailer.open(restored, TailerConfig.defaults())) {
                assertThat(Records.readAll(tailer))
                        .as("made anew before call %d", at)
                        .isBetween(FEW, 2 * FEW);
            }
        }
    }

    /** Appends a few records, and leaves a next segment that is prepared. */
    private static void append(CrashableStorage source) {
        try (Log writer = Log.open(CONFIG, source)) {
            Records.append(writer, (int) FEW);
            Await.until("the next segment is prepared", () -> source.list().contains(PREPARED));
        }
    }

    private static void prepareAnewAndAppend(CrashableStorage source) {
        try {
            source.delete(PREPARED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        append(source);
    }
}
