package io.persist.store.read;

import io.persist.codec.Decoder;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What can be read of a store, whether it is read as it is now ({@link io.persist.StoreLogger}), as it was at one
 * moment ({@link StoreSnapshot}), or with the writes of a transaction ({@link
 * io.persist.store.transaction.Transaction}, {@link io.persist.store.transaction.OptimisticTransaction}). Each of these
 * says what it shows, and which threads may call it. The number of keys is not here: a transaction would have to look
 * for each key that it has changed.
 *
 * <p>Not for implementing: the library makes all that can be read, and may give it methods.
 *
 * <p><b>Allocation:</b> the result, which holds copies; {@link #getUntilNext} and {@link #contains} allocate nothing.
 *
 * <p><b>Errors:</b> a {@link io.persist.error.CorruptLogException} if the value is damaged; other values can be read.
 * An {@link IllegalArgumentException} if a key is not of 1 to 1024 bytes; an {@link IllegalStateException} if what is
 * read is closed, or has ended.
 */
public interface StoreReads {

    /**
     * The value of {@code key} in a buffer of its own, from position to limit; null if there is none. The buffer is
     * read-only and little-endian. It never changes, also after what was read is closed.
     */
    @Nullable
    ByteBuffer get(byte[] key);

    /** As {@link #get(byte[])}, with {@code length} bytes of {@code key} from {@code offset} on as the key. */
    @Nullable
    ByteBuffer get(DirectBuffer key, int offset, int length);

    /** The value of {@code key} in an array of its own, as {@link #get(byte[])} has it; null if there is none. */
    byte @Nullable [] getBytes(byte[] key);

    /**
     * As {@link #get(byte[])}, without allocation. The buffer has the value only until the thread's next read of the
     * same store by any method, or until what was read is closed or has ended. Then it is empty, or has another value.
     */
    @Nullable
    ByteBuffer getUntilNext(byte[] key);

    /** As {@link #getUntilNext(byte[])}, with {@code length} bytes of {@code key} from {@code offset} on as the key. */
    @Nullable
    ByteBuffer getUntilNext(DirectBuffer key, int offset, int length);

    /**
     * What {@code decoder} makes of the value of {@code key}; null if there is none. The decoder may read the store.
     * The buffer that it is given is valid only until it returns.
     *
     * @throws java.io.UncheckedIOException if the decoder cannot read the value
     */
    default <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
        ByteBuffer value = get(key); // a copy, because the decoder may read another one
        return value == null ? null : decoder.read(value);
    }

    /** Whether there is {@code key}. The value is not read, so it may be damaged. */
    boolean contains(byte[] key);

    /**
     * Opens a scan of the keys of {@code range}, which the caller has to close. Later changes are not in it.
     *
     * @throws io.persist.error.CorruptLogException if a node of the index is damaged; nothing is open then
     */
    StoreScan scan(KeyRange range, Direction direction);

    /**
     * The neighbour of {@code key} with its value of the same moment; null if there is none. The key itself need not be
     * there. This and the methods below have the names and the meaning of {@link java.util.NavigableMap}.
     */
    @Nullable
    StoreEntry neighbour(byte[] key, Neighbour which);

    /** The entry with the greatest key that is less than {@code key}; null if there is none. */
    default @Nullable StoreEntry lowerEntry(byte[] key) {
        return neighbour(key, Neighbour.LOWER);
    }

    /** The entry with the greatest key that is not greater than {@code key}; null if there is none. */
    default @Nullable StoreEntry floorEntry(byte[] key) {
        return neighbour(key, Neighbour.FLOOR);
    }

    /** The entry with the least key that is not less than {@code key}; null if there is none. */
    default @Nullable StoreEntry ceilingEntry(byte[] key) {
        return neighbour(key, Neighbour.CEILING);
    }

    /** The entry with the least key that is greater than {@code key}; null if there is none. */
    default @Nullable StoreEntry higherEntry(byte[] key) {
        return neighbour(key, Neighbour.HIGHER);
    }

    /** The entry with the least key of all; null if there is no key. */
    default @Nullable StoreEntry firstEntry() {
        return ceilingEntry(KeyRange.all().firstKey());
    }

    /** The entry with the greatest key of all; null if there is no key. */
    default @Nullable StoreEntry lastEntry() {
        byte[] greatest = new byte[KeyBuffer.MAX_LENGTH];
        Arrays.fill(greatest, (byte) 0xFF);
        return floorEntry(greatest);
    }
}
