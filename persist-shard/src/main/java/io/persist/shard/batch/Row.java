package io.persist.shard.batch;

import java.util.Arrays;
import java.util.Comparator;

/**
 * An update as bytes. The order is by key, value and time; bytes are compared as unsigned ones.
 *
 * @param key encoded
 * @param value encoded
 * @param time 0 or more
 * @param diff how many more
 */
@SuppressWarnings("ArrayRecordComponent") // compared by the order only
public record Row(byte[] key, byte[] value, long time, long diff) {

    /** The order of runs. */
    public static final Comparator<Row> ORDER = Row::compare;

    private static final int FIXED_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    private static int compare(Row a, Row b) {
        int order = a.compareEntry(b);
        return order != 0 ? order : Long.compare(a.time, b.time);
    }

    /** By key and value only. */
    public int compareEntry(Row other) {
        int order = Arrays.compareUnsigned(key, other.key);
        return order != 0 ? order : Arrays.compareUnsigned(value, other.value);
    }

    /** The same at {@code since}, if it is earlier than that. */
    public Row advancedTo(long since) {
        return time >= since ? this : new Row(key, value, since, diff);
    }

    /** The same with another diff. */
    public Row with(long newDiff) {
        return new Row(key, value, time, newDiff);
    }

    /** How long it is in a part. */
    public int bytes() {
        return FIXED_BYTES + key.length + value.length;
    }
}
