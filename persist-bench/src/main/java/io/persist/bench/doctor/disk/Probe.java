package io.persist.bench.doctor.disk;

import io.persist.bench.host.DirectOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a file of its own, so that no sync has to take another one's bytes along. Each run goes to the next
 * 4 KiB: from the end of filled space to its begin again, or on and on in a growing file.
 */
public final class Probe implements AutoCloseable {

    /** Bytes of each operation: a page, and a block of most file systems. */
    public static final int LENGTH = 4096;

    private final Operation operation;
    private final FileChannel channel;
    private final long fileLength;
    private final ByteBuffer block = ByteBuffer.allocateDirect(2 * LENGTH).alignedSlice(LENGTH);
    private final @Nullable MappedByteBuffer mapped;
    private long offset;

    private Probe(Operation operation, FileChannel channel, long fileLength, @Nullable MappedByteBuffer mapped) {
        this.operation = operation;
        this.channel = channel;
        this.fileLength = fileLength;
        this.mapped = mapped;
        block.limit(LENGTH);
        fillWithNoise(block);
    }

    /**
     * Makes the file, fills and syncs it.
     *
     * @param fileLength bytes that are filled; 0 for a growing file
     * @throws UnsupportedOperationException if the JVM or the file system refuses the operation
     */
    public static Probe open(Operation operation, Path file, Space space, long fileLength) throws IOException {
        fill(file, space.fillLength(), fileLength);
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        if (operation == Operation.DSYNC || operation == Operation.DIRECT_DSYNC) {
            options.add(StandardOpenOption.DSYNC);
        }
        if (operation == Operation.DIRECT_DSYNC) {
            options.add(DirectOption.find().orElseThrow(() -> new UnsupportedOperationException(DirectOption.MISSING)));
        }
        FileChannel channel = FileChannel.open(file, options);
        try {
            MappedByteBuffer mapped =
                    operation == Operation.MAPPED_FORCE ? channel.map(MapMode.READ_WRITE, 0, fileLength) : null;
            return new Probe(operation, channel, fileLength, mapped);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void fill(Path file, int fillLength, long fileLength) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(Math.max(1, fillLength));
            for (long at = 0; at < fileLength; at += fillLength) {
                writeFully(channel, zeros.clear(), at);
            }
            channel.force(true);
        }
    }

    /** Some disks store zeros, or what repeats, without writing it. */
    static void fillWithNoise(ByteBuffer buffer) {
        byte[] noise = new byte[buffer.limit()];
        ThreadLocalRandom.current().nextBytes(noise);
        buffer.put(0, noise);
    }

    static void writeFully(FileChannel channel, ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /** Does it once. */
    public void run() throws IOException {
        if (fileLength > 0 && offset + LENGTH > fileLength) {
            offset = 0;
        }
        if (mapped == null) {
            writeFully(channel, block.position(0), offset);
        } else {
            mapped.put(Math.toIntExact(offset), block, 0, LENGTH);
        }
        sync();
        offset += LENGTH;
    }

    private void sync() throws IOException {
        switch (operation) {
            case FDATASYNC -> channel.force(false);
            case FSYNC -> channel.force(true);
            case MAPPED_FORCE -> {
                if (mapped != null) {
                    mapped.force(Math.toIntExact(offset), LENGTH);
                }
            }
            case BUFFERED, DSYNC, DIRECT_DSYNC -> {} // done by the write itself, or not wanted
        }
    }

    /** Leaves nothing for the background to write while the other operations are measured. */
    void settle() throws IOException {
        if (operation == Operation.BUFFERED) {
            channel.force(false);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
