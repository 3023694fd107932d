package io.persist.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of keys, which are ordered as unsigned bytes: from a first key, which is in it, to an end, which is not. */
public final class KeyRange {

    private static final KeyRange ALL = new KeyRange(null, null);

    private final byte @Nullable [] from;
    private final byte @Nullable [] below;

    private KeyRange(byte @Nullable [] from, byte @Nullable [] below) {
        this.from = from;
        this.below = below;
    }

    /** Every key. */
    public static KeyRange all() {
        return ALL;
    }

    /** Keys from {@code from} on. */
    public static KeyRange from(byte[] from) {
        return new KeyRange(from.clone(), null);
    }

    /** Keys below {@code below}. */
    public static KeyRange below(byte[] below) {
        return new KeyRange(null, below.clone());
    }

    /** Keys from {@code from} on and below {@code below}; no key if {@code below} is not above {@code from}. */
    public static KeyRange between(byte[] from, byte[] below) {
        return new KeyRange(from.clone(), below.clone());
    }

    /** Keys that begin with {@code prefix}. */
    public static KeyRange prefix(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
            length--;
        }
        if (length == 0) {
            return from(prefix); // nothing is above these bytes but what begins with them
        }
        byte[] below = Arrays.copyOf(prefix, length);
        below[length - 1]++;
        return new KeyRange(prefix.clone(), below);
    }

    /** The least key that may be in the range. */
    public byte[] firstKey() {
        return from == null || from.length == 0 ? Neighbour.least() : from.clone();
    }

    /** The key at which the range begins, as it was given; null if none was given. */
    public byte @Nullable [] lowest() {
        return from == null ? null : from.clone();
    }

    /** The key at which the range ends, which is not in it; null if it has no end. */
    public byte @Nullable [] limit() {
        return below == null ? null : below.clone();
    }
}
