package io.persist.shard.batch;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Threads that cannot be started while {@link #fail} says so; else the caller does what they would. */
public class ScarceThreads extends AbstractExecutorService {

    private Throwable failure;
    private boolean isShutdown;

    /** Part writers that have these. */
    public PartWriters writers(int partBytes) {
        return PartWriters.over(partBytes, this);
    }

    /** From now on each one fails with {@code next}, an error or an unchecked exception; null for none. */
    public void fail(Throwable next) {
        failure = next;
    }

    @Override
    public void execute(Runnable task) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException refused) {
            throw refused;
        }
        task.run();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown;
    }
}
