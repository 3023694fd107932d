package io.persist.kafka;

import io.persist.store.transaction.Transaction;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one call of Kafka writes, in order.
 *
 * @param all of whatever type
 * @param key of one of them
 * @param value of one of them; null removes the key
 */
record Entries<T>(List<T> all, Function<T, byte[]> key, Function<T, byte @Nullable []> value) {

    int size() {
        return all.size();
    }

    /** The first {@code most}, or all. */
    Entries<T> first(int most) {
        return new Entries<>(all.subList(0, Math.min(most, all.size())), key, value);
    }

    /** Those from {@code index} on. */
    Entries<T> from(int index) {
        return new Entries<>(all.subList(index, all.size()), key, value);
    }

    /** Puts and removes as many of the first as {@code part} has room for; says how many these are. */
    int putFirst(Transaction part) {
        int count = 0;
        for (T entry : all) {
            byte[] bytes = value.apply(entry);
            if (!removesNothing(key.apply(entry), bytes)) {
                byte[] stored = UserKeys.toStored(key.apply(entry));
                if (!part.fits(stored.length, length(bytes)) && part.changes() > 0) {
                    break;
                }
                if (bytes == null) {
                    part.remove(stored);
                } else {
                    part.put(stored, bytes);
                }
            }
            count++;
        }
        return count;
    }

    /** Refuses them before the first is in the store, by {@code empty}, which has all the room that one can get. */
    void checkLengths(Transaction empty) {
        for (T entry : all) {
            if (removesNothing(key.apply(entry), value.apply(entry))) {
                continue;
            }
            int keyLength = UserKeys.storedLength(key.apply(entry));
            int valueLength = length(value.apply(entry));
            if (!empty.fits(keyLength, valueLength)) {
                throw new IllegalArgumentException("they are too long together: key.length=" + (keyLength - 1)
                        + ", value.length=" + valueLength + ", transaction.max=" + empty.maxBytes());
            }
        }
    }

    /** A key that is too long is not there. The changelog may have its removal, if another engine wrote it. */
    static boolean removesNothing(byte[] key, byte @Nullable [] value) {
        return value == null && !UserKeys.isKey(key);
    }

    private static int length(byte @Nullable [] value) {
        return value == null ? 0 : value.length;
    }
}
