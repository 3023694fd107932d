package io.persist.shard.state;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which objects of the blob nobody needs. */
public final class Collection {

    private Collection() {}

    /** Garbage that no reader can be reading: each holds a version that has been without it. */
    public static Set<String> deletable(ShardState state) {
        long least = state.leastHold();
        Set<String> found = new HashSet<>();
        for (Map.Entry<String, Long> entry : state.garbage().entrySet()) {
            if (entry.getValue() <= least) {
                found.add(entry.getKey());
            }
        }
        return Collections.unmodifiableSet(found);
    }

    /** The objects of the batches: those that a reader of all needs. */
    public static Set<String> named(ShardState state) {
        Set<String> named = new HashSet<>();
        state.batches().forEach(batch -> named.addAll(batch.objects()));
        return named;
    }

    /**
     * Of objects that were listed before {@code state} was read: those that no state names and none will, since the
     * writer that has made them is gone.
     *
     * @param isOwned whether the writer of an object is registered
     */
    public static List<String> orphans(ShardState state, List<String> listed, Predicate<String> isOwned) {
        Set<String> found = new LinkedHashSet<>();
        for (String object : listed) {
            if (!state.garbage().containsKey(object) && !isOwned.test(object)) {
                found.add(object);
            }
        }
        removeNamed(state, found);
        return List.copyOf(found);
    }

    /** From the newest batch back: what was appended a moment ago is found at once. */
    private static void removeNamed(ShardState state, Set<String> objects) {
        for (int i = state.batches().size() - 1; i >= 0; i--) {
            for (List<BatchPart> run : state.batches().get(i).runs()) {
                for (BatchPart part : run) {
                    if (objects.isEmpty()) {
                        return;
                    }
                    objects.remove(part.object());
                }
            }
        }
    }
}
