package io.persist.bench.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks again and again at how long the files of a directory are together.
 *
 * <p><b>Threads:</b> one, and another one that looks.
 */
public final class SpaceWatch implements AutoCloseable {

    private final Path directory;
    private final long startNs;
    private final long everyNs;
    private final List<Sample> samples = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "space watch");

    /** The bytes at a time. */
    public record Sample(long atNs, long bytes) {}

    private SpaceWatch(Path directory, long startNs, Duration every) {
        this.directory = directory;
        this.startNs = startNs;
        this.everyNs = every.toNanos();
    }

    /**
     * Begins with a first look.
     *
     * @param startNs from which times count, by System.nanoTime()
     * @param every how long it waits between two looks
     */
    public static SpaceWatch start(Path directory, long startNs, Duration every) {
        SpaceWatch watch = new SpaceWatch(directory, startNs, every);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            do {
                look();
            } while (!end.await(everyNs, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        samples.add(new Sample(System.nanoTime() - startNs, DirectoryTree.bytes(directory)));
    }

    /** Ends it, with a last look, and returns all samples. */
    public List<Sample> stop() throws InterruptedException {
        close();
        thread.join();
        look();
        return samples;
    }

    /** Ends it, and waits for nothing. */
    @Override
    public void close() {
        end.countDown();
    }
}
