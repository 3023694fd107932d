package io.persist.peers.state;

import java.util.SplittableRandom;

/**
 * The keys and values of the comparisons, the same for every engine and in every run. Keys are of 16 bytes and lie in
 * the order of their numbers as if at random, values are random bytes, which no engine could compress.
 */
public final class StateData {

    public static final int KEY_LENGTH = 16;

    private static final int VALUES = 64;
    private static final int LOAD_COMMIT_BYTES = 256 << 10;

    private final int keys;
    private final byte[][] values = new byte[VALUES][];

    /** Of {@code wanted} keys, or of as many as make {@code maxLiveBytes} bytes together with their values. */
    public StateData(int wanted, int valueLength, long maxLiveBytes) {
        this.keys = (int) Math.max(1, Math.min(wanted, maxLiveBytes / (KEY_LENGTH + valueLength)));
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < VALUES; i++) {
            values[i] = new byte[valueLength];
            random.nextBytes(values[i]);
        }
    }

    /** How many keys there are. */
    public int keys() {
        return keys;
    }

    /** What the keys and values take by themselves. */
    public long liveBytes() {
        return (long) keys * (KEY_LENGTH + values[0].length);
    }

    /** Writes the key of that number. */
    public static void key(int number, byte[] target) {
        long mixed = mix(number);
        for (int i = 0; i < Long.BYTES; i++) {
            target[i] = (byte) (mixed >>> (Long.SIZE - Byte.SIZE - i * Byte.SIZE));
            target[Long.BYTES + i] = (byte) ((long) number >>> (Long.SIZE - Byte.SIZE - i * Byte.SIZE));
        }
    }

    /** The finisher of SplitMix64 (Steele, Lea, Flood 2014): no two numbers have the same result. */
    public static long mix(long number) {
        long z = (number + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** One of the values. */
    public byte[] value(int number) {
        return values[number & (VALUES - 1)];
    }

    /** Puts every key, in large commits. */
    public void load(StateEngine engine) {
        int perCommit = Math.max(1, LOAD_COMMIT_BYTES / (KEY_LENGTH + values[0].length));
        byte[][] commitKeys = new byte[perCommit][KEY_LENGTH];
        for (int first = 0; first < keys; first += perCommit) {
            for (int i = 0; i < Math.min(perCommit, keys - first); i++) {
                key(first + i, commitKeys[i]);
                engine.put(commitKeys[i], value(first + i));
            }
            engine.commit();
        }
    }

    /** Every number of a key once, in an order of its own for each {@code seed}. */
    public int[] shuffled(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] numbers = new int[keys];
        for (int i = 0; i < keys; i++) {
            int other = random.nextInt(i + 1);
            numbers[i] = numbers[other];
            numbers[other] = i;
        }
        return numbers;
    }
}
