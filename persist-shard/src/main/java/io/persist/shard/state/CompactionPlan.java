package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import java.util.List;

/**
 * Which batches to merge next. Of the contiguous groups of at most {@value #LONGEST} batches those are worth it that
 * have {@value #BATCHES} batches or {@value #UPDATES} updates, none of which is most of it: so an update is moved some
 * logarithm of times. A batch whose updates did not come in order has many runs, and is merged by itself before that.
 *
 * @param inputs contiguous batches, or one with too many runs
 */
public record CompactionPlan(List<BatchState> inputs) {

    private static final int BATCHES = 8;
    private static final long UPDATES = 1_024;
    private static final int LONGEST = 64;

    /** Keeps a copy. */
    public CompactionPlan {
        inputs = List.copyOf(inputs);
    }

    /**
     * The longest group that is worth it, of the newest ones.
     *
     * @param mostRuns how many runs may be merged at once
     * @return with no inputs if there is nothing to do
     */
    public static CompactionPlan of(ShardState state, int mostRuns) {
        return of(state.batches(), mostRuns);
    }

    /**
     * The same of a shard that is being written, where it pays to wait until there are as many batches as one merge
     * takes: the fewer merges, the less is written again. Only those are merged that all readers have read, so that all
     * of their times become since and are summed, and no reader looks for its updates among older ones. If readers stay
     * behind, and half as many more are there, it is any batches: a reader of all has a part of each in memory.
     */
    public static CompactionPlan whileWritten(ShardState state, int mostRuns) {
        List<BatchState> all = state.batches();
        if (all.size() < mostRuns || state.since().isEmpty()) {
            return new CompactionPlan(List.of());
        }
        Frontier read = Frontier.after(state.since().time());
        List<BatchState> settled =
                all.stream().filter(batch -> !read.isBelow(batch.upper())).toList();
        CompactionPlan plan = of(settled.size() < mostRuns ? List.of() : settled, mostRuns);
        boolean isUrgent = plan.inputs().isEmpty() && all.size() >= mostRuns + mostRuns / 2;
        return isUrgent ? of(all, mostRuns) : plan;
    }

    /** If no group is worth it, the oldest batch of so many runs that no merge would take {@value #BATCHES} of them. */
    private static CompactionPlan of(List<BatchState> batches, int mostRuns) {
        long[] updates = batches.stream().mapToLong(BatchState::updates).toArray();
        for (int end = batches.size(); end > 1; end--) {
            int start = longest(batches, updates, end, mostRuns);
            if (start < end) {
                return new CompactionPlan(batches.subList(start, end));
            }
        }
        int most = Math.max(1, mostRuns / BATCHES);
        return new CompactionPlan(batches.stream()
                .filter(batch -> batch.runs().size() > most)
                .limit(1)
                .toList());
    }

    private static int longest(List<BatchState> batches, long[] updates, int end, int mostRuns) {
        int found = end;
        long total = 0;
        long largest = 0;
        int runs = 0;
        for (int start = end - 1; start >= Math.max(0, end - LONGEST); start--) {
            total += updates[start];
            largest = Math.max(largest, updates[start]);
            runs += batches.get(start).runs().size();
            if (runs > mostRuns && end - start > 2) {
                break;
            }
            if (isWorth(end - start, total, largest)) {
                found = start;
            }
        }
        return found;
    }

    static boolean isWorth(int batches, long updates, long largest) {
        boolean byBatches = batches >= BATCHES && (updates < UPDATES || 2 * largest <= updates);
        boolean byUpdates = batches >= 2 && updates >= UPDATES && 4 * largest <= updates;
        return byBatches || byUpdates;
    }
}
