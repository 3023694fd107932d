package io.persist.store.upkeep;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.MappedCrc;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.EntryCursor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Entries of a segment that are to be moved if they are still needed when their turn comes, first in, first out. Those
 * that were taken out can be put back until it is cleared.
 *
 * <p>An entry is copied out of the segment once, and the copy is verified: a move gives it a checksum of its own, which
 * must not be one of other bytes. A turn may come minutes later, when the page is another one.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> until it has the length of what is added until it is cleared.
 */
final class Candidates {

    private static final int FIRST_LENGTH = 4096;

    private final MappedCrc crc = new MappedCrc();
    private final long[] positions;
    private final int[] entries;
    private final int[] keyLengths;
    private final int[] valueLengths;
    private final boolean[] whole;
    private ByteBuffer copies = newBuffer(FIRST_LENGTH);
    private int first;
    private int count;
    private int bytes;

    /** Room for {@code most} entries. */
    Candidates(int most) {
        this.positions = new long[most];
        this.entries = new int[most];
        this.keyLengths = new int[most];
        this.valueLengths = new int[most];
        this.whole = new boolean[most];
    }

    /** Adds the current entry, which is copied. There has to be room. */
    void add(EntryCursor entry) {
        int keyLength = entry.keyLength();
        int valueLength = entry.valueLength();
        ensureCapacity(TransactionLayout.entryLength(keyLength, valueLength));
        int length = TransactionLayout.ENTRY_HEADER_LENGTH + keyLength + valueLength;
        int checksum = entry.copyTo(copies.array(), bytes, length, crc);
        positions[count] = entry.position();
        entries[count] = bytes;
        keyLengths[count] = keyLength;
        valueLengths[count] = valueLength;
        whole[count] = TransactionLayout.checksum(copies, bytes) == checksum
                && TransactionLayout.keyLength(copies, bytes) == keyLength
                && TransactionLayout.valueLength(copies, bytes) == valueLength;
        bytes += TransactionLayout.entryLength(keyLength, valueLength);
        count++;
    }

    private void ensureCapacity(int length) {
        if (length > copies.capacity() - bytes) {
            ByteBuffer larger = newBuffer(Math.max(bytes + length, 2 * copies.capacity()));
            larger.put(0, copies, 0, bytes);
            copies = larger;
        }
    }

    private static ByteBuffer newBuffer(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    boolean isEmpty() {
        return first == count;
    }

    boolean isFull() {
        return count == positions.length;
    }

    /** Bytes that what was added since it was cleared takes in a transaction. */
    int bytes() {
        return bytes;
    }

    /** Takes the first one out. */
    void removeFirst() {
        first++;
    }

    /** How many were taken out. */
    int removed() {
        return first;
    }

    /** Puts those back that were taken out behind so many. */
    void putBackTo(int removed) {
        first = removed;
    }

    void clear() {
        first = 0;
        count = 0;
        bytes = 0;
    }

    /** Where the first one lies in the log. */
    long position() {
        return positions[first];
    }

    /** Copies the key of the first one. */
    void key(KeyBuffer target) {
        target.set(copies.array(), TransactionLayout.keyIndex(entries[first]), keyLengths[first]);
    }

    /** Whether it can be moved: {@code valueLength} is that of its value, and its bytes are what was written. */
    boolean isWhole(int valueLength) {
        return whole[first] && valueLength == valueLengths[first];
    }

    /** Whether there is room for the first one in {@code moves}. */
    boolean fits(StagedChanges moves) {
        return moves.fits(keyLengths[first], valueLengths[first]);
    }

    /** The bytes that the first one takes in a transaction. */
    int firstLength() {
        return TransactionLayout.entryLength(keyLengths[first], valueLengths[first]);
    }

    /** Adds the first one to {@code moves}. */
    void move(StagedChanges moves) {
        int key = TransactionLayout.keyIndex(entries[first]);
        moves.move(copies, key, keyLengths[first], valueLengths[first], positions[first]);
    }
}
