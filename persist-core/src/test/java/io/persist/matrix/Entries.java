package io.persist.matrix;

import io.persist.support.Records;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What was appended, entry by entry: the number of each, which is 1 for the first, and the life in which it was. An
 * entry's bytes follow from both. So an entry of an earlier life that comes back in the place of a later one is found
 * out.
 *
 * <p><b>Threads:</b> any.
 */
public final class Entries {

    private static final int HEADER_LENGTH = Long.BYTES + Integer.BYTES;
    private static final int MAX_LENGTH = 200;

    /** The life of entry i + 1 is at i. */
    private final List<Integer> lives = new ArrayList<>();

    public synchronized long last() {
        return lives.size();
    }

    /** One more entry; returns its number. */
    public synchronized long add(int life) {
        lives.add(life);
        return lives.size();
    }

    /** There are no entries beyond {@code last} any more; their numbers will be taken by others. */
    public synchronized void forgetAfter(long last) {
        lives.subList((int) last, lives.size()).clear();
    }

    /** The bytes of entry {@code number}. */
    public synchronized byte[] bytes(long number) {
        return bytes(number, lives.get((int) number - 1));
    }

    private static byte[] bytes(long number, int life) {
        long seed = number * 1_000_003 + life;
        int length = (int) Long.remainderUnsigned(seed * 0x9E3779B97F4A7C15L >>> 8, MAX_LENGTH);
        return ByteBuffer.allocate(HEADER_LENGTH + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .putInt(life)
                .put(Records.of(seed, length))
                .array();
    }

    /** The number that the bytes of an entry tell. */
    public static long numberOf(ByteBuffer entry) {
        return entry.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(entry.position());
    }
}
