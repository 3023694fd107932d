package io.persist.bench.device.engine;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Content that no disk can store in less space than it has. */
public final class Noise {

    /** Blocks of most file systems, and what O_DIRECT wants buffers to be aligned to. */
    public static final int ALIGNMENT = 4096;

    private Noise() {}

    /** The bytes of a block. */
    public static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** The same off the heap, aligned as O_DIRECT wants it. */
    public static ByteBuffer aligned(long seed, int length) {
        // An aligned slice has an aligned end too: room for whole blocks, or a length between two of them would not
        // fit.
        int whole = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer buffer = ByteBuffer.allocateDirect(whole + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .limit(length);
        return buffer.slice().put(0, bytes(seed, length));
    }

    /** Makes each 4 KiB of a block another one than in the operation before: a disk may know what it has already. */
    public static void stamp(ByteBuffer block, long number) {
        for (int at = 0; at + Long.BYTES <= block.limit(); at += ALIGNMENT) {
            block.putLong(at, number + at);
        }
    }
}
