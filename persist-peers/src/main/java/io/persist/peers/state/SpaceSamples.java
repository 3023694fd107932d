package io.persist.peers.state;

import io.persist.jmh.ScratchDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at how long the files of a directory are together, every second, in a thread of its own. */
final class SpaceSamples {

    /** The bytes at a time. */
    record Sample(long atNs, long bytes) {}

    private static final long EVERY_MS = 1000;

    private final Path directory;
    private final long startNs;
    private final List<Sample> samples = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::look, "space samples");

    private SpaceSamples(Path directory, long startNs) {
        this.directory = directory;
        this.startNs = startNs;
    }

    /** Begins to look; times count from {@code startNs} by System.nanoTime() on. */
    static SpaceSamples start(Path directory, long startNs) {
        SpaceSamples samples = new SpaceSamples(directory, startNs);
        samples.thread.setDaemon(true);
        samples.thread.start();
        return samples;
    }

    private void look() {
        try {
            do {
                samples.add(new Sample(System.nanoTime() - startNs, ScratchDirectory.bytesBelow(directory)));
            } while (!end.await(EVERY_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread, with a last look, and returns all samples. */
    List<Sample> stop() {
        end.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        samples.add(new Sample(System.nanoTime() - startNs, ScratchDirectory.bytesBelow(directory)));
        return samples;
    }
}
