package io.persist.store.upkeep;

import io.persist.store.state.LiveBytes;
import java.util.HashSet;
import java.util.Set;

/**
 * The segments that compaction leaves alone, each by where it begins. What keeps one of the first two kinds is a value
 * that is needed: once nothing in it is needed any more, it can go as any other.
 *
 * <p><b>Threads:</b> the one that has the store's lock.
 */
final class LeftAlone {

    /** Something in it cannot be read. */
    private final Set<Long> damaged = new HashSet<>();

    /** It has a value for which new segments are too short. */
    private final Set<Long> unmovable = new HashSet<>();

    /** It is empty, and so damaged that no placeholder can be made of it. */
    private final Set<Long> lasting = new HashSet<>();

    /** Whether the segment number {@code index} is one of them. */
    boolean has(LiveBytes live, int index) {
        long base = live.base(index);
        boolean isNeeded = live.live(index) != 0; // a wrong checkpoint may have it below 0, and that stays so
        boolean isKept = isNeeded && (damaged.contains(base) || unmovable.contains(base));
        return isKept || lasting.contains(base);
    }

    void addDamaged(long base) {
        damaged.add(base);
    }

    void addUnmovable(long base) {
        unmovable.add(base);
    }

    void addLasting(long base) {
        lasting.add(base);
    }

    /** Nothing in it is needed any more. */
    void remove(long base) {
        damaged.remove(base);
        unmovable.remove(base);
    }

    int damaged() {
        return damaged.size() + lasting.size();
    }

    int unmovable() {
        return unmovable.size();
    }
}
