package io.persist.shard.bench.micro;

import io.persist.bench.host.WorkThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do the same parts at the same time, round after round: that a thread begins costs too much to be in what
 * is measured. One that dies needs no memory to say so, as in {@link WorkThreads}.
 *
 * <p><b>Threads:</b> one at a time runs rounds.
 */
final class RoundThreads implements AutoCloseable {

    private final WorkThreads<@Nullable Void> threads;
    private final int count;

    // Under the monitor.
    private long round;
    private int busy;
    private boolean hasFailed;

    /** Starts a thread for each part, which waits for the first round. */
    RoundThreads(String name, List<? extends Runnable> parts) {
        this.count = parts.size();
        List<Callable<@Nullable Void>> loops = new ArrayList<>();
        parts.forEach(part -> loops.add(() -> loop(part)));
        this.threads = WorkThreads.start(name, loops);
    }

    private @Nullable Void loop(Runnable part) throws InterruptedException {
        try {
            for (long next = 1; ; next++) {
                awaitRound(next);
                part.run();
                ends();
            }
        } finally {
            fails();
        }
    }

    private synchronized void awaitRound(long next) throws InterruptedException {
        while (round < next) {
            wait();
        }
    }

    private synchronized void ends() {
        busy--;
        notifyAll();
    }

    private synchronized void fails() {
        hasFailed = true;
        notifyAll();
    }

    /** Does all parts once. What has ended one is thrown as it is, and then there are no more rounds. */
    void run() throws InterruptedException {
        if (!runsToTheEnd()) {
            try {
                threads.results();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    private synchronized boolean runsToTheEnd() throws InterruptedException {
        busy = count;
        round++;
        notifyAll();
        while (busy > 0 && !hasFailed) {
            wait();
        }
        return !hasFailed;
    }

    /** Ends the threads. */
    @Override
    public void close() {
        threads.close();
    }
}
