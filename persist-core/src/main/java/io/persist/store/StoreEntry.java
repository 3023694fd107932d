package io.persist.store;

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
}
