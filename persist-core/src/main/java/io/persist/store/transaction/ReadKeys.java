package io.persist.store.transaction;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.state.StoreState;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys that a transaction has read, each with the place in the log that its value had. Each change has a place of
 * its own, which no other change ever gets; so a key whose value has the same place was not changed.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> some for each key.
 */
final class ReadKeys {

    /** The place of a key that was not there. */
    static final long ABSENT = -1;

    private final Map<ByteBuffer, Long> places = new HashMap<>();
    private final KeyBuffer key = new KeyBuffer();
    private final Location now = new Location();

    /** Set when two reads of one key saw different things: then there is no moment at which both are true. */
    private boolean isInconsistent;

    void add(byte[] read, long place) {
        Long before = places.putIfAbsent(ByteBuffer.wrap(read.clone()), place);
        isInconsistent |= before != null && before != place;
    }

    /** Whether all keys are as they were when they were read. Under the store's lock. */
    boolean areUnchanged(StoreState state) {
        if (isInconsistent) {
            return false;
        }
        for (Map.Entry<ByteBuffer, Long> read : places.entrySet()) {
            key.set(read.getKey(), 0, read.getKey().limit());
            long place = state.get(key, now) ? now.position() : ABSENT;
            if (place != read.getValue()) {
                return false;
            }
        }
        return true;
    }
}
