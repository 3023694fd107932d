package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The threads of a client outlive that there is no memory for a moment: nobody would start them anew. */
class FullHeapTest {

    @Test
    void shouldRenewLeasesAgainWhenThereIsMemoryAgain(@TempDir Path directory) throws Exception {
        List<String> command = ChildJvm.command(FullHeapClient.class);
        command.addAll(1, List.of("-Xmx40m", "-XX:+UseG1GC"));
        assertThat(ChildJvm.outputOf(directory.resolve("out"), Duration.ofMinutes(5), command))
                .isEqualTo("[shard-leases, shard-leases-1, shard-leases-2, shard-leases-3, shard-leases-4,"
                        + " shard-upkeep]\nclosed 40\n");
    }
}
