package io.persist.store.state;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.store.staged.StagedChanges;
import io.persist.store.staged.StagedKeys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices whether one of some keys is changed; it cannot say whether one of them is in a range that is removed. It is a
 * hash table, in which a lookup makes no object of the key: each commit looks up some behind its append, where an error
 * would end the store.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none after the constructor.
 */
public final class KeyWatch extends RecentChanges.Watch {

    /** Two to four for each key. */
    private final byte[] @Nullable [] slots;

    /** For these, which do not change; each is all of its array. */
    public KeyWatch(Set<ByteBuffer> keys) {
        slots = new byte[Integer.highestOneBit(Math.max(1, keys.size())) << 2][];
        for (ByteBuffer key : keys) {
            byte[] bytes = key.array();
            slots[slot(bytes, 0, bytes.length)] = bytes;
        }
    }

    @Override
    Seen look(StagedChanges staged, int entry) {
        if (staged.removesRange(entry)) {
            return Seen.CANNOT_SAY;
        }
        int slot = slot(staged.array(), keyIndex(entry), keyEnd(staged.buffer(), entry));
        return slots[slot] == null ? Seen.NOTHING : Seen.CHANGE;
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
