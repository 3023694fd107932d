package io.persist.store;

import io.persist.error.Limits;
import io.persist.index.node.KeyBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys, which are ordered as unsigned bytes. Its ends are 0 to 1024 bytes and need not be keys that there
 * are; those of 0 bytes come before every key. The name of the method says whether an end is in the range:
 *
 * <pre>
 *                 | to the last key | below b                          | through b, b included
 *   the first key | all()           | below(b)                         | through(b)
 *   from a on     | from(a)         | between(a, b)                    | closed(a, b)
 *   after a       | after(a)        | after(a).intersection(below(b))  | after(a).intersection(through(b))
 * </pre>
 *
 * A range whose end is before its beginning has no keys.
 *
 * <p><b>Threads:</b> any; it does not change. <b>Errors:</b> an {@link IllegalArgumentException} if an end is longer
 * than a key can be.
 */
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
        return new KeyRange(checked(from), null);
    }

    /** Keys after {@code after}, which is not included: for going on after the last key of a page. */
    public static KeyRange after(byte[] after) {
        byte[] next = next(checked(after));
        return next == null ? none() : new KeyRange(next, null);
    }

    /** Keys below {@code below}. */
    public static KeyRange below(byte[] below) {
        return new KeyRange(null, checked(below));
    }

    /** Keys up to {@code through}, which is included. */
    public static KeyRange through(byte[] through) {
        return new KeyRange(null, next(checked(through)));
    }

    /** Keys from {@code from} on and below {@code below}; no key if {@code below} is not above {@code from}. */
    public static KeyRange between(byte[] from, byte[] below) {
        return new KeyRange(checked(from), checked(below));
    }

    /** Keys from {@code from} to {@code through}, both included; no key if {@code through} is below {@code from}. */
    public static KeyRange closed(byte[] from, byte[] through) {
        return new KeyRange(checked(from), next(checked(through)));
    }

    /** Keys that begin with {@code prefix}. */
    public static KeyRange prefix(byte[] prefix) {
        return new KeyRange(checked(prefix), afterAll(prefix));
    }

    /** The keys that are in this range and in {@code other}. */
    public KeyRange intersection(KeyRange other) {
        boolean isFromOther = from == null || other.from != null && Arrays.compareUnsigned(other.from, from) > 0;
        boolean isBelowOther = below == null || other.below != null && Arrays.compareUnsigned(other.below, below) < 0;
        return new KeyRange(isFromOther ? other.from : from, isBelowOther ? other.below : below);
    }

    /** Whether {@code key} is in the range. */
    public boolean contains(byte[] key) {
        return (from == null || Arrays.compareUnsigned(key, from) >= 0)
                && (below == null || Arrays.compareUnsigned(key, below) < 0);
    }

    /** No key is less. */
    private static byte[] least() {
        return new byte[] {0};
    }

    private static KeyRange none() {
        return new KeyRange(least(), least());
    }

    private static byte[] checked(byte[] end) {
        Limits.check("key.length", end.length, 0, KeyBuffer.MAX_LENGTH);
        return end.clone();
    }

    /**
     * The least key that is above {@code key}; null if no key is. That is the key and a zero behind it. No key is
     * longer than the longest ones, so behind one of these comes the least key that does not begin with it.
     */
    private static byte @Nullable [] next(byte[] key) {
        return key.length < KeyBuffer.MAX_LENGTH ? Arrays.copyOf(key, key.length + 1) : afterAll(key);
    }

    /** The least key that is above all that begin with {@code prefix}; null if no key is. */
    private static byte @Nullable [] afterAll(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
            length--;
        }
        if (length == 0) {
            return null; // nothing is above these bytes but what begins with them
        }
        byte[] after = Arrays.copyOf(prefix, length);
        after[length - 1]++;
        return after;
    }

    /** The least key that may be in it. */
    public byte[] firstKey() {
        return from == null || from.length == 0 ? least() : from.clone();
    }

    /** Where it begins, which is in it; null if it begins with the first key. */
    public byte @Nullable [] lowest() {
        return from == null ? null : from.clone();
    }

    /**
     * Where it ends, which is not in it, or null if it has no end. Of a range whose last key is in it that is the least
     * key above that one.
     */
    public byte @Nullable [] limit() {
        return below == null ? null : below.clone();
    }

    /** Whether {@code other} is a range with the same {@link #lowest} and {@link #limit}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyRange range && Arrays.equals(from, range.from) && Arrays.equals(below, range.below);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(below);
    }

    /** Its {@link #lowest} and its {@link #limit} in hexadecimal, the first 32 bytes of each. */
    @Override
    public String toString() {
        return "KeyRange[lowest=" + shown(from) + ", limit=" + shown(below) + "]";
    }

    private static String shown(byte @Nullable [] end) {
        return end == null ? "none" : ShownBytes.of(end);
    }
}
