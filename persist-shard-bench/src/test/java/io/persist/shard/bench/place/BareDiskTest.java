package io.persist.shard.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BareDiskTest {

    @TempDir
    Path directory;

    /** A thread that finds no memory has none to say so with. */
    @Test
    void shouldEndWhenTheHeapIsFull() throws Exception {
        List<String> command = ChildJvm.brieflyWithin("64m", FullHeapRun.class, directory);
        assertThat(ChildJvm.outputOf(directory.resolve("out"), Duration.ofMinutes(2), command))
                .isEqualTo("failed\n");
    }
}
