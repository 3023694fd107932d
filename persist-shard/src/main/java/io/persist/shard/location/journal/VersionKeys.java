package io.persist.shard.location.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.persist.shard.location.Blob;
import io.persist.store.KeyRange;
import java.nio.ByteBuffer;

/** Keys of the store: a letter, the key, a zero, and the number of the version, the greatest byte first. */
final class VersionKeys {

    /** How long one is at most. */
    static final int MAX_LENGTH = Blob.MAX_NAME + 2 + Long.BYTES;

    private static final byte LETTER = 'v';

    private VersionKeys() {}

    static byte[] of(String key, long number) {
        byte[] text = Blob.checkName(key).getBytes(US_ASCII);
        return ByteBuffer.allocate(text.length + 2 + Long.BYTES)
                .put(LETTER)
                .put(text)
                .put((byte) 0)
                .putLong(number)
                .array();
    }

    /** Those of {@code key} with numbers from {@code from} on and below {@code below}. */
    static KeyRange range(String key, long from, long below) {
        return KeyRange.between(of(key, from), of(key, below));
    }

    static String keyOf(byte[] stored) {
        return new String(stored, 1, stored.length - 2 - Long.BYTES, US_ASCII);
    }

    static long numberOf(byte[] stored) {
        return ByteBuffer.wrap(stored).getLong(stored.length - Long.BYTES);
    }

    /** Whether it is one of these. */
    static boolean isOne(byte[] stored) {
        int zero = stored.length - 1 - Long.BYTES;
        return zero > 1 && stored[0] == LETTER && stored[zero] == 0;
    }
}
