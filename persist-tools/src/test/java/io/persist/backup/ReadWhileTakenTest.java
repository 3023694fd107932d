package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A good backup is not called damaged because a run brings it up to date while it is read, whenever that is. */
class ReadWhileTakenTest {

    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    /** Has each segment changed, taken away or made between two runs; returns how often the reading was refused. */
    private static int refusals(Consumer<Backup> reading) {
        int refused = 0;
        boolean isDone = false;
        for (int at = 1; !isDone; at++) {
            CrashableStorage log = new CrashableStorage();
            CrashableStorage files = new CrashableStorage();
            try (Log writer = Log.open(CONFIG, log)) {
                append(writer, log, files);
                HookedFiles hooked = new HookedFiles(files, at, () -> append(writer, log, files));
                try {
                    reading.accept(Backup.directory(hooked));
                } catch (LogIOException e) {
                    assertThat(e).hasMessageContaining("a run has changed the backup while it was read; wait");
                    refused++;
                }
                isDone = hooked.calls() < at;
            }
        }
        return refused;
    }

    private static void append(Log writer, Storage log, Storage files) {
        Records.append(writer, 150);
        writer.sync();
        writer.retire(writer.planRetention(RetentionRule.below(writer.position() - 8192)), Retirement.DELETE);
        Backup.directory(files).take(log, log);
    }

    @Test
    void shouldVerify() {
        assertThat(refusals(Backup::verify)).isPositive();
    }

    @Test
    void shouldRestoreAllOrNothing() {
        int refused = refusals(backup -> {
            CrashableStorage target = new CrashableStorage();
            try {
                backup.restore(target);
                assertThat(target.list()).contains("control");
            } catch (LogIOException e) {
                assertThat(target.list()).isEmpty();
                throw e;
            }
        });
        assertThat(refused).isPositive();
    }
}
