package io.persist.store.state;

import io.persist.store.staged.StagedKeys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of single keys that do not change. A lookup makes no object of the key that is looked up: each commit
 * makes some, behind its append, where an error would end the store.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none after the constructor.
 */
final class WatchedKeys {

    /** Two to four for each key. */
    private final byte[] @Nullable [] slots;

    private final boolean isEmpty;

    /** Each of {@code keys} is all of its array. */
    WatchedKeys(Set<ByteBuffer> keys) {
        isEmpty = keys.isEmpty();
        slots = new byte[Integer.highestOneBit(Math.max(1, keys.size())) << 2][];
        for (ByteBuffer key : keys) {
            byte[] bytes = key.array();
            slots[slot(bytes, 0, bytes.length)] = bytes;
        }
    }

    boolean isEmpty() {
        return isEmpty;
    }

    /** Whether the key in {@code [from, to)} of {@code array} is one of them. */
    boolean has(byte[] array, int from, int to) {
        return !isEmpty && slots[slot(array, from, to)] != null;
    }

    /** The slot of a key: the one that it has, or a free one. */
    private int slot(byte[] array, int from, int to) {
        int slot = StagedKeys.hash(array, from, to - from) & (slots.length - 1);
        byte[] there = slots[slot];
        while (there != null && !Arrays.equals(there, 0, there.length, array, from, to)) {
            slot = (slot + 1) & (slots.length - 1);
            there = slots[slot];
        }
        return slot;
    }
}
