package io.persist.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.RunDirectory;
import io.persist.command.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a sweep that is interrupted. */
class RowSweepTest {

    @TempDir
    private Path directory;

    /** How many sizes have begun. */
    private int begun;

    @Test
    void shouldPrintAndKeepTheSizesBeforeAnInterruption() throws IOException {
        String out = sweepUntilSize(3);

        assertThat(out).contains("Interrupted: 2 of 4 sizes were measured.", "Model: n / (sync + n*w)");
        assertThat(rows(out, " +[1-8] +[\\d,]+ +[\\d,]+ +\\d+\\.\\d\\d .*")).hasSize(2);
        assertThat(new RunDirectory(directory.resolve("results/counting-0000002"))
                        .load()
                        .figures())
                .containsKeys("rows/s", "model rows/s");
        assertThat(directory.resolve("results/counting-0000004")).doesNotExist();
    }

    @Test
    void shouldFitNoModelToOneSize() throws IOException {
        String out = sweepUntilSize(2);

        assertThat(out).contains("Interrupted: 1 of 4 sizes were measured.").doesNotContain("Model", "NaN");
        assertThat(rows(out, " +1 +[\\d,]+ +- +- .*")).hasSize(1);
        assertThat(new RunDirectory(directory.resolve("results/counting-0000001"))
                        .load()
                        .figures())
                .containsKey("rows/s")
                .doesNotContainKey("model rows/s");
    }

    @Test
    void shouldPrintNoTableOfNothing() throws IOException {
        assertThat(sweepUntilSize(1))
                .contains("Interrupted: 0 of 4 sizes were measured.")
                .doesNotContain("batch p50");
        assertThat(Files.exists(directory.resolve("results"))).isFalse();
    }

    @Test
    void shouldSayNothingOfAnInterruptionIfThereWasNone() throws IOException {
        String out = sweepUntilSize(5);

        assertThat(out).contains("Model: ").doesNotContain("Interrupted");
        assertThat(rows(out, " +[1-8] +[\\d,]+ .*")).hasSize(4);
    }

    private static List<String> rows(String out, String pattern) {
        return out.lines().filter(line -> line.matches(pattern)).toList();
    }

    /** The program is to end when it begins with this size; the first is 1. */
    private String sweepUntilSize(int number) throws IOException {
        RowsFlags flags = new RowsFlags();
        CommandLine.of(flags)
                .parse(
                        "--sweep",
                        "1..8",
                        "--output",
                        directory.resolve("results").toString());
        RowRun run = new RowRun(flags, directory.resolve("bench"), () -> begun >= number);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RowRuns runs = new RowRuns(flags, List.of("rows"), Map.of());
        RowEngine engine = RowEngine.of("counting", RowPromise::ofPersist, spec -> new NothingKept());

        new RowSweep(flags, run, runs, new PrintStream(out, true, StandardCharsets.UTF_8)).sweep(engine, 10);

        return out.toString(StandardCharsets.UTF_8);
    }

    private final class NothingKept implements RowTable {

        NothingKept() {
            begun++;
        }

        @Override
        public void begin() {}

        @Override
        public void insert(long number, byte[] text) {}

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
