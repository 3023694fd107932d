package io.persist.peers.state.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.log.Durability;
import io.persist.peers.state.StateEngineKind;
import io.persist.peers.state.workflow.StateDigest;
import io.persist.peers.state.workflow.TimerPunctuator;
import io.persist.peers.state.workflow.WorkflowKeys;
import io.persist.peers.state.workflow.WorkflowPlan;
import io.persist.peers.state.workflow.WorkflowSize;
import io.persist.peers.state.workflow.WorkflowState;
import io.persist.peers.trial.process.ChildFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine ends with the state that it should have, before and after it is restored, and leaves no files. */
class GrowthRunTest {

    /** What {@link WorkflowProgramTest} has a StoreLogger do, too. */
    static final WorkflowSize SIZE = new WorkflowSize(10, 100, 8);

    static final int ROUNDS = 3;
    static final int CLOCK_RATE = 4;

    @TempDir
    Path directory;

    private final List<String> news = new ArrayList<>();

    /** What each engine ends with. */
    static StateDigest expected() {
        WorkflowPlan plan = new WorkflowPlan(SIZE, CLOCK_RATE, 1, TimerPunctuator.Pace.OPEN_SCAN, 30);
        return StateDigest.of(new WorkflowState(plan, ROUNDS));
    }

    private static GrowthSpec spec(Path files) {
        return new GrowthSpec(
                "any",
                StateEngineKind.ROCKSDB,
                files.toString(),
                Durability.FLUSHED,
                SIZE,
                ROUNDS,
                CLOCK_RATE,
                10,
                30,
                30_000,
                true);
    }

    @Test
    void shouldEndWithTheStateThatItShouldHave() throws IOException, InterruptedException {
        Path files = Files.createDirectory(directory.resolve("files"));
        GrowthResult result = new GrowthRun(spec(files), news::add).run(directory.resolve("latencies.hlog"));

        assertThat(files).isEmptyDirectory();
        check(result);
        assertThat(result.library()).startsWith("RocksDB ");
        assertThat(result.space()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(result.scans().stream()
                        .mapToLong(GrowthWatch.TimerScan::deleted)
                        .sum())
                .isEqualTo(ROUNDS * 80L + 30 - (expected().entries() - ROUNDS * 80L) + windows());
        assertThat(news)
                .anyMatch(line -> line.startsWith("round 3 of 3: "))
                .anyMatch(line -> line.matches("Completed range scan and deleted \\d+ entries in \\d+ milliseconds"));
    }

    private static long windows() {
        long[] count = {0};
        WorkflowPlan plan = new WorkflowPlan(SIZE, CLOCK_RATE, 1, TimerPunctuator.Pace.OPEN_SCAN, 30);
        new WorkflowState(plan, ROUNDS)
                .forEach((key, keyLength, value, valueLength) ->
                        count[0] += WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.WINDOW) ? 1 : 0);
        return count[0];
    }

    /** What holds for every engine. */
    static void check(GrowthResult result) {
        StateDigest expected = expected();
        long taskRuns = ROUNDS * SIZE.taskRuns();
        assertThat(result.end().checksum()).isEqualTo(expected.checksum());
        assertThat(result.end().entries()).isEqualTo(expected.entries());
        assertThat(result.restored().checksum()).isEqualTo(expected.checksum());
        assertThat(result.restored().entries()).isEqualTo(expected.entries());
        assertThat(result.restored().finishedMs())
                .isGreaterThanOrEqualTo(result.restored().startedMs());
        assertThat(result.taskRuns()).isEqualTo(taskRuns);
        assertThat(result.rounds()).hasSize(ROUNDS);
        assertThat(result.rounds().get(ROUNDS - 1).liveBytes()).isEqualTo(expected.bytes());
        assertThat(result.rounds()).allMatch(round -> round.fileBytes() > 0 && round.longestMs() > 0);
        assertThat(result.windows().stream()
                        .mapToLong(each -> each.totalTaskStarts)
                        .sum())
                .isEqualTo(taskRuns);
        assertThat(result.windows().stream()
                        .mapToLong(each -> each.totalTaskCompletes)
                        .sum())
                .isEqualTo(taskRuns);
        assertThat(result.seconds().stream()
                        .mapToLong(GrowthWatch.Second::taskRuns)
                        .sum())
                .isEqualTo(taskRuns);
    }

    @Test
    void shouldKillTheProcessWhenTheUserWantsToEnd() {
        List<ProcessHandle> others = ProcessHandle.current().children().toList(); // about to die
        GrowthProcess processes = new GrowthProcess(new WorkflowFlags(), directory, () -> true);

        assertThatThrownBy(() -> processes.run(GrowthEngine.PERSIST, directory.resolve("latencies.hlog"), news::add))
                .isInstanceOf(ChildFailure.class)
                .hasMessage("interrupted");
        assertThat(ProcessHandle.current().children().filter(child -> !others.contains(child)))
                .isEmpty();
        assertThat(directory).isEmptyDirectory();
    }
}
