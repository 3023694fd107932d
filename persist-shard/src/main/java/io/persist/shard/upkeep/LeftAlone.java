package io.persist.shard.upkeep;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.ShardException;
import io.persist.shard.state.BatchState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches of which a merge has failed in a way that the next one would fail, too: up to what is damaged, or on a bad
 * block, it writes the same again each time, and what does not fit a version it writes in vain. Those before and behind
 * them are merged. One thread.
 */
final class LeftAlone {

    /** What is damaged may have been restored by then. */
    static final long DAMAGED_NS = TimeUnit.MINUTES.toNanos(1);

    /** They are as long as they are. */
    private static final long TOO_LONG_NS = Long.MAX_VALUE;

    /**
     * Why batches are left alone.
     *
     * @param inputs of the merge that has failed
     * @param found what it has failed with
     * @param sinceNs when that was
     * @param forNs for how long they are left alone
     */
    private record Failed(List<BatchState> inputs, ShardException found, long sinceNs, long forNs) {

        ShardException again() {
            String message = String.valueOf(found.getMessage());
            return found instanceof DamagedShardException
                    ? new DamagedShardException(message, found)
                    : new DeterminateException(message, found);
        }
    }

    private final LongSupplier nanoTime;
    private final List<Failed> all = new ArrayList<>();

    /** None yet; {@code nanoTime} says when what is damaged is worth another look. */
    LeftAlone(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** {@code inputs} are damaged, or could not be read. */
    void unreadable(List<BatchState> inputs, ShardException found) {
        all.add(new Failed(inputs, found, nanoTime.getAsLong(), DAMAGED_NS));
    }

    /** What {@code inputs} become is longer than a version may be. */
    void tooLong(List<BatchState> inputs, DeterminateException found) {
        all.add(new Failed(inputs, found, nanoTime.getAsLong(), TOO_LONG_NS));
    }

    /** Whether some are left alone for it. */
    @SuppressWarnings("ReferenceEquality") // the very failure
    boolean isFor(Throwable failure) {
        return all.stream().anyMatch(failed -> failed.found() == failure);
    }

    /** Those that could not be read, and are not damaged, are worth another look. */
    void forgetUnreadable() {
        all.removeIf(failed -> failed.forNs() == DAMAGED_NS && !(failed.found() instanceof DamagedShardException));
    }

    /** All are worth another look. */
    void clear() {
        all.clear();
    }

    /**
     * Forgets those whose time is over. To be called before upkeep merges and not in the middle: two groups that are
     * read for longer than that until they fail would be tried in turn without an end.
     */
    void forgetOld() {
        long nowNs = nanoTime.getAsLong();
        all.removeIf(failed -> nowNs - failed.sinceNs() >= failed.forNs());
    }

    /** Forgets those of which others have changed some. */
    private void forgetChanged(List<BatchState> batches) {
        all.removeIf(failed -> !batches.containsAll(failed.inputs()));
    }

    /** Of {@code batches} those before, between and behind those that are left alone, the newest first. */
    List<List<BatchState>> others(List<BatchState> batches) {
        forgetChanged(batches);
        if (all.isEmpty()) {
            return List.of(batches);
        }
        Set<BatchState> left = new HashSet<>();
        all.forEach(failed -> left.addAll(failed.inputs()));
        List<List<BatchState>> others = new ArrayList<>();
        int end = batches.size();
        for (int at = batches.size() - 1; at >= -1; at--) {
            if (at < 0 || left.contains(batches.get(at))) {
                others.add(batches.subList(at + 1, end));
                end = Math.max(0, at);
            }
        }
        return others;
    }

    /** Why some of {@code batches} are left alone, or null. */
    @Nullable
    ShardException why(List<BatchState> batches) {
        forgetChanged(batches);
        return all.isEmpty() ? null : all.get(0).again();
    }
}
