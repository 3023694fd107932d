package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.engine.Log;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import io.persist.tool.salvage.LogSalvage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Whatever stops a salvage, no part of the new log opens as if it were all of it. */
class SalvageCrashTest {

    private static final long RECORDS = 300;

    /** Writes the salvaged log of three segments, and one that is vacated, to the storage. */
    private static final class Salvage implements CrashScript {

        private final CrashableStorage damaged = new CrashableStorage();
        private boolean isWritten;

        Salvage() {
            ToolLog.damage(damaged, ToolLog.closed(damaged, (int) RECORDS).get(99));
        }

        @Override
        public void run(Storage storage) throws IOException {
            LogSalvage salvage = new LogSalvage(damaged);
            if (storage.list().isEmpty()) {
                salvage.copyTo(salvage.look(), storage);
                isWritten = true;
            }
        }

        @Override
        public Object check(Storage storage) {
            try (Log log = ToolLog.open(storage)) {
                long last = log.lastSequence();
                assertThat(last == RECORDS || last == 0 && !isWritten)
                        .as("all or nothing: last=" + last)
                        .isTrue();
                return last;
            } catch (PersistException refused) {
                assertThat(isWritten).as(refused.getMessage()).isFalse();
                return refused.getClass();
            }
        }
    }

    @Test
    void shouldLeaveNoPartOfALog() {
        CrashExplorer explorer = CrashExplorer.of(Salvage::new).randomLives(0);
        assertThat(Seeds.lessInABuild(explorer, Seeds.seed()).explore().points())
                .isPositive();
    }
}
