package io.persist.store;

import org.jspecify.annotations.Nullable;

/**
 * Reads by the order of the keys, with the names and the meaning of {@link java.util.NavigableMap}. Key and value of a
 * result are of one moment: the moment of the call, or of the snapshot.
 *
 * <p><b>Allocation:</b> the result, which holds copies.
 *
 * <p><b>Errors:</b> a {@link io.persist.error.CorruptLogException} if the value is damaged; an {@link
 * IllegalArgumentException} if the key is not of 1 to 1024 bytes; an {@link IllegalStateException} if the store or the
 * snapshot is closed.
 */
public interface OrderedReads {

    /** The neighbour of {@code key} with its value; null if there is none. The key itself need not be there. */
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
        return ceilingEntry(Neighbour.least());
    }

    /** The entry with the greatest key of all; null if there is no key. */
    default @Nullable StoreEntry lastEntry() {
        return floorEntry(Neighbour.greatest());
    }
}
