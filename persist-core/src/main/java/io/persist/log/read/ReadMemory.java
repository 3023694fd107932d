package io.persist.log.read;

import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.memory.ReusedBuffer;

/**
 * How a tailer reads, and the memory into which it reads one segment after the other.
 *
 * @param mode how it reads
 * @param mostLength the most bytes that it reads at a time, unless a frame is longer
 * @param buffer what it reads from a file
 */
record ReadMemory(ReadMode mode, int mostLength, ReusedBuffer buffer) {

    static ReadMemory of(TailerConfig config) {
        return new ReadMemory(config.readMode(), config.readBufferLength(), new ReusedBuffer());
    }
}
