package io.persist.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.result.Percentile;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunOutput;
import io.persist.command.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said and kept of a run that is interrupted, and of one that is not. */
class RowOnceTest {

    @TempDir
    private Path directory;

    private final CountingRows rows = new CountingRows();

    @Test
    void shouldSayThatItWasInterruptedAndKeepNothing() throws IOException {
        String out = runUntilCommit(2);

        assertThat(out)
                .startsWith("Interrupted: 2 of 5 batches were measured; nothing is written to "
                        + directory.resolve("results") + ".\nInserts:   6 rows\n");
        assertThat(directory.resolve("results")).isEmptyDirectory();
    }

    @Test
    void shouldBeWholeIfTheInterruptionComesBehindTheLastBatch() throws IOException {
        assertThat(runUntilCommit(5))
                .startsWith("Inserts:   15 rows\n")
                .doesNotContain("Interrupted")
                .containsPattern("p50 [0-9.,]+ us, p99 [0-9.,]+\\* us, max")
                .endsWith(Percentile.LEGEND + "\n");
        assertThat(new RunDirectory(directory.resolve("results/counting-0000003"))
                        .load()
                        .count())
                .isEqualTo(15);
    }

    /** The engine makes no file, so what has the name of one of SQLite's is somebody else's. */
    @Test
    void shouldDeleteNothingBesideAPathThatIsNotThere() throws IOException {
        Path others = Files.writeString(directory.resolve("bench-journal"), "another's");

        runUntilCommit(5);

        assertThat(others).hasContent("another's");
    }

    /** As a log that another process has made after the program has looked. */
    @ParameterizedTest
    @ValueSource(strings = {"message", "store"})
    void shouldNotTouchWhatOthersHaveMadeMeanwhile(String name) throws IOException {
        RowsFlags flags = new RowsFlags();
        CommandLine.of(flags).parse("-batch-count", "1", "-batch-size", "1", "--segmentSize", "2");
        Path path = directory.resolve("bench");
        RowEngine engine = RowEngines.plain().named(name);
        RowRun run = new RowRun(flags, path, () -> false);
        run.run(engine, 1, new RowRun.Until(1, Long.MAX_VALUE, Long.MAX_VALUE));
        run.delete();
        Path others = Files.writeString(Files.createDirectory(path).resolve("file"), "another's");

        assertThatThrownBy(() -> run.run(engine, 1, new RowRun.Until(1, Long.MAX_VALUE, Long.MAX_VALUE)))
                .isInstanceOf(IOException.class)
                .hasMessage(path + " was made by another program meanwhile, and stays as it is; name another PATH");
        run.delete();

        try (Stream<Path> files = Files.list(path)) {
            assertThat(files).containsExactly(others);
        }
    }

    /** The program is to end when it has committed this often, of five times. */
    @SuppressWarnings("try") // the output is given back, and nothing else
    private String runUntilCommit(int number) throws IOException {
        RowsFlags flags = new RowsFlags();
        CommandLine.of(flags)
                .parse(
                        "-batch-count",
                        "5",
                        "-batch-size",
                        "3",
                        "--output",
                        directory.resolve("results").toString());
        RowRun run = new RowRun(flags, directory.resolve("bench"), () -> rows.commits >= number);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RowRuns runs = new RowRuns(flags, directory, List.of("rows"), Map.of());

        flags.makeOutput(directory.resolve("bench"));
        try (RunOutput output = RowRuns.take(flags)) {
            new RowOnce(flags, run, runs, new PrintStream(out, true, StandardCharsets.UTF_8)).measure(rows.engine());
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
