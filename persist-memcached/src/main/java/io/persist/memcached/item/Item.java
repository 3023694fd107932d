package io.persist.memcached.item;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An item as it is kept: a header and the data, in one array. All of it survives a restart.
 *
 * <pre>
 *   0   version of this format, 1; three zeros
 *   4   the client's flags
 *   8   when it expires, in seconds since 1970; {@link #NEVER}
 *   16  cas unique
 *   24  the data
 * </pre>
 *
 * Numbers are little-endian. Immutable once it is in a cache.
 */
public final class Item {

    public static final int HEADER_LENGTH = 24;

    /** The most data of an item, in bytes. */
    public static final int MAX_DATA_LENGTH = 1 << 20;

    public static final long NEVER = 0;

    private static final byte VERSION = 1;
    private static final int FLAGS = 4;
    private static final int EXPIRES = 8;
    private static final int CAS = 16;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;

    private Item(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The item that {@code bytes} hold, which are not copied.
     *
     * @throws IllegalStateException if they are none of this format
     */
    public static Item of(byte[] bytes) {
        if (bytes.length < HEADER_LENGTH || bytes[0] != VERSION) {
            throw new IllegalStateException("no item, or one of a newer version: length=" + bytes.length + ", version="
                    + (bytes.length == 0 ? "none" : Byte.toString(bytes[0])));
        }
        return new Item(bytes);
    }

    /** Makes an item of {@code bytes}, which are not copied: the data is there behind the room for the header. */
    public static Item make(byte[] bytes, int flags, long expiresAt, long cas) {
        Arrays.fill(bytes, 0, FLAGS, (byte) 0);
        bytes[0] = VERSION;
        INT.set(bytes, FLAGS, flags);
        LONG.set(bytes, EXPIRES, expiresAt);
        LONG.set(bytes, CAS, cas);
        return new Item(bytes);
    }

    /** The same item with another time. */
    public Item expiringAt(long expiresAt) {
        return make(bytes.clone(), flags(), expiresAt, cas());
    }

    /** Header and data; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** The client's 32 bits. */
    public int flags() {
        return (int) INT.get(bytes, FLAGS);
    }

    /** Seconds since 1970; {@link #NEVER}. */
    public long expiresAt() {
        return (long) LONG.get(bytes, EXPIRES);
    }

    /** The number of its last change; each change of any item has a higher one than those before. */
    public long cas() {
        return (long) LONG.get(bytes, CAS);
    }

    /** Bytes of data. */
    public int dataLength() {
        return bytes.length - HEADER_LENGTH;
    }

    /** Whether nobody may see it any more, at {@code nowSeconds}. */
    public boolean isExpired(long nowSeconds) {
        long expiresAt = expiresAt();
        return expiresAt != NEVER && expiresAt <= nowSeconds;
    }
}
