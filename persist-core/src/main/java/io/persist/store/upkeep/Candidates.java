package io.persist.store.upkeep;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.MappedCrc;
import io.persist.store.state.EntryCursor;
import java.nio.ByteBuffer;

/**
 * Entries of a segment that are to be moved if they are still needed when their turn comes, first in, first out. Those
 * that were taken out can be put back until it is cleared.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
final class Candidates {

    private final MappedCrc crc = new MappedCrc();
    private final long[] positions;
    private final int[] keyIndexes;
    private final int[] keyLengths;
    private final int[] valueLengths;
    private final boolean[] whole;
    private int first;
    private int count;
    private int bytes;

    /** Room for {@code most} entries. */
    Candidates(int most) {
        this.positions = new long[most];
        this.keyIndexes = new int[most];
        this.keyLengths = new int[most];
        this.valueLengths = new int[most];
        this.whole = new boolean[most];
    }

    /** Adds the current entry, whose bytes are read. There has to be room. */
    void add(EntryCursor entry) {
        positions[count] = entry.position();
        keyIndexes[count] = entry.keyIndex();
        keyLengths[count] = entry.keyLength();
        valueLengths[count] = entry.valueLength();
        whole[count] = entry.isWhole(crc);
        bytes += TransactionLayout.entryLength(entry.keyLength(), entry.valueLength());
        count++;
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

    /** Copies the key of the first one out of {@code view}. */
    void key(ByteBuffer view, KeyBuffer target) {
        target.set(view, keyIndexes[first], keyLengths[first]);
    }

    int keyIndex() {
        return keyIndexes[first];
    }

    int keyLength() {
        return keyLengths[first];
    }

    int valueLength() {
        return valueLengths[first];
    }

    /** Whether the first one has the checksum that it was written with. */
    boolean isWhole() {
        return whole[first];
    }
}
