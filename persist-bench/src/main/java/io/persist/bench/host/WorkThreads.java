package io.persist.bench.host;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one work, each in a {@link WorkThread}. When one of them fails, all are over: the others are
 * interrupted, and what has ended the first is what comes of the whole.
 *
 * <p><b>Threads:</b> one starts, awaits and closes it.
 *
 * @param <T> what comes of a part
 */
public final class WorkThreads<T extends @Nullable Object> implements AutoCloseable {

    private final List<WorkThread<T>> threads = new ArrayList<>();

    // Of the parts, under the monitor: a lock that needs no memory.
    private int running;
    private @Nullable Throwable failure;

    private WorkThreads() {}

    /**
     * Starts one for each part. All are made before: the first may take all the memory there is, and nobody would end
     * one that runs and is not noted.
     */
    public static <T extends @Nullable Object> WorkThreads<T> start(String name, List<? extends Callable<T>> parts) {
        WorkThreads<T> made = new WorkThreads<>();
        for (Callable<T> part : parts) {
            made.add(name + "-" + made.threads.size(), part);
        }
        made.running = made.threads.size();
        try {
            for (int i = 0; i < made.threads.size(); i++) {
                made.threads.get(i).start();
            }
        } catch (RuntimeException | Error e) { // such as no more threads
            made.close();
            throw e;
        }
        return made;
    }

    private void add(String name, Callable<T> part) {
        threads.add(new WorkThread<>(name, () -> {
            @Nullable Throwable why = null;
            try {
                return part.call();
            } catch (Throwable e) {
                why = e;
                throw e;
            } finally {
                ends(why);
            }
        }));
    }

    private synchronized void ends(@Nullable Throwable why) {
        running--;
        if (failure == null) {
            failure = why;
        }
        notifyAll();
    }

    /**
     * Waits until all parts are done, or one has failed; in both cases nothing runs any more.
     *
     * @return what has come of them, in their order
     * @throws ExecutionException with what has ended the first that failed; if that is unchecked, it is thrown itself
     */
    public List<T> results() throws InterruptedException, ExecutionException {
        @Nullable Throwable first = awaitFailureOrEnd();
        if (first != null) {
            close();
            WorkThread.throwAsItIs(first);
        }
        List<T> results = new ArrayList<>();
        for (WorkThread<T> each : threads) {
            results.add(each.result());
        }
        return results;
    }

    private synchronized @Nullable Throwable awaitFailureOrEnd() throws InterruptedException {
        while (running > 0 && failure == null) {
            wait();
        }
        return failure;
    }

    /** Interrupts the parts that still run, and waits until they have ended. On a full heap it needs no iterator. */
    @Override
    public void close() {
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).end();
        }
    }
}
