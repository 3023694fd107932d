package io.persist.peers.state.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.peers.state.SortedMapEngine;
import io.persist.peers.state.StateEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rounds of the workload leave is what arithmetic says, and a digest finds out what differs. */
class WorkflowStateTest {

    private static final WorkflowSize SIZE = new WorkflowSize(5, 40, 12);

    private static WorkflowPlan plan(int clockRate) {
        return new WorkflowPlan(SIZE, clockRate, 1, TimerPunctuator.Pace.OPEN_SCAN, 7);
    }

    /** Runs the rounds; returns how many timers they have deleted. */
    private static long grow(StateEngine engine, WorkflowPlan plan, int rounds) {
        long deleted = 0;
        long liveBytes = 0;
        for (int i = 0; i < rounds; i++) {
            WorkflowRun run = new WorkflowRun(engine, plan.inRound(i));
            run.run(done -> {});
            deleted += run.deletedTimers();
            liveBytes += run.liveBytes();
            assertThat(liveBytes).as("live bytes").isEqualTo(digest(engine).bytes());
        }
        return deleted;
    }

    private static StateDigest digest(StateEngine engine) {
        return StateDigest.of(engine, WorkflowState.maxValueLength(SIZE));
    }

    /** The clock's rates are such that timers are deleted never, within a round, and between rounds. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 4", "2, 5", "3, 4", "7, 6", "1000, 3"})
    void shouldBeWhatRoundsLeave(int clockRate, int rounds) {
        SortedMapEngine engine = new SortedMapEngine();
        long deleted = grow(engine, plan(clockRate), rounds);

        StateDigest expected = StateDigest.of(new WorkflowState(plan(clockRate), rounds));
        assertThat(digest(engine)).hasToString(expected.toString());
        long windows = count(plan(clockRate), rounds, WorkflowKeys.WINDOW);
        long taskRuns = rounds * SIZE.taskRuns();
        assertThat(expected.entries()).isEqualTo(rounds * 5L + 2 * taskRuns - deleted + windows);
        assertThat(engine.deletesInScans()).isEqualTo(deleted);
        assertThat(deleted > 0).isEqualTo(clockRate < 1000);
    }

    private static long count(WorkflowPlan plan, int rounds, String prefix) {
        long[] count = {0};
        new WorkflowState(plan, rounds).forEach((key, keyLength, value, valueLength) -> {
            count[0] += WorkflowKeys.hasPrefix(key, keyLength, prefix) ? 1 : 0;
        });
        return count[0];
    }

    @Test
    void shouldHaveEachKeyOnceAndOtherWorkflowsInEachRound() {
        List<String> keys = new ArrayList<>();
        new WorkflowState(plan(2), 3)
                .forEach((key, keyLength, value, valueLength) ->
                        keys.add(new String(key, 0, keyLength, StandardCharsets.US_ASCII)));

        assertThat(new HashSet<>(keys)).hasSameSizeAs(keys);
        assertThat(keys)
                .filteredOn(key -> key.startsWith(WorkflowKeys.WORKFLOW))
                .hasSize(3 * 5);
        assertThat(keys)
                .filteredOn(key -> key.startsWith(WorkflowKeys.TASK_RUN))
                .hasSize(3 * 5 * 12);
    }

    @Test
    void shouldKnowTheBytesOfARound() {
        assertThat(WorkflowState.bytesPerRound(new WorkflowSize(1000, 1000, 1000)))
                .isEqualTo(1000 * (49 + 68) + 1_000_000L * (53 + 88 + 1000));
        long[] bytes = {0};
        new WorkflowState(plan(2), 3).forEach((key, keyLength, value, valueLength) -> {
            boolean isCounted = WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.WORKFLOW)
                    || WorkflowKeys.hasPrefix(key, keyLength, WorkflowKeys.TASK_RUN);
            bytes[0] += isCounted ? keyLength + valueLength : 0;
        });
        assertThat(bytes[0]).isEqualTo(3 * WorkflowState.bytesPerRound(SIZE));
    }

    @Test
    void shouldFindOutWhatDiffers() {
        StateDigest expected = StateDigest.of(new WorkflowState(plan(2), 1));
        SortedMapEngine engine = new SortedMapEngine();
        grow(engine, plan(2), 1);
        byte[] value = new byte[WorkflowState.maxValueLength(SIZE)];
        byte[] one = new WorkflowKeys(SIZE).taskRun(1, 3).clone();
        engine.get(one, value);
        value[value.length - 1]++;
        engine.put(one, value.clone());
        engine.commit();
        assertThatThrownBy(() -> digest(engine).require(expected, "now"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the state is not what it should be now: found entries=")
                .hasMessageContaining("expected " + expected);

        value[value.length - 1]--;
        engine.put(one, value.clone());
        engine.commit();
        digest(engine).require(expected, "now");

        // The values of two keys in each other's place.
        byte[] other = new WorkflowKeys(SIZE).taskRun(2, 3).clone();
        byte[] otherValue = new byte[value.length];
        engine.get(other, otherValue);
        engine.put(one, otherValue);
        engine.put(other, value);
        engine.commit();
        assertThat(digest(engine).bytes()).isEqualTo(expected.bytes());
        assertThatThrownBy(() -> digest(engine).require(expected, "now")).hasMessageContaining("checksum=");
    }
}
