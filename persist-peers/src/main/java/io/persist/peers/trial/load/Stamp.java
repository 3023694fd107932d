package io.persist.peers.trial.load;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** What the first 16 bytes of each message hold: when it was sent, by {@link System#nanoTime}, and its number. */
public final class Stamp {

    static final int LENGTH = 16;

    private static final int TIME = 0;
    private static final int SEQUENCE = 8;

    private static final long SEED = 42;

    private Stamp() {}

    /** Fills what is behind with random bytes, so that nothing can be compressed away. */
    static void fillRest(ByteBuffer message) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = LENGTH; i < message.capacity(); i++) {
            message.put(i, (byte) random.nextInt());
        }
    }

    static void putTime(ByteBuffer message, long nanoTime) {
        message.putLong(TIME, nanoTime);
    }

    public static void putSequence(ByteBuffer message, long sequence) {
        message.putLong(SEQUENCE, sequence);
    }

    public static long time(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + TIME);
    }

    public static long sequence(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + SEQUENCE);
    }
}
