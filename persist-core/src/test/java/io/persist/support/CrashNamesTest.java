package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Exploration;
import io.persist.testkit.Fault;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A script whose files have other names in each life. */
class CrashNamesTest {

    private static final class Unique implements CrashScript {

        @Override
        public void run(Storage storage) throws IOException {
            for (int i = 0; i < 3; i++) {
                String name = "object" + UUID.randomUUID();
                String temporary = ProcessHandle.current().pid() + "-" + UUID.randomUUID() + ".tmp";
                storage.create(temporary).close();
                storage.rename(temporary, name);
            }
        }

        @Override
        public Object check(Storage storage) throws IOException {
            return storage.list();
        }
    }

    @Test
    void shouldNotTakeEachNameForAnOperationOfItsOwn() {
        Exploration tried = CrashExplorer.of(Unique::new)
                .faults(Fault.POWER_CUT)
                .losses(Loss.ALL_KEPT)
                .randomLives(0)
                .explore();

        assertThat(tried.operations()).isEqualTo(6);
        assertThat(tried.points()).isEqualTo(7); // and the end
        assertThat(tried.unreached()).isZero();
    }
}
