package io.persist.store.layer;

import io.persist.format.TransactionLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes that were read back from the log: of each the header of its entry and its key, and in place of what it
 * replaced where it lies in the log. Their values are left where they are.
 *
 * <p><b>Threads:</b> one at a time; it starts others that sort. <b>Allocation:</b> 24 bytes and the key for each
 * change, of which it has twice as much while it grows, and 4 bytes more.
 */
public final class ReplayedChanges {

    private static final int FIRST_LENGTH = 1 << 16;
    private static final int FIRST_CHANGES = 1 << 10;

    /** So many changes are sorted together, while the next ones are read. */
    private static final int PART_CHANGES = 1 << 16;

    private final int mostLength;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final List<SortedPart> parts = new ArrayList<>();

    /** Those behind the parts. */
    private int[] entries = new int[FIRST_CHANGES];

    private int length;
    private int count;

    /** Of {@code mostLength} bytes at most, or one change. */
    public ReplayedChanges(int mostLength) {
        this.mostLength = mostLength;
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return length == 0;
    }

    /** Whether there is room for one more change, of a key of this length. */
    public boolean fits(int keyLength) {
        return isEmpty() || length <= mostLength - TransactionLayout.entryLength(keyLength, 0);
    }

    /**
     * Adds the change of one key.
     *
     * @param index of its entry in {@code record}
     * @param position of the entry in the log
     */
    public void add(ByteBuffer record, int index, long position) {
        int keyLength = TransactionLayout.keyLength(record, index);
        int entry = length;
        length += TransactionLayout.entryLength(keyLength, 0);
        if (length > buffer.capacity()) {
            int newLength = Math.max(length, (int) Math.min(2L * buffer.capacity(), mostLength));
            buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), newLength)).order(ByteOrder.LITTLE_ENDIAN);
        }
        int valueLength = TransactionLayout.valueLength(record, index);
        byte type = TransactionLayout.entryType(record, index);
        TransactionLayout.putEntryHeader(buffer, entry, keyLength, valueLength, type);
        TransactionLayout.putPrevious(buffer, entry, position, (byte) 0);
        int header = TransactionLayout.ENTRY_HEADER_LENGTH;
        buffer.put(entry + header, record, index + header, keyLength);
        enter(entry);
    }

    private void enter(int entry) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        entries[count++] = entry;
        if (count == PART_CHANGES) {
            parts.add(new SortedPart(buffer, entries));
            entries = new int[FIRST_CHANGES];
            count = 0;
        }
    }

    /** The order of the changes; none may be added any more. */
    public ChangeOrder order() {
        if (parts.isEmpty()) {
            return ChangeOrder.of(buffer, entries, count);
        }
        int[] last = ChangeOrder.sort(buffer, Arrays.copyOf(entries, count));
        int[] all = new int[parts.size() * PART_CHANGES + count];
        int end = 0;
        for (SortedPart part : parts) {
            end = part.copyTo(all, end);
        }
        System.arraycopy(last, 0, all, end, count);
        return ChangeOrder.of(buffer, all, all.length);
    }

    /** Has an array, and the changes. */
    public ByteBuffer buffer() {
        return buffer;
    }
}
