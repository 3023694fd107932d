package io.persist.shard.bench.place;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.WorkThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * What a disk takes without a shard, in two ways: one file that grows, written in order and synced after each write;
 * and a file for each object, written, synced and renamed, and its directory synced, which is what a store of objects
 * on files does, as many at the same time as a client of shards writes. That may be more, as syncs overlap.
 */
public final class BareDisk {

    /** Then the files are deleted, which is not measured. */
    private static final long LONGEST = 1L << 30;

    /** Of writes: what is copied stays in the caches of a CPU. */
    private static final int AT_ONCE = 128 << 10;

    private static final int THREADS = 4;

    /**
     * MiB/s.
     *
     * @param file one that grows
     * @param objects a file for each
     */
    public record Rates(double file, double objects) {

        /** Of both at the same weight. */
        public Rates mean(Rates other) {
            return new Rates((file + other.file) / 2, (objects + other.objects) / 2);
        }
    }

    /** Where a turn writes; the directory is empty. */
    private interface Turn {

        /** Says how many bytes it has written. */
        long write(Path directory, BooleanSupplier isOver) throws IOException, InterruptedException;
    }

    private final ByteBuffer block;

    private BareDisk(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(1).nextBytes(noise);
        this.block = ByteBuffer.allocateDirect(bytes).put(noise).flip();
    }

    /**
     * Measures both, by files below {@code directory} that are deleted.
     *
     * @param bytes of each write, or each object
     * @param timeNs how long each, at least one write
     */
    public static Rates measure(Path directory, int bytes, long timeNs, BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        BareDisk disk = new BareDisk(bytes);
        return new Rates(
                mibPerSecond(directory, timeNs, isStopped, disk::growingFile),
                mibPerSecond(directory, timeNs, isStopped, disk::objects));
    }

    private static double mibPerSecond(Path directory, long timeNs, BooleanSupplier isStopped, Turn turn)
            throws IOException, InterruptedException {
        long written = 0;
        long tookNs = 0;
        while (written == 0 || tookNs < timeNs && !isStopped.getAsBoolean()) {
            Path own = Files.createTempDirectory(directory, "bare-");
            try {
                long startNs = System.nanoTime();
                long endNs = startNs + timeNs - tookNs;
                written += turn.write(own, () -> System.nanoTime() - endNs >= 0 || isStopped.getAsBoolean());
                tookNs += System.nanoTime() - startNs;
            } finally {
                DirectoryTree.delete(own);
            }
        }
        return written * 1e9 / tookNs / (1 << 20);
    }

    private long growingFile(Path directory, BooleanSupplier isOver) throws IOException {
        try (FileChannel file = create(directory.resolve("file"))) {
            do {
                write(file);
                file.force(false);
            } while (file.position() < LONGEST && !isOver.getAsBoolean());
            return file.position();
        }
    }

    private long objects(Path directory, BooleanSupplier isOver) throws IOException, InterruptedException {
        List<Callable<Long>> parts = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String name = "object-" + i + "-";
            parts.add(() -> objects(directory, name, isOver));
        }
        try (WorkThreads<Long> threads = WorkThreads.start("bare-disk", parts)) {
            return threads.results().stream().mapToLong(Long::longValue).sum();
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause());
        }
    }

    private long objects(Path directory, String name, BooleanSupplier isOver) throws IOException {
        long written = 0;
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            for (int i = 0; i == 0 || written < LONGEST / THREADS && !isOver.getAsBoolean(); i++) {
                Path temporary = directory.resolve(name + i + ".tmp");
                try (FileChannel file = create(temporary)) {
                    write(file);
                    file.force(false);
                }
                Files.move(temporary, directory.resolve(name + i), StandardCopyOption.ATOMIC_MOVE);
                entries.force(false);
                written += block.capacity();
            }
        }
        return written;
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    private void write(FileChannel channel) throws IOException {
        ByteBuffer own = block.duplicate();
        while (own.position() < block.capacity()) {
            own.limit(Math.min(block.capacity(), own.position() + AT_ONCE));
            channel.write(own);
        }
    }
}
