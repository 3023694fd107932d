package io.persist.store.transaction;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.state.MovedPlaces;
import io.persist.store.state.StoreState;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * The keys that a transaction has read, each with the place in the log that its value had. Each change has a place of
 * its own, which no other change ever gets; so a key whose value has the same place was not changed. Nor was one whose
 * value was only moved there: it was put before it was read.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> some for each key.
 */
final class ReadKeys {

    /** The place of a key that was not there. */
    static final long ABSENT = -1;

    /** Where the value lay for the first read of a key, which saw all that was committed before {@code end}. */
    private record Read(long place, long end) {

        boolean hasFound() {
            return place != ABSENT;
        }

        /** Whether the key is as it was then, if its value lies at {@code now}: then all reads since have seen that. */
        boolean isStillSo(long now, MovedPlaces moved) {
            return now == place || hasFound() && now != ABSENT && moved.putBefore(now) <= end;
        }
    }

    private final Map<ByteBuffer, Read> reads = new HashMap<>();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();

    /** Set when a key was there in one read and not in another: then there is no moment at which both are true. */
    private boolean isInconsistent;

    /** {@code read}, which is kept, was read, by a thread that sees what is committed before {@code end}. */
    void add(byte[] read, long place, long end) {
        Read found = new Read(place, end);
        Read before = reads.putIfAbsent(ByteBuffer.wrap(read), found);
        isInconsistent |= before != null && before.hasFound() != found.hasFound();
    }

    /** How long it takes to look at them, in keys that are counted in a row. */
    long work() {
        return ScanCheck.KEYS_PER_SEARCH * reads.size();
    }

    /** All that were read. */
    Set<ByteBuffer> all() {
        return reads.keySet();
    }

    /** Whether all keys are as they were when they were read. Under the store's lock. */
    boolean areUnchanged(StoreState state) {
        boolean areUnchanged = !isInconsistent;
        for (Look look = look(); areUnchanged && look.hasNext(); ) {
            areUnchanged = look.next(state);
        }
        return areUnchanged;
    }

    /** Begins to look at all keys, some at a time. */
    Look look() {
        return new Look();
    }

    /** Goes over the keys, under the store's lock, which may be given back in between. */
    final class Look {

        private final Iterator<Map.Entry<ByteBuffer, Read>> left =
                reads.entrySet().iterator();

        boolean hasNext() {
            return left.hasNext();
        }

        /** Looks at some keys more, for no longer than others may wait; returns whether they are as they were. */
        boolean step(StoreState state) {
            boolean areUnchanged = !isInconsistent;
            state.step().begin();
            for (long done = 0; areUnchanged && hasNext() && done < StoreState.CHANGES_PER_STEP; done++) {
                long before = nodesRead(state);
                areUnchanged = next(state);
                state.step().count(1);
                done += StoreState.CHANGES_PER_READ * (nodesRead(state) - before);
            }
            return areUnchanged;
        }

        private static long nodesRead(StoreState state) {
            return state.index().budget().nodesRead();
        }

        /** Whether the next key is as it was when it was read. */
        private boolean next(StoreState state) {
            Map.Entry<ByteBuffer, Read> read = left.next();
            key.set(read.getKey(), 0, read.getKey().limit());
            long place = state.get(key, location) ? location.position() : ABSENT;
            return read.getValue().isStillSo(place, state.recent().moved());
        }
    }
}
