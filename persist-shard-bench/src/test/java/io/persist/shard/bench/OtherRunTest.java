package io.persist.shard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.RunDirectory;
import io.persist.command.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A directory in which another program has left a run. */
class OtherRunTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "shard-bench --seconds 0 --warmup 0 --sizes small, shard-bench-file-small",
        "shard-cas --backend file --sizes 0 --measurements 1, shard-cas-file",
        "shard --runtime 1s --records-per-second 1, shard-mem"
    })
    void shouldNotReplaceIt(String line, String name) throws IOException {
        Path runs = directory.resolve("runs");
        Path record = Files.createDirectories(runs.resolve(name)).resolve(RunDirectory.FILE);
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");

        Ended refused = Ended.of(line + " --dir " + directory + " --output " + runs);

        assertThat(refused.code()).isEqualTo(Command.USAGE);
        assertThat(refused.err())
                .startsWith("persist " + line.split(" ")[0] + ": " + record
                        + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(refused.out()).isEmpty();
        assertThat(runs.toFile().list()).containsExactly(name);
    }
}
