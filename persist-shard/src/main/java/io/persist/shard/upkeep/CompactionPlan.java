package io.persist.shard.upkeep;

import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.RunLimit;
import io.persist.shard.state.ShardState;
import java.util.List;

/**
 * Which batches to merge next. Of the contiguous groups of at most {@value #LONGEST} batches those are worth it that
 * have {@value #BATCHES} batches or {@value #UPDATES} updates, none of which is most of it: so an update is moved some
 * logarithm of times. A batch whose updates did not come in order has many runs, and is merged by itself before that.
 * Where rows are long {@link RunLimit} lets groups be shorter.
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
     * @param limit how many runs may be merged at once
     * @return with no inputs if there is nothing to do
     */
    public static CompactionPlan of(ShardState state, RunLimit limit) {
        return of(state.batches(), limit);
    }

    /**
     * The same of a shard that is being written, where it pays to wait until there are as many batches as one merge
     * takes: the fewer merges, the less is written again. Only those are merged that all readers have read, so that all
     * of their times become since and are summed, and no reader looks for its updates among older ones. If readers stay
     * behind, and half as many more are there, it is any batches: a reader of all has a part of each in memory.
     */
    public static CompactionPlan whileWritten(ShardState state, RunLimit limit) {
        List<BatchState> all = state.batches();
        long due = due(all, limit);
        if (all.size() < due || state.since().isEmpty()) {
            return new CompactionPlan(List.of());
        }
        Frontier read = Frontier.after(state.since().time());
        List<BatchState> settled =
                all.stream().filter(batch -> !read.isBelow(batch.upper())).toList();
        CompactionPlan plan = of(settled.size() < due ? List.of() : settled, limit);
        boolean isUrgent = plan.inputs().isEmpty() && all.size() >= due + due / 2;
        return isUrgent ? of(all, limit) : plan;
    }

    /** How many batches one merge takes: as many as runs, and fewer if their rows are long. */
    private static long due(List<BatchState> batches, RunLimit limit) {
        long runs = batches.stream().mapToLong(batch -> batch.runs().size()).sum();
        long counted = batches.stream().mapToLong(limit::countOf).sum();
        return counted == runs ? limit.runs() : Math.max(2, limit.runs() * runs / counted);
    }

    /**
     * If no group is worth it, the oldest batch of so many runs that no merge would take {@value #BATCHES} of them. If
     * there is none, a group of batches of which no merge would take so many, as their rows are long.
     */
    private static CompactionPlan of(List<BatchState> batches, RunLimit limit) {
        Sizes sizes = Sizes.of(batches, limit);
        int most = Math.max(1, limit.runs() / BATCHES);
        for (int end = batches.size(); end > 1; end--) {
            int start = longest(sizes, end, limit);
            if (start < end) {
                return new CompactionPlan(batches.subList(start, end));
            }
        }
        for (int at = 0; at < batches.size(); at++) {
            if (batches.get(at).runs().size() > 1 && sizes.runs()[at] > most) {
                return new CompactionPlan(batches.subList(at, at + 1));
            }
        }
        for (int end = batches.size(); end > 1; end--) {
            int start = longestOfLongRows(sizes, end, limit, most);
            if (start < end) {
                return new CompactionPlan(batches.subList(start, end));
            }
        }
        return new CompactionPlan(List.of());
    }

    /**
     * Of each batch.
     *
     * @param updates how many it has
     * @param runs as how many its runs count
     */
    private record Sizes(long[] updates, long[] runs) {

        static Sizes of(List<BatchState> batches, RunLimit limit) {
            return new Sizes(
                    batches.stream().mapToLong(BatchState::updates).toArray(),
                    batches.stream().mapToLong(limit::countOf).toArray());
        }
    }

    private static int longest(Sizes sizes, int end, RunLimit limit) {
        int found = end;
        long total = 0;
        long largest = 0;
        long runs = 0;
        for (int start = end - 1; start >= Math.max(0, end - LONGEST); start--) {
            total += sizes.updates[start];
            largest = Math.max(largest, sizes.updates[start]);
            runs += sizes.runs[start];
            if (runs > limit.runs()) {
                break;
            }
            if (isWorth(end - start, total, largest)) {
                found = start;
            }
        }
        return found;
    }

    /**
     * The longest group up to {@code end} that one merge takes, or two batches, if a row of it is so long that it has
     * to be a short group: one whose oldest batch is at most twice the others. Without such a group each batch is more
     * than twice the next one: so they are some logarithm of what there is.
     */
    private static int longestOfLongRows(Sizes sizes, int end, RunLimit limit, int most) {
        int found = end;
        long behind = 0;
        long runs = 0;
        boolean hasLongRows = false;
        for (int start = end - 1; start >= Math.max(0, end - LONGEST); start--) {
            runs += sizes.runs[start];
            hasLongRows |= sizes.runs[start] > most;
            if (end - start > 2 && runs > limit.runs()) {
                break;
            }
            if (end - start > 1 && hasLongRows && sizes.updates[start] <= 2 * behind) {
                found = start;
            }
            behind += sizes.updates[start];
        }
        return found;
    }

    private static boolean isWorth(int batches, long updates, long largest) {
        boolean byBatches = batches >= BATCHES && (updates < UPDATES || 2 * largest <= updates);
        boolean byUpdates = batches >= 2 && updates >= UPDATES && 4 * largest <= updates;
        return byBatches || byUpdates;
    }
}
