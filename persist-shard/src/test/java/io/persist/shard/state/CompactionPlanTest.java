package io.persist.shard.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Frontier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which batches are merged, and when it pays to wait. */
class CompactionPlanTest {

    private static final int RUNS = 16;

    /** A shard with batches of so many updates each, one time each. */
    private static ShardState state(Frontier since, int... updates) {
        return state(since, 1, updates);
    }

    /** The same with so many runs in each batch. */
    private static ShardState state(Frontier since, int runs, int... updates) {
        List<BatchState> batches = new ArrayList<>();
        for (int time = 0; time < updates.length; time++) {
            BatchPart part = new BatchPart("o" + time, null, 1 << 20, updates[time], 0);
            batches.add(new BatchState(
                    Frontier.at(time),
                    Frontier.at(time + 1),
                    Frontier.MINIMUM,
                    Collections.nCopies(runs, List.of(part))));
        }
        return ShardState.create("s1", "k", "v")
                .withUpper(Frontier.at(updates.length), batches)
                .withReaders(readers -> readers.put("r1", new ReaderState(since, 1, 1, 1)));
    }

    private static int[] even(int count) {
        int[] updates = new int[count];
        java.util.Arrays.fill(updates, 10_000);
        return updates;
    }

    /** The first and the last of the batches that are merged, or nothing. */
    private static List<Long> merged(CompactionPlan plan) {
        List<BatchState> inputs = plan.inputs();
        return inputs.isEmpty()
                ? List.of()
                : List.of(
                        inputs.get(0).lower().time(),
                        inputs.get(inputs.size() - 1).lower().time());
    }

    @Test
    void shouldMergeAtOnceWhatIsWorthIt() {
        assertThat(merged(CompactionPlan.of(state(Frontier.MINIMUM, even(3)), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.of(state(Frontier.MINIMUM, even(4)), RUNS)))
                .containsExactly(0L, 3L);
        assertThat(merged(CompactionPlan.of(state(Frontier.MINIMUM, even(20)), RUNS)))
                .containsExactly(4L, 19L);
    }

    @Test
    void shouldWaitForALargeMergeOfWhatWasRead() {
        Frontier all = Frontier.at(30);
        assertThat(merged(CompactionPlan.whileWritten(state(all, even(15)), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.whileWritten(state(all, even(16)), RUNS)))
                .containsExactly(0L, 15L);
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.at(15), even(20)), RUNS)))
                .containsExactly(0L, 15L); // those up to time 15 are read
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.at(14), even(20)), RUNS)))
                .isEmpty();
    }

    /** A reader of all batches has a part of each in memory. */
    @Test
    void shouldNotWaitForAReaderThatStaysBehind() {
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.MINIMUM, even(23)), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.MINIMUM, even(24)), RUNS)))
                .containsExactly(8L, 23L);
    }

    /** Four of them have too many runs for one merge, three too few updates beside the largest. */
    @Test
    void shouldMergeABatchOfManyRunsByItself() {
        assertThat(merged(CompactionPlan.of(state(Frontier.MINIMUM, 2, even(1)), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.of(state(Frontier.MINIMUM, 5, even(20)), RUNS)))
                .containsExactly(0L, 0L);
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.at(30), 5, even(16)), RUNS)))
                .containsExactly(0L, 0L);
        for (int most = 8; most <= 64; most++) {
            for (int runs = 1; runs <= most; runs++) {
                assertThat(CompactionPlan.of(state(Frontier.MINIMUM, runs, even(20)), most)
                                .inputs())
                        .as(runs + " runs each, " + most + " in a merge")
                        .isNotEmpty();
            }
        }
    }

    @Test
    void shouldMergeNothingThatNobodyCanRead() {
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.EMPTY, even(40)), RUNS)))
                .isEmpty();
    }
}
