package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One thread closes what another one uses, as a shutdown hook does, in a JVM of its own, which lives on. */
@Timeout(600)
class ClosedMeanwhileTest {

    private static final int LIVES_IN_A_BUILD = 5;
    private static final int LIVES_AT_NIGHT = 300;

    @TempDir(factory = InMemory.class)
    Path directory;

    @Test
    void shouldEndNoJvmAndLoseNothing() throws Exception {
        List<String> said = new ArrayList<>();
        int lives = Seeds.isNightly() ? LIVES_AT_NIGHT : LIVES_IN_A_BUILD;
        try (ChildJvm child = ChildJvm.start(ClosingUser.class, directory, lives)) {
            for (String line = child.hear(); line != null; line = child.hear()) {
                said.add(line);
            }
            assertThat(child.awaitEnd()).as("exit code after " + said).isZero();
        }
        assertThat(said)
                .containsExactly(
                        "used after close: logger is closed",
                        "an appender in MAPPED mode: right",
                        "an appender in FILE mode: right",
                        "an appender that syncs: right",
                        "an appender with a lock: right",
                        "an appender in a virtual thread: right",
                        "a reader of MAPPED segments: right",
                        "a reader of files: right",
                        "a reader in its handler: right",
                        "a reader of changes: right",
                        "two that close: right");
    }
}
