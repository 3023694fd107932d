package io.persist.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.Percentile;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunOutput;
import io.persist.command.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a sweep that is interrupted. */
class RowSweepTest {

    @TempDir
    private Path directory;

    private final CountingRows rows = new CountingRows();

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
        assertThat(directory.resolve("results")).isEmptyDirectory();
    }

    @Test
    void shouldSayNothingOfAnInterruptionIfThereWasNone() throws IOException {
        String out = sweepUntilSize(5);

        assertThat(out).contains("Model: ").doesNotContain("Interrupted");
        assertThat(rows(out, " +[1-8] +[\\d,]+ .* [\\d.,]+\\*")).hasSize(4);
        assertThat(out).endsWith(Percentile.LEGEND + "\n");
    }

    private static List<String> rows(String out, String pattern) {
        return out.lines().filter(line -> line.matches(pattern)).toList();
    }

    /** Its rows per second would be those of a part, and the model would be fitted to them. */
    @Test
    void shouldDropTheSizeThatWasCutOff() throws IOException {
        // Ten rows of size 1, five batches of size 2, one of three batches of size 4.
        String out = sweepUntil(() -> rows.commits >= 16);

        assertThat(out).contains("Interrupted: 2 of 4 sizes were measured.");
        assertThat(rows(out, " +[1-8] +[\\d,]+ +[\\d,]+ +\\d+\\.\\d\\d .*")).hasSize(2);
        assertThat(directory.resolve("results/counting-0000004")).doesNotExist();
    }

    /** The program is to end when it begins with this size; the first is 1. */
    private String sweepUntilSize(int number) throws IOException {
        return sweepUntil(() -> rows.tables >= number);
    }

    @SuppressWarnings("try") // the output is given back, and nothing else
    private String sweepUntil(BooleanSupplier isEnding) throws IOException {
        RowsFlags flags = new RowsFlags();
        CommandLine.of(flags)
                .parse(
                        "--sweep",
                        "1..8",
                        "--output",
                        directory.resolve("results").toString());
        RowRun run = new RowRun(flags, directory.resolve("bench"), isEnding);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RowRuns runs = new RowRuns(flags, directory, List.of("rows"), Map.of());

        flags.makeOutput(directory.resolve("bench"));
        try (RunOutput output = RowRuns.take(flags)) {
            new RowSweep(flags, run, runs, new PrintStream(out, true, StandardCharsets.UTF_8)).sweep(rows.engine(), 10);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
