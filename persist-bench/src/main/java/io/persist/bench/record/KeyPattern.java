package io.persist.bench.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Which key each put of a run has, by the put's index. Keys are numbers of 8 bytes, big-endian, so that their order as
 * bytes is that of the numbers. Each producer has keys of its own, every n-th: so it is known which put to a key was
 * the last.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none but in {@link #newKey}.
 */
public final class KeyPattern {

    public static final int KEY_LENGTH = Long.BYTES;

    /** In which order a producer comes to its keys. */
    public enum Order {
        SEQUENTIAL,
        RANDOM
    }

    private final long keys;
    private final Order order;
    private final int producers;

    /** @param keys how many different ones there are, at least one for each producer */
    public KeyPattern(long keys, Order order, int producers) {
        this.keys = keys;
        this.order = order;
        this.producers = producers;
    }

    public long keys() {
        return keys;
    }

    public int producers() {
        return producers;
    }

    public Order order() {
        return order;
    }

    /** The number of the key that the put of this index has. */
    public long number(long index) {
        if (producers == 1) {
            return slot(index, keys);
        }
        int producer = (int) (index % producers);
        return slot(index / producers, share(producer)) * producers + producer;
    }

    /** How many keys a producer has. */
    public long share(int producer) {
        return (keys + producers - 1 - producer) / producers;
    }

    private long slot(long own, long share) {
        if (order == Order.RANDOM) {
            return Long.remainderUnsigned(mix(own), share);
        }
        return own < share ? own : own % share;
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014): all bits of the result depend on all of the value. */
    private static long mix(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A key to be set again and again, over the bytes that are given to a store. */
    public static ByteBuffer newKey() {
        return ByteBuffer.allocate(KEY_LENGTH).order(ByteOrder.BIG_ENDIAN);
    }

    /** The number of a key that was read, or below 0 if it is none of this pattern. */
    public long read(ByteBuffer key) {
        if (key.remaining() != KEY_LENGTH) {
            return -1;
        }
        long bits = key.getLong(key.position());
        long number = key.order() == ByteOrder.BIG_ENDIAN ? bits : Long.reverseBytes(bits);
        return number < keys ? number : -1;
    }
}
