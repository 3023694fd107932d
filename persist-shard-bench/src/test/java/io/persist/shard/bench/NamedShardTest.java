package io.persist.shard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shard that has a name stays, and another run goes on with it. */
class NamedShardTest {

    @TempDir
    Path directory;

    private String flags;

    @BeforeEach
    void writeSome() {
        flags = "shard --shard-id s1 --records-per-second 1000 --batch-size 100 --dir " + directory + " --output "
                + directory.resolve("runs") + " --blob-uri file://" + directory.resolve("objects")
                + " --consensus-uri journal://" + directory.resolve("journal");
        Ended.of(flags + " --runtime 130ms").isWell();
    }

    @Test
    void shouldNotSayThatItHasWrittenWhatWasThere() {
        Ended ended = Ended.of(flags + " --runtime 130ms");

        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err())
                .contains("the shard has all of these 130 records already", "--num-writers 0")
                .hasLineCount(1);
    }

    @Test
    void shouldMeasureNothingButWhatIsWrittenBehindIt() throws Exception {
        Ended ended = Ended.of(flags + " --runtime 250ms --num-writers 2").isWell();

        assertThat(ended.out())
                .contains("The shard has 130 of 250 records already; ", "120 of 120 records in ")
                .containsPattern("\\| handed over \\| 4 \\|")
                .containsPattern("\\| durable \\| 4 \\|")
                .containsPattern("\\| read \\| 2 \\|");
        RunResult run = new RunDirectory(directory.resolve("runs/shard-given")).load();
        assertThat(run.count()).isEqualTo(120);
        assertThat(run.intervals().stream().mapToLong(RunResult.Interval::count).sum())
                .isEqualTo(120);
    }

    @Test
    void shouldReadWhatIsThereWithoutALatency() {
        assertThat(Ended.of(flags + " --runtime 130ms --num-writers 0").isWell().out())
                .contains("130 of 130 records in ")
                .containsPattern("\\| read \\| 0 \\|");
    }
}
