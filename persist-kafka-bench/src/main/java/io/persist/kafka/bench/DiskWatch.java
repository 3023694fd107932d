package io.persist.kafka.bench;

import io.persist.bench.host.DirectoryTree;
import java.nio.file.Path;
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
                samples.add(new Sample(System.nanoTime() - startNs, DirectoryTree.bytes(directory)));
            } while (!end.await(EVERY_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it, with a last look, and returns all samples. */
    List<Sample> stop() throws InterruptedException {
        close();
        thread.join();
        samples.add(new Sample(System.nanoTime() - startNs, DirectoryTree.bytes(directory)));
        return samples;
    }

    @Override
    public void close() {
        end.countDown();
    }
}
