package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A restore that ends anywhere leaves all of the log, or nothing that opens as a log with records. */
class RestorePowerCutTest {

    private static final int RECORDS = 120;
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private static final class Restoring implements CrashScript {

        private final Backup backup;
        private final RestorePoint end;
        private final long records;
        private boolean isRestored;

        Restoring(Backup backup, RestorePoint end, long records) {
            this.backup = backup;
            this.end = end;
            this.records = records;
        }

        @Override
        public void run(Storage storage) throws Exception {
            if (storage.list().isEmpty()) {
                backup.restore(storage, end);
                isRestored = true;
            }
        }

        @Override
        public Object check(Storage storage) {
            try (Log log = Log.open(CONFIG, storage)) {
                assertThat(log.lastSequence()).isIn(isRestored ? records : 0L, records);
                return log.lastSequence();
            } catch (CorruptLogException e) {
                assertThat(isRestored).as(e.getMessage()).isFalse();
                return "refused";
            }
        }
    }

    @Test
    void shouldLeaveAllOrNothing() {
        explore(RestorePoint.END, RECORDS);
    }

    /** Never more than up to there, either. */
    @Test
    void shouldLeaveAllUpToAPositionOrNothing() {
        explore(RestorePoint.afterSequence(RECORDS / 2), RECORDS / 2);
    }

    private static void explore(RestorePoint end, long records) {
        CrashableStorage log = new CrashableStorage();
        try (Log writer = Log.open(CONFIG, log)) {
            for (int i = 0; i < RECORDS; i++) {
                Records.append(writer);
                writer.commit(Durability.BUFFERED);
            }
        }
        Backup backup = Backup.directory(new CrashableStorage());
        backup.take(log, log);
        CrashExplorer explorer = CrashExplorer.of(() -> new Restoring(backup, end, records));
        assertThat(Seeds.lessInABuild(explorer, Seeds.seed()).explore().points())
                .isPositive();
    }
}
