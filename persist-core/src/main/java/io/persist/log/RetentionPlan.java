package io.persist.log;

import java.util.List;

/**
 * What a {@link RetentionRule} would take away, and what it would take away if nothing held it. A plan is for the log
 * that has made it, and for no other.
 *
 * @param retired the segments that go, oldest first
 * @param held the segments that the rule names too, but that have to stay, with the reason: somebody needs them, or one
 *     cannot be read, and nothing after it goes
 */
public record RetentionPlan(List<Item> retired, List<Held> held) {

    /**
     * A sealed segment.
     *
     * @param file the name of its file
     * @param basePosition its first position
     * @param endPosition the position right after it
     * @param sealedAtMs wall clock at which it was sealed, ms since 1970; 0 if its header cannot be read
     */
    public record Item(String file, long basePosition, long endPosition, long sealedAtMs) {}

    /** A segment that stays, and why. */
    public record Held(Item segment, String why) {}

    /** Bytes that are given back. */
    public long bytes() {
        return retired.stream()
                .mapToLong(item -> item.endPosition() - item.basePosition())
                .sum();
    }
}
