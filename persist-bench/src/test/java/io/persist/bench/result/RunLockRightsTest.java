package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A {@code run.lock} of another user. Here it is one to which this user has taken its own rights; root's process gives
 * up what overrules them.
 */
class RunLockRightsTest {

    private static final String OVERRULING = "-dac_override,-dac_read_search";
    private static final String LEFT = "bin/persist packet\nprocess 1\nof-another-user\n";

    @TempDir
    Path directory;

    private Path output;
    private Path lock;
    private ChildJvm other;

    @BeforeEach
    void start() throws IOException {
        output = Files.createDirectory(directory.resolve("output"));
        lock = output.resolve("run.lock");
        other = RunTaker.start(limited());
        leave(lock, "---------");
        String answer = other.ask(output.toString());
        Files.delete(lock);
        assumeTrue(answer != null && !answer.equals("taken"), "rights mean nothing to this user");
    }

    @AfterEach
    void end() throws Exception {
        other.close();
        rights(output, "rwxr-xr-x");
    }

    private static List<String> limited() {
        return "root".equals(System.getProperty("user.name"))
                ? List.of("setpriv", "--bounding-set=" + OVERRULING, "--inh-caps=" + OVERRULING)
                : List.of();
    }

    private static void leave(Path file, String rights) throws IOException {
        Files.writeString(file, LEFT);
        rights(file, rights);
    }

    private static void rights(Path path, String rights) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    }

    private void assertAnothers() throws IOException {
        assertThat(other.ask(output.toString()))
                .isEqualTo(lock + " is another user's (permission denied); have it deleted if no run uses " + output
                        + ", or name another directory with --output");
        assertThat(lock).exists();
    }

    @Test
    void shouldTakeWhatAKilledCallOfAnotherUserHasLeft() throws IOException {
        leave(lock, "r--r--r--");
        assertThat(other.ask(output.toString())).isEqualTo("taken");
        assertThat(lock).doesNotExist();
    }

    @Test
    void shouldRefuseWhatACallOfAnotherUserHas() throws IOException {
        try (RunOutput taken = RunOutput.take("packet", output, List.of(output))) {
            taken.clear();
            rights(lock, "r--r--r--");
            assertThat(other.ask(output.toString()))
                    .startsWith(output + " is in use by a run of bin/persist packet, process "
                            + ProcessHandle.current().pid() + "; ");
            RunFiles.begin("packet", output);
        }
    }

    @Test
    void shouldLeaveAFileOfAnotherUserThatIsNoLock() throws IOException {
        Files.writeString(lock, "mine");
        rights(lock, "r--r--r--");
        assertThat(other.ask(output.toString())).startsWith(lock + " was written by no run of this version, ");
        assertThat(lock).hasContent("mine");
    }

    @Test
    void shouldSayWhatToDoWithALockThatMayNotBeReadOrDeleted() throws IOException {
        leave(lock, "---------");
        assertAnothers();
        rights(lock, "r--r--r--");
        rights(output, "r-xr-xr-x");
        assertAnothers();
    }

    /** There this user could do nothing about it. */
    @Test
    void shouldNotMindALockOfAnotherUserInTheDirectoryAbove() throws IOException {
        Path above = directory.resolve("run.lock");
        leave(above, "---------");
        assertThat(other.ask(output.toString())).isEqualTo("taken");
        assertThat(above).exists();
    }

    @Test
    void shouldSayWhereNoLockCanBeMade() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 0222 && exec \"$@\"", "sh"));
        command.addAll(limited());
        try (ChildJvm masked = RunTaker.start(command)) { // it may not write to its own files
            assertUnusable(masked);
        }
        rights(output, "r-xr-xr-x");
        assertUnusable(other);
    }

    private void assertUnusable(ChildJvm user) throws IOException {
        assertThat(user.ask(output.toString()))
                .isEqualTo(lock + " cannot be used as a lock (permission denied); see to that, or name another"
                        + " directory with --output");
        assertThat(lock).doesNotExist();
    }
}
