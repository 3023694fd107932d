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

    private static final CompactionPlan NOTHING = new CompactionPlan(List.of());

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
     *
     * <p>Batches of many runs are not waited for: each is as much to read as several. Once there are as many runs as
     * one merge takes they are merged by themselves, those first that were read.
     */
    public static CompactionPlan whileWritten(ShardState state, RunLimit limit) {
        if (state.since().isEmpty()) {
            return NOTHING;
        }
        List<BatchState> all = state.batches();
        Frontier read = Frontier.after(state.since().time());
        List<BatchState> settled =
                all.stream().filter(batch -> !read.isBelow(batch.upper())).toList();
        List<BatchState> few = ofFewRuns(all, limit);
        long due = due(few, limit);
        if (ofFewRuns(settled, limit).size() >= due) {
            CompactionPlan plan = of(settled, limit);
            if (!plan.inputs().isEmpty()) {
                return plan;
            }
        }
        if (few.size() >= due + due / 2) {
            return of(all, limit);
        }
        long runs = all.stream().mapToLong(limit::countOf).sum();
        return runs < limit.runs() ? NOTHING : ofManyRuns(runs < 2L * limit.runs() ? settled : all, limit);
    }

    private static List<BatchState> ofFewRuns(List<BatchState> batches, RunLimit limit) {
        return batches.stream().filter(batch -> !hasManyRuns(batch, limit)).toList();
    }

    /** Whether it has so many runs that no merge would take {@value #BATCHES} such batches. */
    private static boolean hasManyRuns(BatchState batch, RunLimit limit) {
        return batch.runs().size() > 1 && limit.countOf(batch) > most(limit);
    }

    private static int most(RunLimit limit) {
        return Math.max(1, limit.runs() / BATCHES);
    }

    /** How many of these batches one merge takes: as many as runs, and fewer if they have several or long rows. */
    private static long due(List<BatchState> batches, RunLimit limit) {
        long counted = batches.stream().mapToLong(limit::countOf).sum();
        long taken = limit.runs() * (long) batches.size() / Math.max(1, counted);
        return Math.max(2, Math.min(limit.runs(), taken));
    }

    /**
     * If no group is worth it, the oldest batch of many runs. If there is none, a group of batches of which no merge
     * would take {@value #BATCHES}, as their rows are long.
     */
    private static CompactionPlan of(List<BatchState> batches, RunLimit limit) {
        Sizes sizes = Sizes.of(batches, limit);
        for (int end = batches.size(); end > 1; end--) {
            int start = longest(sizes, end, limit);
            if (start < end) {
                return new CompactionPlan(batches.subList(start, end));
            }
        }
        CompactionPlan single = ofManyRuns(batches, limit);
        if (!single.inputs().isEmpty()) {
            return single;
        }
        for (int end = batches.size(); end > 1; end--) {
            int start = longestOfLongRows(sizes, end, limit, most(limit));
            if (start < end) {
                return new CompactionPlan(batches.subList(start, end));
            }
        }
        return NOTHING;
    }

    /** The oldest batch of many runs, by itself. */
    private static CompactionPlan ofManyRuns(List<BatchState> batches, RunLimit limit) {
        return batches.stream()
                .filter(batch -> hasManyRuns(batch, limit))
                .findFirst()
                .map(batch -> new CompactionPlan(List.of(batch)))
                .orElse(NOTHING);
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
