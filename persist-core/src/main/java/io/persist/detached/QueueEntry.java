package io.persist.detached;

import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One place in the queue. It belongs to the producer that claimed it until it publishes it, then to the writer thread
 * until that moves the queue's head past it.
 */
final class QueueEntry {

    private static final VarHandle PUBLISHED =
            FieldHandle.of(MethodHandles.lookup(), QueueEntry.class, "published", long.class);

    /** In place of the length of a record: the segment ends here. */
    static final int ROLL = -1;

    private static final byte[] NOTHING = new byte[0];

    /**
     * In place of entries that the queue has given up, and of one for which there is no need. A producer that is late
     * may find it in the queue by a plain load: so it is made with the class, and nobody writes to it, as no claim
     * succeeds any more.
     */
    static final QueueEntry NONE = new QueueEntry();

    private byte[] bytes = NOTHING;
    private int length;
    private boolean startsCommit;
    private long end;

    /** The end of the record that was published here last. Ends only grow, so a new one differs from an old one. */
    @SuppressWarnings("UnusedVariable") // read and written by its handle
    private long published;

    int capacity() {
        return bytes.length;
    }

    /** Replaces the memory by larger one. */
    void grow(byte[] larger) {
        bytes = larger;
    }

    /** Gives up memory that is longer than {@code keptLength}. */
    void shrink(int keptLength) {
        if (bytes.length > keptLength) {
            bytes = NOTHING;
        }
    }

    /** Begins a record of {@code newLength} bytes that will end at {@code newEnd}. */
    void begin(int newLength, long newEnd, boolean afterCommit) {
        length = newLength;
        end = newEnd;
        startsCommit = afterCommit;
    }

    void put(byte[] source, int offset) {
        System.arraycopy(source, offset, bytes, 0, length);
    }

    /** Gives the record to the writer thread. Pairs with {@link #isPublishedAfter}. */
    long publish() {
        long endOfRecord = end;
        PUBLISHED.setRelease(this, endOfRecord);
        return endOfRecord;
    }

    /** Whether there is a record that ends after {@code position}. Pairs with {@link #publish}. */
    boolean isPublishedAfter(long position) {
        return (long) PUBLISHED.getAcquire(this) > position;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Whether the segment ends here, and there is no record. */
    boolean isRoll() {
        return length == ROLL;
    }

    long end() {
        return end;
    }

    boolean startsCommit() {
        return startsCommit;
    }
}
