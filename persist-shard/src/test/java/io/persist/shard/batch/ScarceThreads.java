package io.persist.shard.batch;

/** Threads that cannot be started while {@link #fail} says so; else the caller does what they would. */
public class ScarceThreads implements PartWriters.Threads {

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
    public void execute(Runnable write) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException refused) {
            throw refused;
        }
        write.run();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    boolean isShutdown() {
        return isShutdown;
    }
}
