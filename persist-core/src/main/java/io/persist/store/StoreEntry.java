package io.persist.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A key and the value that it had at one moment. Both are copies, which the store never changes. */
public final class StoreEntry {

    private final byte[] key;
    private final byte[] value;

    /** Keeps the arrays as they are; it does not copy them. */
    public StoreEntry(byte[] key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    /** The caller's own; not copied each time. */
    public byte[] key() {
        return key;
    }

    /** The caller's own; not copied each time. */
    public byte[] value() {
        return value;
    }

    /** Whether {@code other} is an entry with the same bytes. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoreEntry entry && Arrays.equals(key, entry.key) && Arrays.equals(value, entry.value);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
    }

    /** Key and value in hexadecimal, the first 32 bytes of each. */
    @Override
    public String toString() {
        return "StoreEntry[key=" + ShownBytes.of(key) + ", value=" + ShownBytes.of(value) + "]";
    }
}
