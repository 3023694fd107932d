package io.persist.bench.latency;

import io.persist.bench.result.ResultFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file of latencies as the Rumi benchmarks write it: one big-endian int of nanoseconds per operation, in order, with
 * nothing before or after. What does not fit an int, 2.1 s and more, is written as the largest int.
 */
final class LatencyFile implements Closeable {

    private static final int BUFFER_LENGTH = 64 << 10;

    private final OutputStream file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH);

    LatencyFile(OutputStream file) {
        this.file = file;
    }

    /** A new file, in place of one that is there. */
    static LatencyFile create(Path path) throws IOException {
        return new LatencyFile(ResultFile.create(path));
    }

    void write(long latencyNs) throws IOException {
        if (!buffer.hasRemaining()) {
            flush();
        }
        buffer.putInt((int) Math.min(latencyNs, Integer.MAX_VALUE));
    }

    private void flush() throws IOException {
        file.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        try (file) {
            flush();
        }
    }
}
