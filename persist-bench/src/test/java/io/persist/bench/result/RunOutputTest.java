package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.UsageException;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One call has an output, from its first look to its last file; a process that has ended has none. */
class RunOutputTest {

    @TempDir
    Path directory;

    /** A call of "message" in a process of its own, which has the output until it ends. */
    static final class Holder {

        private Holder() {}

        public static void main(String[] args) throws IOException {
            Path output = Path.of(args[0]);
            try (RunOutput taken = RunOutput.take("message", output, List.of(output))) {
                taken.clear();
                System.out.println("taken");
                while (ChildJvm.questions().readLine() != null) {
                    System.out.println("still");
                }
            }
        }
    }

    private ChildJvm holder(Path output) throws IOException {
        ChildJvm holder = ChildJvm.startBriefly(Holder.class, output);
        assertThat(holder.hear()).isEqualTo("taken");
        return holder;
    }

    private static void assertInUse(Path output, Path inUse, long pid, Path... directories) {
        assertThatThrownBy(() -> RunOutput.take("message", output, List.of(directories)))
                .isInstanceOf(UsageException.class)
                .hasMessage(inUse + " is in use by a run of bin/persist message, process " + pid
                        + "; wait until that has ended, or name another directory with --output");
    }

    @Test
    void shouldRefuseAnOutputOfAnotherProcessUntilItHasEnded() throws Exception {
        Path within = Files.createDirectory(directory.resolve("1"));
        try (ChildJvm holder = holder(directory)) {
            for (int i = 0; i < 2; i++) { // the first one looks at the file, and takes nothing from its holder
                assertInUse(directory, directory, holder.pid(), directory);
            }
            assertInUse(within, directory, holder.pid(), within);
            assertThat(within).isEmptyDirectory();
            assertThat(holder.awaitEnd()).isZero();
        }
        assertThat(directory.resolve("run.lock")).doesNotExist();
        RunOutput.take("message", directory, List.of()).close();
        try (ChildJvm holder = holder(within)) {
            assertInUse(directory, within, holder.pid(), within);
            assertThat(directory.resolve("run.lock")).as("given back").doesNotExist();
        }
    }

    /** In a container the next process has its number, and so has this one that of the lock. */
    @Test
    void shouldTakeWhatAProcessThatWasKilledHasLeft() throws Exception {
        Path lock = directory.resolve("run.lock");
        try (ChildJvm holder = holder(directory)) {
            holder.kill();
        }
        assertThat(lock).exists();
        RunOutput.take("packet", directory, List.of(directory)).close();
        assertThat(lock).doesNotExist();
        long pid = ProcessHandle.current().pid();
        for (String left : List.of("bin/persist message\nprocess " + pid + "\nof-another-process\n", "")) {
            Files.writeString(lock, left);
            RunOutput.take("packet", directory, List.of(directory)).close();
            assertThat(lock).doesNotExist();
        }
    }

    @Test
    void shouldRefuseAnOutputThatThisProcessHas() throws IOException {
        try (RunOutput output = RunOutput.take("message", directory, List.of(directory))) {
            output.clear();
            assertInUse(directory, directory, ProcessHandle.current().pid(), directory);
            Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
            assertInUse(link, link, ProcessHandle.current().pid(), link);
        }
    }

    /** A run is in the output of a call by whatever path, and also by a link that has another place. */
    @Test
    void shouldRefuseTheDirectoryOfARunByALink() throws Exception {
        Path within = Files.createDirectories(directory.resolve("output/1"));
        Path output = directory.resolve("output");
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path toRun = Files.createSymbolicLink(directory.resolve("run"), within);
        Path toOther = Files.createSymbolicLink(output.resolve("2"), elsewhere);
        try (ChildJvm holder = holder(output)) {
            assertInUse(toRun, output.toRealPath(), holder.pid(), toRun);
            assertInUse(toOther, output, holder.pid(), toOther);
        }
        assertThat(within).isEmptyDirectory();
        assertThat(elsewhere).isEmptyDirectory();
    }

    /** The operating system drops all locks of a process for a file of which it closes a descriptor. */
    @Test
    void shouldKeepTheLockWhateverPathThisProcessAsksBy() throws Exception {
        Path output = Files.createDirectory(directory.resolve("output"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), output);
        try (RunOutput taken = RunOutput.take("message", output, List.of(output))) {
            taken.clear();
            assertInUse(link, link, ProcessHandle.current().pid(), link);
            RunLock.refuseOthers(link);
            try (ChildJvm other = RunTaker.start(List.of())) {
                assertThat(other.ask(output.toString())).startsWith(output + " is in use by a run of ");
            }
            RunFiles.begin("message", link);
        }
    }

    /** Such as one on a file system that is full, or has no locks: nothing of it stays. */
    @Test
    void shouldLeaveNoLockThatItCannotUse() throws Exception {
        Path lock = directory.resolve("run.lock");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> RunOutput.take("message", directory, List.of()))
                .isInstanceOf(IOException.class)
                .hasMessage(lock + " cannot be used as a lock (ClosedByInterruptException); see to that, or name"
                        + " another directory with --output");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock).doesNotExist();

        for (boolean isLeft : new boolean[] {false, true}) {
            if (isLeft) { // by a killed call
                Files.createFile(lock);
            }
            try (ChildJvm other = RunTaker.start(List.of("sh", "-c", "ulimit -f 0 && exec \"$@\"", "sh"))) {
                assertThat(other.ask(directory.toString()))
                        .isEqualTo(lock + " cannot be used as a lock (File too large); see to that, or name another"
                                + " directory with --output");
            }
            assertThat(lock).doesNotExist();
        }
    }

    @Test
    void shouldLeaveALockThatIsSomebodyElses() throws IOException {
        Path lock = directory.resolve("run.lock");
        Files.writeString(lock, "mine");
        assertStranger(lock);
        assertThat(lock).hasContent("mine");
        Files.move(lock, directory.resolve("other"));
        Files.createSymbolicLink(lock, directory.resolve("other"));
        assertStranger(lock);
        assertThat(directory.resolve("other")).hasContent("mine");
    }

    private void assertStranger(Path lock) {
        assertThatThrownBy(() -> RunOutput.take("message", directory, List.of(directory)))
                .isInstanceOf(UsageException.class)
                .hasMessage(lock + " was written by no run of this version, and this run would replace it; move it"
                        + " away, or name another directory with --output");
    }

    @Test
    void shouldHaveNothingWithoutAnOutput() throws IOException {
        try (RunOutput none = RunOutput.none()) {
            none.clear();
        }
        assertThat(directory).isEmptyDirectory();
    }
}
