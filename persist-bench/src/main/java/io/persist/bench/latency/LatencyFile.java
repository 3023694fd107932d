package io.persist.bench.latency;

import io.persist.bench.result.ResultFile;
import io.persist.command.Text;
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

    private final Path path;
    private final OutputStream file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH);

    /** @param path of {@code file}, for who has to look after it when it cannot be written */
    LatencyFile(Path path, OutputStream file) {
        this.path = path;
        this.file = file;
    }

    /** A new file, in place of one that is there. */
    static LatencyFile create(Path path) throws IOException {
        return new LatencyFile(path, ResultFile.create(path));
    }

    void write(long latencyNs) throws IOException {
        if (!buffer.hasRemaining()) {
            flush();
        }
        buffer.putInt((int) Math.min(latencyNs, Integer.MAX_VALUE));
    }

    private void flush() throws IOException {
        try {
            file.write(buffer.array(), 0, buffer.position());
        } catch (IOException e) {
            throw notWritten(path, Text.describe(e));
        }
        buffer.clear();
    }

    static IOException notWritten(Path path, String why) {
        return new IOException("cannot write " + path + " (" + why
                + "); make room there, name another directory with --output, or give --noLatencyWrites");
    }

    @Override
    public void close() throws IOException {
        try (file) {
            flush();
        }
    }
}
