package io.persist.shard.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part as it grows: each row is encoded once, to where it stays. There is room for the header before the rows, and
 * for the checksum behind them. One thread.
 */
public final class PartBuilder {

    private static final int FIRST_BYTES = 4 << 10;
    private static final byte[] NONE = {};

    /** A part is whole from this length on. */
    private final int partBytes;

    private final PartArrays arrays;
    private final int headerBytes;
    private byte[] bytes;
    private int length;
    private int count;

    /** The length of the longest row. */
    private int longest;

    /** What of that was {@linkplain #append appended}. */
    private int appended;

    private @Nullable Row last;
    private boolean isSorted = true;

    /** A part with no rows; its header will have {@code headerBytes}. */
    PartBuilder(PartArrays arrays, int headerBytes, int partBytes) {
        this.arrays = arrays;
        this.headerBytes = headerBytes;
        this.partBytes = partBytes;
        this.bytes = new byte[FIRST_BYTES];
        this.length = headerBytes;
    }

    /** Adds a row, in any order. */
    public void add(byte[] key, byte[] value, long time, long diff) {
        int at = room(Row.length(key.length, value.length));
        Row.put(key, value, time, diff, bytes, at);
        Row row = Row.at(bytes, at);
        Row before = last;
        isSorted &= diff != 0 && (before == null || Row.ORDER.compare(before, row) < 0);
        added(row);
    }

    /** Adds a row of another part that comes in order behind those that are here. */
    void addInOrder(Row row) {
        int at = room(row.length());
        row.put(bytes, at);
        added(Row.at(bytes, at));
    }

    /** Makes room for a row, and for the checksum; says where it is. */
    private int room(long more) {
        int at = length;
        int needed = Math.toIntExact(length + more + PartBytes.CHECKSUM_BYTES);
        if (bytes.length < needed) {
            byte[] shorter = bytes;
            boolean isLast = rowBytes() + more >= partBytes; // then it does not grow on
            bytes = isLast ? arrays.take(needed) : arrays.longer(shorter.length, needed);
            System.arraycopy(shorter, 0, bytes, 0, length);
            moveLast();
            arrays.giveBack(shorter);
        }
        length += (int) more;
        return at;
    }

    private void added(Row row) {
        last = row;
        longest = Math.max(longest, row.length());
        count++;
    }

    /** The last row lies where all lie now. */
    private void moveLast() {
        Row row = last;
        if (row != null) {
            last = Row.at(bytes, length - row.length());
        }
    }

    /** Adds the rows of {@code behind}, which come in order behind those that are here. */
    void append(PartBuilder behind) {
        int more = behind.rowBytes();
        int at = room(more);
        System.arraycopy(behind.bytes, behind.headerBytes, bytes, at, more);
        count += behind.count;
        longest = Math.max(longest, behind.longest);
        appended += more;
        last = behind.last;
        moveLast();
    }

    /** How many rows. */
    int count() {
        return count;
    }

    /** How long the longest row is. */
    int longest() {
        return longest;
    }

    /** How long the rows are together. */
    int rowBytes() {
        return length - headerBytes;
    }

    /** Whether it is long enough for an object. */
    public boolean isWhole() {
        return rowBytes() >= partBytes;
    }

    /** Whether both together are a part, or {@code behind} is so short that an object of its own is worth less. */
    boolean hasRoomFor(PartBuilder behind) {
        int more = behind.rowBytes();
        return rowBytes() + (long) more <= partBytes || appended + (long) more <= PartArrays.shortRest(partBytes);
    }

    /** The first row, or null. */
    @Nullable
    Row first() {
        return count == 0 ? null : Row.at(bytes, headerBytes);
    }

    /** The last row, or null. */
    @Nullable
    Row last() {
        return last;
    }

    /** The same rows in order, those of the same key, value and time summed, zeros gone; this one is used up. */
    public PartBuilder sorted() {
        if (isSorted) {
            return this;
        }
        List<Row> rows = new ArrayList<>(count);
        for (int at = headerBytes; at < length; at += rows.get(rows.size() - 1).length()) {
            rows.add(Row.at(bytes, at));
        }
        PartBuilder sorted = new PartBuilder(arrays, headerBytes, partBytes);
        Rows.summed(rows).forEach(sorted::addInOrder);
        release();
        return sorted;
    }

    /** The rows behind another header, and room for the checksum. */
    byte[] withHeader(byte[] header) {
        byte[] part = Arrays.copyOf(header, header.length + rowBytes() + PartBytes.CHECKSUM_BYTES);
        System.arraycopy(bytes, headerBytes, part, header.length, rowBytes());
        return part;
    }

    /** Puts {@code header} before the rows; says where all bytes are: there is room for the checksum behind them. */
    byte[] headed(byte[] header) {
        if (header.length != headerBytes) {
            throw new IllegalStateException("a header of " + header.length + " bytes in place of " + headerBytes);
        }
        System.arraycopy(header, 0, bytes, 0, headerBytes);
        return bytes;
    }

    /** How long it is with its header, and without the checksum. */
    int length() {
        return length;
    }

    /** Gives the array back: nothing of it is used any more. */
    void release() {
        arrays.giveBack(takeBytes());
    }

    /** Gives the array to the caller, and is used up. */
    byte[] takeBytes() {
        byte[] mine = bytes;
        bytes = NONE;
        last = null;
        count = 0;
        longest = 0;
        length = headerBytes;
        return mine;
    }
}
