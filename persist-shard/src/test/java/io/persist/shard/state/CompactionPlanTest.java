package io.persist.shard.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Frontier;
import io.persist.shard.upkeep.CompactionPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which batches are merged, and when it pays to wait. */
class CompactionPlanTest {

    private static final int ONE_RUN = 1 << 20;
    private static final RunLimit RUNS = new RunLimit(16, ONE_RUN, RunLimit.Memory.ROW);

    /** A shard with batches of so many updates each, one time each. */
    private static ShardState state(Frontier since, int... updates) {
        return state(since, 1, updates);
    }

    /** The same with so many runs in each batch. */
    private static ShardState state(Frontier since, int runs, int... updates) {
        return stateOfRows(ONE_RUN, since, runs, updates);
    }

    /** The same with a row of so many bytes in each part. */
    private static ShardState stateOfRows(int longest, Frontier since, int runs, int... updates) {
        List<BatchState> batches = new ArrayList<>();
        for (int time = 0; time < updates.length; time++) {
            BatchPart part = new BatchPart("o" + time, null, Math.max(ONE_RUN, longest), updates[time], longest, 0);
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

    private static RunLimit runs(int most) {
        return new RunLimit(most, ONE_RUN, RunLimit.Memory.ROW);
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
                assertThat(CompactionPlan.of(state(Frontier.MINIMUM, runs, even(20)), runs(most))
                                .inputs())
                        .as(runs + " runs each, " + most + " in a merge")
                        .isNotEmpty();
            }
        }
    }

    /** Each is as much to read as several: a merge of a batch by itself takes what is due by runs, not by batches. */
    @Test
    void shouldNotWaitForAsManyBatchesOfManyRunsAsAMergeTakesRuns() {
        Frontier all = Frontier.at(30);
        assertThat(merged(CompactionPlan.whileWritten(state(all, 15, even(1)), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.whileWritten(state(all, 15, even(2)), RUNS)))
                .containsExactly(0L, 0L);
    }

    /** Merged batches beside one that is not yet are not merged again before there are as many as a merge takes. */
    @Test
    void shouldNotMergeFewBatchesBecauseOneHasManyRuns() {
        List<BatchState> batches =
                new ArrayList<>(state(Frontier.MINIMUM, even(10)).batches());
        batches.addAll(state(Frontier.MINIMUM, 10, even(11)).batches().subList(10, 11));
        ShardState mixed = state(Frontier.at(30), even(1)).withUpper(Frontier.at(11), batches);
        assertThat(merged(CompactionPlan.whileWritten(mixed, RUNS))).containsExactly(10L, 10L);
        assertThat(merged(CompactionPlan.whileWritten(mixed.withUpper(Frontier.at(10), batches.subList(0, 10)), RUNS)))
                .isEmpty();
    }

    /** Several runs each: as many as one merge takes together. */
    @Test
    void shouldCountRunsOfBatchesThatHaveSome() {
        Frontier all = Frontier.at(30);
        assertThat(merged(CompactionPlan.whileWritten(state(all, 2, even(7)), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.whileWritten(state(all, 2, even(8)), RUNS)))
                .containsExactly(0L, 7L);
    }

    /** Eight of them would need more memory than a merge has. */
    @Test
    void shouldMergeFewerWhoseRowsAreLong() {
        int third = 5 * ONE_RUN;
        assertThat(merged(CompactionPlan.of(stateOfRows(third, Frontier.MINIMUM, 1, 2, 2, 2, 2, 2), RUNS)))
                .containsExactly(2L, 4L);
        assertThat(merged(CompactionPlan.of(stateOfRows(third, Frontier.MINIMUM, 1, even(20)), RUNS)))
                .containsExactly(17L, 19L);
        assertThat(merged(CompactionPlan.of(stateOfRows(third, Frontier.MINIMUM, 1, 60, 18, 6, 2), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.whileWritten(stateOfRows(third, Frontier.at(30), 1, 2, 2), RUNS)))
                .isEmpty();
        assertThat(merged(CompactionPlan.whileWritten(stateOfRows(third, Frontier.at(30), 1, 2, 2, 2), RUNS)))
                .containsExactly(0L, 2L);
    }

    /** A merge of less than two is none, however long the rows are; and of two runs in one batch it is one. */
    @Test
    void shouldMergeTwoOfAnyLength() {
        int whole = 20 * ONE_RUN;
        assertThat(merged(CompactionPlan.of(stateOfRows(whole, Frontier.MINIMUM, 1, 2, 2, 2), RUNS)))
                .containsExactly(1L, 2L);
        assertThat(merged(CompactionPlan.of(stateOfRows(whole, Frontier.MINIMUM, 2, 2), RUNS)))
                .containsExactly(0L, 0L);
        assertThat(merged(CompactionPlan.of(stateOfRows(whole, Frontier.MINIMUM, 1, 2), RUNS)))
                .isEmpty();
    }

    @Test
    void shouldMergeNothingThatNobodyCanRead() {
        assertThat(merged(CompactionPlan.whileWritten(state(Frontier.EMPTY, even(40)), RUNS)))
                .isEmpty();
    }
}
