package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users keep of what they were given, in a JVM of its own, which lives on. */
class KeptBytesTest {

    @TempDir
    Path directory;

    @Test
    void shouldStayOrThrowWhateverIsKept() throws Exception {
        List<String> said = new ArrayList<>();
        try (ChildJvm child = ChildJvm.startBriefly(KeepingUser.class, directory)) {
            for (String line = child.hear(); line != null; line = child.hear()) {
                said.add(line);
            }
            assertThat(child.awaitEnd()).as("exit code after " + said).isZero();
        }
        assertThat(said)
                .containsExactly(
                        "payloads in a list, past close: right",
                        "slices of payloads: right",
                        "a payload until next: empty after close",
                        "a handler's payloads: empty after poll",
                        "values past close: right",
                        "values past compaction: right",
                        "a value until next: empty or another",
                        "a scan's keys and values: right",
                        "changes: right",
                        "messages of packets: right",
                        "claims: harmless");
    }
}
