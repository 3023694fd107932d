package io.persist.bench.device.engine;

import java.util.SplittableRandom;

/** Where the blocks are, one after another: multiples of the block's length, the same for the same seed. */
public final class Offsets {

    /** There is no more room in a file that grows. */
    public static final long FULL = -1;

    private final Pattern pattern;
    private final int block;
    private final long blocks;
    private final SplittableRandom random;
    private long next;

    /** @param fileLength at least one block */
    public Offsets(Pattern pattern, long fileLength, int block, long seed) {
        this.pattern = pattern;
        this.block = block;
        this.blocks = fileLength / block;
        this.random = new SplittableRandom(seed);
    }

    /** The offset of the next block, bytes; {@link #FULL} if it is to be appended and the file has its length. */
    public long next() {
        if (pattern == Pattern.RAND) {
            return random.nextLong(blocks) * block;
        }
        if (next == blocks) {
            if (pattern == Pattern.APPEND) {
                return FULL;
            }
            next = 0;
        }
        return next++ * block;
    }

    /** The file is empty again. */
    public void restart() {
        next = 0;
    }
}
