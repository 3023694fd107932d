package io.persist.index.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the chunks of a process are divided among its indexes: from what is known of each of them follows the part of
 * each, and from nothing else.
 *
 * <pre>
 * of all:
 *   most     the largest of what all may have usually, and of what one of them may have by its own bound
 *   fair     most / indexes, but 1 at least: what each may have when all want more
 *   least    to how many those that have more should come down: fair; or half of that, but 1 at least, if one
 *            that is being opened was refused a chunk and has as many as fair
 *   taken    how many they have
 *   waiting  those that wait, and have less than they are due
 *
 * of each, with its chunks:
 *   due      how many others should let it have: fair, or most if it is being opened; but not above its bound
 *   before   for how many that wait a free chunk is before it is for this one: those that wait longer, if this
 *            one waits. It counts among those only if it is being opened, or has less than least.
 *            Else it is behind all that wait: it is to give some, and takes only what none of them needs
 *   free     most - taken - before
 *   mayTake  it has reserved one, or has none at all, or free is above 0
 *   isWorthAsking  it mayTake, or it would begin to wait: it does not, and has less than it is due
 *   limit    how many it may have as others have them now: chunks + free, or chunks if free is below 0;
 *            but not below fair, nor above its bound
 *   goal     to how many it should come down: least, if it has more, a thread tends it, and there are less than
 *            taken and those that wait for one need; else 0
 * </pre>
 *
 * <p><b>Threads:</b> any; it never changes.
 */
final class ChunkDivision {

    /** What comes of an index, and when it may give chunks back. */
    enum Phase {
        /** It is being opened: there is no thread yet that could give chunks back. */
        OPENING,
        /** The same, and it was refused a chunk: it may have all that others can do without. */
        REFUSED,
        /** It is open, and a thread gives chunks back. */
        TENDED,
        /** It is open, and no thread does. */
        UNTENDED;

        boolean isOpening() {
            return this == OPENING || this == REFUSED;
        }
    }

    /**
     * What is known of an index.
     *
     * @param most how many chunks it may have by its own bound
     * @param chunks how many it has, those that are reserved included
     * @param reserved how many of them are reserved: nobody else gets them, and it has not taken them yet
     * @param waitsSince a number that is the lower the longer it waits for a chunk; 0 if it does not
     */
    record Facts(int most, int chunks, int reserved, Phase phase, long waitsSince) {}

    /** What follows for an index, as the table has it. */
    record Part(int before, int free, boolean mayTake, boolean isWorthAsking, int limit, int goal) {

        /** Of one that has not come yet. */
        static final Part NONE = new Part(0, 0, false, false, 0, 0);
    }

    private final int most;
    private final int fair;
    private final int least;
    private final int taken;
    private final int waiting;

    /** Since when those wait that count among those that wait; ascending. */
    private final long[] counting;

    /** Among these {@code indexes}, which may have {@code usual} chunks together unless one of them may have more. */
    ChunkDivision(int usual, List<Facts> indexes) {
        int largest = usual;
        int sum = 0;
        for (Facts index : indexes) {
            largest = Math.max(largest, index.most);
            sum += index.chunks;
        }
        most = largest;
        taken = sum;
        fair = Math.max(1, most / Math.max(1, indexes.size()));
        boolean isShort = false;
        for (Facts index : indexes) {
            isShort |= index.phase == Phase.REFUSED && index.chunks >= fair;
        }
        least = isShort ? Math.max(1, fair / 2) : fair;
        List<Facts> queue = new ArrayList<>();
        for (Facts index : indexes) {
            if (waits(index)) {
                queue.add(index);
            }
        }
        waiting = queue.size();
        counting = queue.stream()
                .filter(this::counts)
                .mapToLong(Facts::waitsSince)
                .sorted()
                .toArray();
    }

    /** How many chunks all may have together. */
    int most() {
        return most;
    }

    /** To how many those that have more should come down. */
    int least() {
        return least;
    }

    /** Whether this index, which is one of them, waits for a chunk that it is due. */
    boolean waits(Facts index) {
        return index.waitsSince > 0 && index.chunks < due(index);
    }

    private boolean counts(Facts index) {
        return waits(index) && (index.phase.isOpening() || index.chunks < least);
    }

    private int due(Facts index) {
        return Math.min(index.phase.isOpening() ? most : fair, index.most);
    }

    /** The part of this index, which is one of them. */
    Part part(Facts index) {
        int before = counts(index) ? Arrays.binarySearch(counting, index.waitsSince) : waiting;
        int free = most - taken - before;
        boolean mayTake = index.reserved > 0 || index.chunks == 0 || free > 0;
        boolean isWorthAsking = mayTake || !waits(index) && index.chunks < due(index);
        int limit = Math.min(index.most, Math.max(fair, index.chunks + Math.max(0, free)));
        boolean isToGive = index.phase == Phase.TENDED && index.chunks > least && taken + waiting > most;
        return new Part(before, free, mayTake, isWorthAsking, limit, isToGive ? least : 0);
    }
}
