package io.persist.peers.state.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.Durability;
import io.persist.peers.state.workflow.WorkflowSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison's tables have a whole row for each engine, and its files go. */
class StateComparisonTest {

    @TempDir
    Path directory;

    @Test
    void shouldPrintARowForEachEngineAndDeleteItsFiles() throws IOException {
        ComparisonSettings settings = new ComparisonSettings();
        settings.values = List.of(50);
        settings.keys = 200;
        settings.tailMiB = 1;
        settings.rounds = 2;
        settings.rate = 100_000;
        settings.durability = Durability.BUFFERED;
        settings.workflow = new WorkflowSize(5, 50, 10);
        System.setProperty(ScratchDirectory.PARENT_PROPERTY, directory.toString());
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            StateComparison.run(settings);
        } finally {
            System.setOut(console);
            System.clearProperty(ScratchDirectory.PARENT_PROPERTY);
        }

        List<String[]> rows = rows(printed, "| 50 |");
        assertThat(rows).hasSize(2 * 3 + 2);
        assertThat(rows).allSatisfy(row -> assertThat(row).hasSizeGreaterThanOrEqualTo(8));
        rows.subList(6, 8)
                .forEach(row -> assertThat(Arrays.stream(row).skip(9).map(String::trim))
                        .as("space and seconds")
                        .allSatisfy(cell -> assertThat(Double.parseDouble(cell)).isPositive()));
        List<String[]> workflows = rows(printed, "| STORE |", "| ROCKSDB |");
        assertThat(workflows).hasSize(2).allSatisfy(row -> assertThat(row).hasSize(1 + 21));
        assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("STORE: [0-9.]+ times as many task runs");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAFlag() {
        ComparisonSettings settings = new ComparisonSettings();
        assertThat(settings.complaint()).isNull();
        settings.commitEvery = 0;
        assertThat(settings.complaint()).isEqualTo("--commit-every 0 is less than 1; give a number of commands");
        settings.timerStep = 0;
        settings.commitEvery = 1;
        assertThat(settings.complaint()).isEqualTo("--timer-step 0 is less than 1; give a number of timers");
        settings.clockRate = -1;
        assertThat(settings.complaint()).startsWith("--clock-rate -1 is less than 0");
    }

    private static List<String[]> rows(ByteArrayOutputStream printed, String... beginnings) {
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> Arrays.stream(beginnings).anyMatch(line::startsWith))
                .map(line -> line.split("\\|"))
                .toList();
    }
}
