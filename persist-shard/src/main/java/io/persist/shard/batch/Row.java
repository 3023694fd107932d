package io.persist.shard.batch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;

/**
 * An update as bytes, where they lie in a part: nothing is copied. The order is by key, value and time; bytes are
 * compared as unsigned ones.
 *
 * <pre>
 *    length of the key (4)  key  length of the value (4)  value  time (8)  diff (8)      numbers: the least byte last
 * </pre>
 *
 * <p>Time and diff may be others than the bytes have: times are advanced and diffs are summed. The bytes are used again
 * some time after the row was given out: {@link Rows} says when.
 */
public final class Row {

    /** The order of runs. */
    public static final Comparator<Row> ORDER = Row::compare;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    /** With it a part is less than an array can have, however {@code partBytes} is set. */
    private static final int MOST_BYTES = 512 << 20;

    private static final int FIXED_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    private final byte[] bytes;
    private final int keyAt;
    private final int keyEnd;
    private final int valueEnd;
    private final long time;
    private final long diff;

    private Row(byte[] bytes, int keyAt, int keyEnd, int valueEnd, long time, long diff) {
        this.bytes = bytes;
        this.keyAt = keyAt;
        this.keyEnd = keyEnd;
        this.valueEnd = valueEnd;
        this.time = time;
        this.diff = diff;
    }

    /** The row whose bytes begin at {@code from}; they were written by {@link #put}. */
    static Row at(byte[] bytes, int from) {
        int keyAt = from + Integer.BYTES;
        int keyEnd = keyAt + (int) INT.get(bytes, from);
        int valueAt = keyEnd + Integer.BYTES;
        int valueEnd = valueAt + (int) INT.get(bytes, keyEnd);
        return new Row(bytes, keyAt, keyEnd, valueEnd, (long) LONG.get(bytes, valueEnd), (long)
                LONG.get(bytes, valueEnd + Long.BYTES));
    }

    /**
     * Whether a row is as short as it has to be.
     *
     * @throws IllegalArgumentException if not
     */
    public static void checkLength(int keyLength, int valueLength) {
        if ((long) keyLength + valueLength > MOST_BYTES) {
            throw new IllegalArgumentException("a key of " + keyLength + " bytes and a value of " + valueLength
                    + ": together they have at most " + MOST_BYTES);
        }
    }

    /** How long a row is. */
    static long length(int keyLength, int valueLength) {
        return FIXED_BYTES + (long) keyLength + valueLength;
    }

    /** Writes a row of {@link #length} bytes to {@code to}. */
    static void put(byte[] key, byte[] value, long time, long diff, byte[] target, int to) {
        int keyAt = to + Integer.BYTES;
        int keyEnd = keyAt + key.length;
        int valueAt = keyEnd + Integer.BYTES;
        INT.set(target, to, key.length);
        System.arraycopy(key, 0, target, keyAt, key.length);
        INT.set(target, keyEnd, value.length);
        System.arraycopy(value, 0, target, valueAt, value.length);
        putTimes(time, diff, target, valueAt + value.length);
    }

    private static void putTimes(long time, long diff, byte[] target, int to) {
        LONG.set(target, to, time);
        LONG.set(target, to + Long.BYTES, diff);
    }

    /** Writes the row to {@code to}: its key and value are one piece. */
    void put(byte[] target, int to) {
        int from = keyAt - Integer.BYTES;
        int count = valueEnd - from;
        System.arraycopy(bytes, from, target, to, count);
        putTimes(time, diff, target, to + count);
    }

    /** The same in an array of its own. */
    Row copy() {
        byte[] own = new byte[length()];
        put(own, 0);
        return at(own, 0);
    }

    private static int compare(Row a, Row b) {
        int order = a.compareEntry(b);
        return order != 0 ? order : Long.compare(a.time, b.time);
    }

    /** By key and value only. */
    private int compareEntry(Row other) {
        int order = Arrays.compareUnsigned(bytes, keyAt, keyEnd, other.bytes, other.keyAt, other.keyEnd);
        return order != 0
                ? order
                : Arrays.compareUnsigned(
                        bytes,
                        keyEnd + Integer.BYTES,
                        valueEnd,
                        other.bytes,
                        other.keyEnd + Integer.BYTES,
                        other.valueEnd);
    }

    /** A copy of the encoded key. */
    public byte[] key() {
        return Arrays.copyOfRange(bytes, keyAt, keyEnd);
    }

    /** A copy of the encoded value. */
    public byte[] value() {
        return Arrays.copyOfRange(bytes, keyEnd + Integer.BYTES, valueEnd);
    }

    /** 0 or more. */
    public long time() {
        return time;
    }

    /** How many more. */
    public long diff() {
        return diff;
    }

    /** The same at {@code since}, if it is earlier than that. */
    Row advancedTo(long since) {
        return time >= since ? this : new Row(bytes, keyAt, keyEnd, valueEnd, since, diff);
    }

    /** The same with another diff. */
    Row with(long newDiff) {
        return diff == newDiff ? this : new Row(bytes, keyAt, keyEnd, valueEnd, time, newDiff);
    }

    /** How long it is in a part. */
    public int length() {
        return valueEnd - keyAt + Integer.BYTES + 2 * Long.BYTES;
    }
}
