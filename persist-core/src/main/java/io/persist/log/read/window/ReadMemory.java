package io.persist.log.read.window;

import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How a tailer reads, and the memory into which it reads one segment after the other. It is direct memory, into which
 * the operating system copies in one step; but an array for very long frames, which the garbage collector frees sooner.
 */
public final class ReadMemory {

    private final ReadMode mode;
    private final int mostLength;
    private final ReusedBuffer direct = ReusedBuffer.direct();
    private final ReusedBuffer heap = new ReusedBuffer();
    private final RecordRun run = new RecordRun();
    private final ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** For a tailer that is configured so. */
    public ReadMemory(TailerConfig config) {
        this.mode = config.readMode();
        this.mostLength = config.readBufferLength();
    }

    /** How the tailer reads. */
    ReadMode mode() {
        return mode;
    }

    /** The most bytes that it reads at a time, unless a frame is longer. */
    int mostLength() {
        return mostLength;
    }

    /** A little-endian buffer of {@code length} bytes or more; its bytes are anything. */
    ByteBuffer ofLength(int length) {
        return length <= ReusedBuffer.MAX_KEPT ? direct.ofLength(length) : heap.ofLength(length);
    }

    /** The records that were verified and are still to be taken. */
    public RecordRun run() {
        return run;
    }

    /** A buffer of its own for one number, in direct memory as well: it is read in the same way as frames are. */
    ByteBuffer word() {
        return word;
    }
}
