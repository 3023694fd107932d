package io.persist.store.staged;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A hash table over the keys that a transaction has changed one by one: where the last change of each is.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it had as many keys.
 */
public final class StagedKeys {

    static final int NONE = -1;

    private static final int INITIAL_SLOTS = 64;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long FX_FACTOR = 0x517cc1b727220a95L;
    private static final long MURMUR_FACTOR = 0xff51afd7ed558ccdL;

    /** The offset of a key's last change in the lower half, in the upper one the number of the transaction. */
    private long[] slots = new long[INITIAL_SLOTS];

    private int usedSlots;
    private int generation;

    /** Forgets all keys. */
    void clear() {
        usedSlots = 0;
        generation++;
        if (generation == 0) { // the numbers begin anew, so the old ones have to go
            Arrays.fill(slots, 0);
            generation = 1;
        }
    }

    /** Gives memory back, with the keys. */
    void shrink() {
        slots = new long[INITIAL_SLOTS];
        clear();
    }

    /** The offset in {@code changes} of the last change of a key, or {@link #NONE}. */
    int find(ByteBuffer changes, byte[] bytes, int offset, int keyLength) {
        int slot = slot(changes, bytes, offset, keyLength);
        return isUsed(slot) ? (int) slots[slot] : NONE;
    }

    /** Makes the change at {@code entry} the last one of its key; returns the one that was, or {@link #NONE}. */
    int put(ByteBuffer changes, int entry) {
        if (2 * (usedSlots + 1) > slots.length) {
            grow(changes);
        }
        int slot = slotOf(changes, entry);
        int before = isUsed(slot) ? (int) slots[slot] : NONE;
        take(slot, entry);
        return before;
    }

    private void take(int slot, int entry) {
        usedSlots += isUsed(slot) ? 0 : 1;
        slots[slot] = (long) generation << 32 | entry;
    }

    /** An error in here, as where the stack ends, changes nothing. */
    private void grow(ByteBuffer changes) {
        long[] larger = new long[2 * slots.length];
        for (long slot : slots) {
            if (isOfGeneration(slot)) {
                larger[freeSlot(larger, changes, (int) slot)] = slot;
            }
        }
        slots = larger;
    }

    /** For a key that is not in {@code larger}. */
    private int freeSlot(long[] larger, ByteBuffer changes, int entry) {
        int keyLength = TransactionLayout.keyLength(changes, entry);
        int slot = hash(changes.array(), keyIndex(entry), keyLength) & (larger.length - 1);
        while (isOfGeneration(larger[slot])) {
            slot = (slot + 1) & (larger.length - 1);
        }
        return slot;
    }

    private boolean isOfGeneration(long slot) {
        return (int) (slot >>> 32) == generation;
    }

    private boolean isUsed(int slot) {
        return isOfGeneration(slots[slot]);
    }

    private int slotOf(ByteBuffer changes, int entry) {
        int keyLength = TransactionLayout.keyLength(changes, entry);
        return slot(changes, changes.array(), keyIndex(entry), keyLength);
    }

    /** The slot of a key: the one that it has, or a free one. */
    private int slot(ByteBuffer changes, byte[] bytes, int offset, int keyLength) {
        int slot = hash(bytes, offset, keyLength) & (slots.length - 1);
        while (isUsed(slot)) {
            int entry = (int) slots[slot];
            int key = keyIndex(entry);
            int end = keyEnd(changes, entry);
            if (Arrays.equals(changes.array(), key, end, bytes, offset, offset + keyLength)) {
                return slot;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    /**
     * Numbers, dates and other keys that follow one another have to go to different slots, whatever bytes they differ
     * in: with 31 times each byte 2,048 numbers went to 503. Multiplies words as FxHash of Firefox does, and ends as
     * MurmurHash3 does.
     */
    public static int hash(byte[] bytes, int offset, int keyLength) {
        long hash = keyLength;
        int at = offset;
        int end = offset + keyLength;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            hash = (Long.rotateLeft(hash, 5) ^ (long) WORDS.get(bytes, at)) * FX_FACTOR;
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << Byte.SIZE | (bytes[at] & 0xFF);
        }
        hash = (Long.rotateLeft(hash, 5) ^ rest) * FX_FACTOR;
        hash = (hash ^ hash >>> 33) * MURMUR_FACTOR;
        return (int) (hash ^ hash >>> 33);
    }
}
