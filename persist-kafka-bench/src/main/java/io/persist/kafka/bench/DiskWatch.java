package io.persist.kafka.bench;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks again and again at how long the files of a directory are together, in a thread of its own. */
final class DiskWatch implements AutoCloseable {

    /** The bytes at a time. */
    record Sample(long atNs, long bytes) {}

    private static final long EVERY_MS = 100;

    private final Path directory;
    private final long startNs = System.nanoTime();
    private final List<Sample> samples = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::look, "disk watch");

    DiskWatch(Path directory) {
        this.directory = directory;
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        try {
            do {
                samples.add(new Sample(System.nanoTime() - startNs, bytesBelow(directory)));
            } while (!end.await(EVERY_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Files that go meanwhile count or not. */
    static long bytesBelow(Path directory) {
        long[] bytes = {0};
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes[0] += attributes.size();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new IllegalStateException("the visitor lets nothing through", e);
        }
        return bytes[0];
    }

    /** Ends it, with a last look, and returns all samples. */
    List<Sample> stop() throws InterruptedException {
        close();
        thread.join();
        samples.add(new Sample(System.nanoTime() - startNs, bytesBelow(directory)));
        return samples;
    }

    @Override
    public void close() {
        end.countDown();
    }
}
