package io.persist.shard.bench.place;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** What a disk takes without a shard: a file that grows, written in order, and synced after each write. */
public final class BareDisk {

    /** Then the next file begins. */
    private static final long LONGEST = 1L << 30;

    private BareDisk() {}

    /**
     * Measures it, by files below {@code directory} that are deleted.
     *
     * @param bytes of each write
     * @param timeNs how long, at least one write
     * @return bytes per second
     */
    public static double bytesPerSecond(Path directory, int bytes, long timeNs, BooleanSupplier isStopped)
            throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(bytes);
        byte[] noise = new byte[bytes];
        new Random(1).nextBytes(noise);
        block.put(noise);
        long written = 0;
        long tookNs = 0;
        while (written == 0 || tookNs < timeNs && !isStopped.getAsBoolean()) {
            Path file = Files.createTempFile(directory, "bare-", ".tmp");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                long startNs = System.nanoTime();
                long here = 0;
                do {
                    here += write(channel, block.rewind());
                    channel.force(false);
                } while (here < LONGEST && tookNs + System.nanoTime() - startNs < timeNs && !isStopped.getAsBoolean());
                tookNs += System.nanoTime() - startNs;
                written += here;
            } finally {
                Files.delete(file);
            }
        }
        return written * 1e9 / tookNs;
    }

    private static int write(FileChannel channel, ByteBuffer block) throws IOException {
        int count = 0;
        while (block.hasRemaining()) {
            count += channel.write(block);
        }
        return count;
    }
}
