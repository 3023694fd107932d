package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Transitions that change how the updates are stored, and not what they are. */
public final class Merges {

    /** A transition drops or forgets not many more objects than this: their names are about a MiB. */
    public static final int MOST_NAMES = 10_000;

    private Merges() {}

    /**
     * Puts {@code merged} in the place of {@code inputs}, and their objects on the list of garbage.
     *
     * @param owner the writer that has made the objects of {@code merged}
     * @return whether it is done; if not, others have changed the inputs, or the owner's lease is over
     */
    public static Step<Boolean> replace(ShardState state, List<BatchState> inputs, BatchState merged, String owner) {
        if (state.batches().contains(merged)) {
            return new Step<>(state, true); // the outcome of an earlier attempt was not known
        }
        int first = state.batches().indexOf(inputs.get(0));
        boolean isThere = first >= 0
                && first + inputs.size() <= state.batches().size()
                && state.batches().subList(first, first + inputs.size()).equals(inputs);
        if (!isThere || !merged.objects().isEmpty() && !state.writers().containsKey(owner)) {
            return new Step<>(state, false);
        }
        List<BatchState> batches = new ArrayList<>(state.batches().subList(0, first));
        batches.add(merged);
        batches.addAll(
                state.batches().subList(first + inputs.size(), state.batches().size()));
        Set<String> kept = new HashSet<>(merged.objects());
        List<String> dropped = inputs.stream()
                .flatMap(batch -> batch.objects().stream())
                .filter(object -> !kept.contains(object))
                .toList();
        return new Step<>(discard(state.withUpper(state.upper(), batches), dropped), true);
    }

    /** Takes objects that were deleted off the list of garbage. */
    public static Step<Integer> forget(ShardState state, Set<String> objects) {
        int known = (int) objects.stream().filter(state.garbage()::containsKey).count();
        if (known == 0) {
            return new Step<>(state, 0);
        }
        return new Step<>(state.withGarbage(garbage -> garbage.keySet().removeAll(objects)), known);
    }

    /**
     * With an empty since nobody can read: all updates are garbage. Their names may be more than a version can have, so
     * the oldest come first; upkeep comes back for the others.
     */
    static ShardState dropUnreadable(ShardState state) {
        if (!hasUnreadable(state)) {
            return state;
        }
        List<String> objects = new ArrayList<>();
        List<BatchState> left = new ArrayList<>(state.batches());
        Frontier dropped = Frontier.MINIMUM;
        while (!left.isEmpty()
                && (objects.isEmpty() || objects.size() + left.get(0).objects().size() <= MOST_NAMES)) {
            objects.addAll(left.get(0).objects());
            dropped = left.remove(0).upper();
        }
        if (!dropped.isEmpty()) {
            left.add(0, BatchState.empty(Frontier.MINIMUM, dropped));
        }
        return discard(state.withUpper(state.upper(), left), objects);
    }

    /** Whether it has updates that nobody can read: a transition drops a part of them, and the next one goes on. */
    public static boolean hasUnreadable(ShardState state) {
        return state.since().isEmpty() && !state.batches().isEmpty() && !isHollow(state);
    }

    private static boolean isHollow(ShardState state) {
        return !state.upper().isEmpty()
                && state.batches().size() == 1
                && state.batches().get(0).runs().isEmpty();
    }

    /** The version that drops them is the one after {@code state}. */
    private static ShardState discard(ShardState state, List<String> objects) {
        if (objects.isEmpty()) {
            return state;
        }
        long dropped = state.version() + 1;
        return state.withGarbage(garbage -> objects.forEach(object -> garbage.put(object, dropped)));
    }
}
