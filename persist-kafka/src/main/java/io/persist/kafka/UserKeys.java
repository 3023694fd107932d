package io.persist.kafka;

import io.persist.store.KeyRange;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The keys of Kafka among the keys of the log: each has one byte in front of it, so that none of them can be the key of
 * the {@link StoreHeader}. The order is the same.
 */
final class UserKeys {

    /** The longest key that Kafka may use, in bytes. */
    static final int MAX_LENGTH = 1023;

    private static final byte FIRST_BYTE = 1;
    private static final byte[] NONE = {FIRST_BYTE};
    private static final KeyRange ALL = KeyRange.prefix(NONE);

    private UserKeys() {}

    /** How long the key is in the log. */
    static int storedLength(byte[] key) {
        if (key.length > MAX_LENGTH) {
            throw new IllegalArgumentException("key.length=" + key.length + ", min=0, max=" + MAX_LENGTH);
        }
        return 1 + key.length;
    }

    /** The key in the log. */
    static byte[] toStored(byte[] key) {
        byte[] stored = new byte[storedLength(key)];
        stored[0] = FIRST_BYTE;
        System.arraycopy(key, 0, stored, 1, key.length);
        return stored;
    }

    /** The key that Kafka knows. */
    static Bytes toKafka(byte[] stored) {
        return Bytes.wrap(Arrays.copyOfRange(stored, 1, stored.length));
    }

    /** All keys of Kafka. */
    static KeyRange all() {
        return ALL;
    }

    /** The keys from {@code from} to {@code to}, both included; null means that the range has no end there. */
    static KeyRange range(@Nullable Bytes from, @Nullable Bytes to) {
        KeyRange range = ALL;
        if (from != null) {
            byte[] end = end(from.get());
            range = range.intersection(isKey(from.get()) ? KeyRange.from(end) : KeyRange.after(end));
        }
        return to == null ? range : range.intersection(KeyRange.through(end(to.get())));
    }

    /** The keys that begin with {@code prefix}. */
    static KeyRange prefix(byte[] prefix) {
        byte[] end = end(prefix);
        return isKey(prefix) ? KeyRange.prefix(end) : KeyRange.between(end, end);
    }

    /** Whether a key can have this length; else it is not in the store. */
    static boolean isKey(byte[] bytes) {
        return bytes.length <= MAX_LENGTH;
    }

    /** In front of an end that is longer than a key can be are the keys up to as much of it as a key can have. */
    private static byte[] end(byte[] bytes) {
        return toStored(isKey(bytes) ? bytes : Arrays.copyOf(bytes, MAX_LENGTH));
    }
}
