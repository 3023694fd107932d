package io.persist.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunReaderTest {

    @TempDir
    Path directory;

    private final RunReader reader = new RunReader(20);

    @BeforeEach
    void save() throws IOException {
        SavedRun.save(directory, "one", 100, 50);
    }

    @Test
    void shouldReadWhatIsSaved() throws IOException {
        RunSummary run = reader.read(directory);

        assertThat(run.label()).isEqualTo("one");
        assertThat(run.command()).isEqualTo("bin/persist message -k 'my logs'");
        assertThat(run.count()).isEqualTo(5000);
        assertThat(run.perSecond()).isEqualTo(500);
        assertThat(run.environment()).containsEntry("JVM", "one");
        assertThat(run.figures()).containsEntry("allocated B/op", 1.5);
        assertThat(run.eventNames()).containsExactly("rolls");
        SeriesSummary series = run.series().get(0);
        assertThat(series.name()).isEqualTo("write");
        assertThat(series.count()).isEqualTo(5000);
        assertThat(series.maxNs()).isBetween(100_000L, 100_100L);
        assertThat(series.percentilesNs().get(0)).isBetween(50_000L, 50_100L);
        assertThat(series.percentilesNs().get(1)).isBetween(90_000L, 90_100L);
    }

    @Test
    void shouldCutALongRunIntoSlicesThatAddUp() throws IOException {
        RunSummary run = reader.read(directory);

        assertThat(run.slices()).hasSize(20).allMatch(slice -> slice.get(2) == 250);
        assertThat(run.slices().stream().mapToLong(slice -> slice.get(3)).sum()).isEqualTo(10);
        List<List<Long>> slices = run.series().get(0).slices();
        assertThat(slices).hasSize(20).allMatch(slice -> slice.get(2) == 250);
        assertThat(slices.get(0).subList(0, 2)).containsExactly(0L, 500_000_000L);
        // 1 to 5 µs in the first half second.
        assertThat(slices.get(0).get(3)).isBetween(3000L, 3003L);
        assertThat(slices.get(0).get(5)).isBetween(5000L, 5005L);
        assertThat(slices.get(19).get(1)).isEqualTo(10_000_000_000L);
    }

    /** As of a series that had no value in the first two seconds, beside others that had. */
    @Test
    void shouldCountTheTimesOfASeriesFromTheBeginOfItsRun() throws IOException {
        Path log = directory.resolve("latencies.write.hlog");
        List<String> lines = Files.readAllLines(log);
        int first = lines.size() - 100;
        lines.subList(first, first + 20).clear();
        Files.write(log, lines);

        List<List<Long>> slices = reader.read(directory).series().get(0).slices();
        assertThat(slices.get(0).get(0)).isEqualTo(2_000_000_000L);
        assertThat(slices.get(slices.size() - 1).get(1)).isEqualTo(10_000_000_000L);
    }

    @Test
    void shouldDrawTheCurveUpToTheMaximum() throws IOException {
        SeriesSummary series = reader.read(directory).series().get(0);

        // 20 points per decade, 3.7 decades, and the maximum.
        assertThat(series.curveNs()).hasSize(75).isSorted();
        assertThat(series.curveNs().get(20)).isEqualTo(series.percentilesNs().get(1));
        assertThat(series.curveNs().get(74)).isEqualTo(series.maxNs());
    }

    @Test
    void shouldReadHistogramLogsAlone() throws IOException {
        Files.delete(directory.resolve(RunDirectory.FILE));
        SavedRun.saveLog(directory.resolve("other.hlog"), 10, 1);

        RunSummary run = reader.read(directory);

        assertThat(run.label()).isEqualTo(directory.getFileName().toString());
        assertThat(run.series()).extracting(SeriesSummary::name).containsExactly("write", "other");
        assertThat(run.startedAt()).isEqualTo("2026-09-21T14:13:20Z");
        assertThat(run.command()).isEmpty();
    }

    /** An operation may be in several series, or in one of them: only of a single one the rate is known. */
    @Test
    void shouldKnowTheRateOfASingleHistogramLogOnly() throws IOException {
        Files.delete(directory.resolve(RunDirectory.FILE));
        assertThat(reader.read(directory).perSecond()).isEqualTo(500);

        SavedRun.saveLog(directory.resolve("other.hlog"), 10, 1);
        assertThat(reader.read(directory).perSecond()).isZero();
        assertThat(reader.read(directory).count()).isZero();
    }

    @Test
    void shouldTakeEachTagOfALogForASeries() throws IOException {
        Files.delete(directory.resolve(RunDirectory.FILE));
        Path log = directory.resolve("latencies.write.hlog");
        List<String> lines = Files.readAllLines(log);
        lines.set(lines.size() - 1, "Tag=slow," + lines.get(lines.size() - 1));
        Files.write(log, lines);

        assertThat(reader.read(directory).series())
                .extracting(SeriesSummary::name, SeriesSummary::count)
                .containsExactly(tuple("write", 4950L), tuple("write slow", 50L));
    }

    @Test
    void shouldShowASeriesWithoutValues() throws IOException {
        SavedRun.save(directory, "none", 3, 0);

        SeriesSummary series = reader.read(directory).series().get(0);

        assertThat(series.count()).isZero();
        assertThat(series.meanNs()).isZero();
        assertThat(series.curveNs()).isEmpty();
        assertThat(series.slices()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5,0.1,12", "garbage", "0.5,0.1,0.0,HISTnothing", "0.5,0.1,0.0,????", "\0\u0001"})
    void shouldRefuseADamagedHistogramLog(String line) throws IOException {
        Path log = directory.resolve("latencies.write.hlog");
        List<String> lines = Files.readAllLines(log);
        int last = lines.size() - 1;
        lines.set(last, line);
        Files.write(log, lines);

        assertRefused(log + " is damaged after 99 intervals (");
        // In the middle, too.
        lines.add(lines.get(last - 1));
        Files.write(log, lines);
        assertRefused(log + " is damaged after 99 intervals (");
    }

    @Test
    void shouldRefuseALineOfWhichAPartIsMissing() throws IOException {
        Path log = directory.resolve("latencies.write.hlog");
        String text = Files.readString(log).strip();
        Files.writeString(log, text.substring(0, text.length() - 20));

        assertRefused(log + " is damaged after 99 intervals (");
    }

    @Test
    void shouldRefuseAHistogramLogOfNothing() throws IOException {
        Path log = directory.resolve("latencies.write.hlog");
        Files.writeString(log, "");
        assertRefused(log + " has no interval");
        Files.write(log, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertRefused(log + " is damaged after 0 intervals (it is not text)");
        Files.delete(log);
        assertRefused(log + " is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{}",
                "{\"format\": 1}",
                "{\"format\": 2}",
                "{\"format\": \"one\"}",
                "\"name\": null",
                "\"name\": \" \"",
                "\"command\": [null]",
                "\"environment\": {\"JVM\": null}",
                "\"figures\": {\"B/op\": NaN}",
                "\"count\": -1",
                "\"series\": [{\"name\": \"write\", \"file\": \"../latencies.write.hlog\"}]",
                "\"series\": [{\"name\": \"write\", \"file\": \"/etc/passwd\"}]",
                "\"series\": [{\"name\": \"write\", \"file\": \"..\"}]",
                "\"series\": [{\"name\": \"write\", \"file\": \"\\u0000\"}]",
                "\"series\": [{\"name\": \"write\"}]",
                "\"series\": [null]",
                "\"intervals\": [{\"endNs\": 2, \"count\": 1, \"events\": {}}, {\"endNs\": 1, \"count\": 1}]",
                "\"intervals\": [{\"endNs\": 2, \"count\": 1}]",
                "\"levels\": [null]",
                "\"levels\": [{\"atNs\": 1}]",
                "\"levels\": [{\"atNs\": 1, \"values\": {\"file GB\": NaN}}]",
                "\"levels\": [{\"atNs\": 2, \"values\": {}}, {\"atNs\": 1, \"values\": {}}]"
            })
    void shouldRefuseADamagedResult(String json) throws IOException {
        Path file = directory.resolve(RunDirectory.FILE);
        String name = json.replaceFirst("(\"\\w+\").*", "$1");
        if (json.startsWith("\"")) {
            String saved = Files.readString(file).replaceAll("\\s*\\n\\s*", " ");
            String rest = saved.replaceFirst(name + ": (\\[.*?\\]|\\{.*?\\}|[^,]*),? ", "")
                    .replace(", }", "}");
            Files.writeString(file, "{" + json + "," + rest.substring(1));
        } else {
            Files.writeString(file, json);
        }

        assertRefused(file + " ");
    }

    @Test
    void shouldKeepAResultThatOnlyLacksIntervals() throws IOException {
        SavedRun.saveRecord(directory, "one", 0, 50, List.of());

        assertThat(reader.read(directory).slices()).isEmpty();
    }

    @Test
    void shouldThinOutLevelsAndKeepTheLastOne() throws IOException {
        assertThat(reader.read(directory).levels()).isEmpty();
        List<RunResult.Level> levels = IntStream.rangeClosed(1, 50)
                .mapToObj(i -> new RunResult.Level(
                        i * 1_000_000_000L,
                        i < 30 ? Map.of("file GB", i / 2.0) : Map.of("file GB", 9.0, "live GB", 1.0)))
                .toList();
        SavedRun.saveRecord(directory, "one", 10, 50, levels);

        Map<String, List<List<Double>>> read = reader.read(directory).levels();
        assertThat(read).containsOnlyKeys("file GB", "live GB");
        assertThat(read.get("file GB"))
                .hasSize(17)
                .startsWith(List.of(2e9, 1.0), List.of(5e9, 2.5))
                .endsWith(List.of(50e9, 9.0));
        assertThat(read.get("live GB")).hasSize(7).startsWith(List.of(32e9, 1.0));
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> reader.read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(message)
                .hasMessageFindingMatch("; .*(delete|put it back|move it|cut off)")
                .hasMessageNotContaining("\n");
    }
}
