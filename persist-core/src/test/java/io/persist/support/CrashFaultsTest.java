package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.file.Storage;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashFailure;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Fault;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault, and each look at what it has left, finds a program that only it can find. */
class CrashFaultsTest {

    private static final String NAME = "count";

    /** How a program keeps a number, one byte for each of its lives, and what of that is wrong. */
    private static class Counter implements CrashScript {

        int acknowledged;

        @Override
        public void run(Storage storage) throws IOException {
            int count = open(storage);
            append(storage, count);
            acknowledged = count + 1;
        }

        /** The number; makes the file durable if it is new. */
        int open(Storage storage) throws IOException {
            if (!storage.list().contains(NAME)) {
                storage.create(NAME).close();
            }
            storage.syncDirectory();
            try (StorageFile file = storage.open(NAME, Access.WRITE)) {
                file.sync();
                return (int) file.length();
            }
        }

        void append(Storage storage, int count) throws IOException {
            try (StorageFile file = storage.open(NAME, Access.WRITE)) {
                file.write(count, new byte[] {1}, 0, 1, WriteThrough.NONE);
                file.sync();
            }
        }

        @Override
        public Object check(Storage storage) throws IOException {
            int count = open(storage);
            assertThat(count).as("the count").isGreaterThanOrEqualTo(acknowledged);
            return count;
        }
    }

    /** Acknowledges what is in its own memory only, and writes it at its end. */
    private static final class InMemory extends Counter {

        @Override
        public void run(Storage storage) throws IOException {
            int count = open(storage);
            acknowledged = count + 1;
            append(storage, count);
        }
    }

    /** Acknowledges what the kernel has. */
    private static final class Unsynced extends Counter {

        @Override
        void append(Storage storage, int count) throws IOException {
            try (StorageFile file = storage.open(NAME, Access.WRITE)) {
                file.write(count, new byte[] {1}, 0, 1, WriteThrough.NONE);
            }
        }
    }

    /** Goes on whatever the disk says. */
    private static final class Careless extends Counter {

        @Override
        void append(Storage storage, int count) {
            try {
                super.append(storage, count);
            } catch (IOException ignored) {
                // that is what is wrong
            }
        }
    }

    /** Copies its file with each opening, and cannot be stopped while it does. */
    private static final class Copying extends Counter {

        @Override
        int open(Storage storage) throws IOException {
            int count = super.open(storage);
            storage.delete(NAME);
            storage.syncDirectory();
            try (StorageFile file = storage.create(NAME)) {
                file.write(0, new byte[count], 0, count, WriteThrough.NONE);
                file.sync();
            }
            storage.syncDirectory();
            return count;
        }

        @Override
        public Object check(Storage storage) throws IOException {
            return open(storage);
        }
    }

    /** Begins again in its second life. */
    private static final class Beginning extends Counter {

        private int lives;

        @Override
        public void run(Storage storage) throws IOException {
            if (++lives == 2 && storage.list().contains(NAME)) {
                storage.delete(NAME);
            }
            super.run(storage);
            acknowledged = lives;
        }
    }

    @BeforeEach
    void needNoGivenPoint() {
        assumeThat(System.getProperty("crash")).isNull();
    }

    @Test
    void shouldFindNothingInWhatIsRight() {
        assertThat(CrashExplorer.of(Counter::new).explore().unreached()).isZero();
    }

    @Test
    void shouldKeepWhatWasWrittenThroughAKillOnly() {
        CrashExplorer.of(Unsynced::new).faults(Fault.KILL).explore();
        assertFound(CrashExplorer.of(Unsynced::new).faults(Fault.POWER_CUT), "POWER_CUT", "the count");
    }

    @Test
    void shouldFindByAKillWhatIsInMemoryOnly() {
        assertFound(CrashExplorer.of(InMemory::new).faults(Fault.KILL), "KILL at operation", "the count");
    }

    @Test
    void shouldFindAProgramThatIgnoresErrors() {
        assertFound(CrashExplorer.of(Careless::new).faults(Fault.IO_ERROR), "IO_ERROR at operation", "the count");
        assertFound(CrashExplorer.of(Careless::new).faults(Fault.DISK_FULL), "DISK_FULL at operation", "the count");
        CrashExplorer.of(Careless::new).faults(Fault.POWER_CUT).explore();
    }

    @Test
    void shouldFindAnOpeningThatMustNotBeStopped() {
        assertFound(
                CrashExplorer.of(Copying::new)
                        .faults(Fault.POWER_CUT)
                        .losses(Loss.ALL_LOST)
                        .randomLives(500),
                "the opening after one that was stopped at its operation",
                "check() saw 0, and before that it saw ");
    }

    @Test
    void shouldFindALifeThatHarmsAnEarlierOne() {
        assertFound(
                CrashExplorer.of(Beginning::new).faults(Fault.POWER_CUT).randomLives(0),
                "after another life that ended by itself",
                "the count");
    }

    private static void assertFound(CrashExplorer explorer, String where, String what) {
        assertThatExceptionOfType(CrashFailure.class)
                .isThrownBy(explorer::explore)
                .withMessageContaining(where)
                .withMessageContaining(what);
    }
}
