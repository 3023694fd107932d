package io.persist.peers.state.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Command;
import io.persist.command.Run;
import io.persist.jmh.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison's tables have a whole row for each engine, and its files go. */
class StateComparisonTest {

    @TempDir
    Path directory;

    private Run run(String arguments) {
        System.setProperty(ScratchDirectory.PARENT_PROPERTY, directory.toString());
        try {
            return Run.of(new StateComparison(), arguments.split(" "));
        } finally {
            System.clearProperty(ScratchDirectory.PARENT_PROPERTY);
        }
    }

    @Test
    void shouldPrintARowForEachEngineAndDeleteItsFiles() throws IOException {
        Run run = run("--values 50 --keys 200 --tail-mib 1 --rounds 2 --rate 100000 --durability buffered"
                + " --workflow 5x50x10 --timers stepByStep");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        List<String[]> rows = rows(run.out(), "| 50 |");
        assertThat(rows).hasSize(2 * 3 + 2);
        assertThat(rows).allSatisfy(row -> assertThat(row).hasSizeGreaterThanOrEqualTo(8));
        rows.subList(6, 8)
                .forEach(row -> assertThat(Arrays.stream(row).skip(9).map(String::trim))
                        .as("space and seconds")
                        .allSatisfy(cell -> assertThat(Double.parseDouble(cell)).isPositive()));
        List<String[]> workflows = rows(run.out(), "| STORE |", "| ROCKSDB |");
        assertThat(workflows).hasSize(2).allSatisfy(row -> assertThat(row).hasSize(1 + 21));
        assertThat(run.out()).contains("timers stepByStep in steps of ");
        assertThat(run.out()).containsPattern("STORE: [0-9.]+ times as many task runs");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldCompareOnlyWhatItIsAskedFor() {
        Run run = run("--parts recovery --engines store --values 10,20 --keys 3 --tail-mib 0 --durability buffered");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(rows(run.out(), "| 10 |", "| 20 |"))
                .hasSize(2 * 3)
                .allSatisfy(row -> assertThat(row).contains(" STORE "));
        assertThat(run.out()).contains("| 0 MiB |").doesNotContain("ROCKSDB", "overwrites/s", "task runs/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--repeats 0 | --repeats 0 is out of range; ",
                "--values 100,-1 | --values -1 is out of range; ",
                "--values -16 | --values -16 is out of range; ",
                "--keys 0 | --keys 0 is out of range; ",
                "--live-mib 0 | --live-mib 0 is out of range; ",
                "--tail-mib -1 | --tail-mib -1 is out of range; ",
                "--rounds 0 | --rounds 0 is out of range; ",
                "--rate -1 | --rate -1 is out of range; ",
                "--compaction-mib 0 | --compaction-mib 0 is out of range; ",
                "--clock-rate -1 | --clock-rate -1 is out of range; ",
                "--commit-every 0 | --commit-every 0 is out of range; ",
                "--timer-step 0 | --timer-step 0 is out of range; ",
                "--timers never | --timers never is none of allAtOnce, stepByStep, openScan; ",
                "--workflow 5x5 | --workflow 5x5 is not a size; ",
                "--fast | unknown flag --fast; "
            })
    void shouldSayWhatIsWrongInOneLine(String arguments, String message) {
        Run run = run(arguments);

        assertThat(run.code()).isEqualTo(Command.USAGE);
        assertThat(run.err()).startsWith("persist compare-rocksdb: " + message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldHaveATailOfMoreThanAnIntCanSay() {
        ComparisonSettings settings = new ComparisonSettings();
        settings.tailMiB = 2048;
        settings.validate();

        assertThat(settings.tailLength()).isEqualTo(1L << 31);
    }

    @Test
    void shouldSayInOneLineWhatFails() throws IOException {
        directory = Files.createFile(directory.resolve("file"));
        Run run = run("--parts recovery --values 10 --keys 3");

        assertThat(run.code()).isEqualTo(Command.FAILED);
        assertThat(run.err())
                .startsWith("persist compare-rocksdb: ")
                .contains("file")
                .hasLineCount(1);
    }

    @Test
    void shouldListItsFlags() {
        Run run = run("-h");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("--tail-mib MIB", "allAtOnce", "Exit code:");
    }

    private static List<String[]> rows(String printed, String... beginnings) {
        return printed.lines()
                .filter(line -> Arrays.stream(beginnings).anyMatch(line::startsWith))
                .map(line -> line.split("\\|"))
                .toList();
    }
}
