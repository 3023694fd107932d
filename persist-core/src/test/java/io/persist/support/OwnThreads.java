package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs something on a thread of its own, in a group to which all threads belong that are begun there. None of them may
 * remain, and none may end by an exception that nobody learns of.
 */
public final class OwnThreads {

    private static final long DEADLINE_S = 120;

    /** What is to be run. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    private final ConcurrentLinkedQueue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final ThreadGroup group = new ThreadGroup("own threads") {
        @Override
        public void uncaughtException(Thread thread, Throwable end) {
            uncaught.add(end);
        }
    };

    private OwnThreads() {}

    /** Runs {@code task} and returns when it has; throws what it throws. The deadline only ends what hangs. */
    public static void run(Task task) throws Exception {
        OwnThreads own = new OwnThreads();
        own.join(task);
        own.checkNobodyIsLeft();
    }

    private void join(Task task) throws Exception {
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread thread = new Thread(group, () -> {
            try {
                task.run();
            } catch (Throwable failed) {
                end.set(failed);
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(DEADLINE_S));
        assertThat(thread.isAlive())
                .as("it hangs: %s", Arrays.toString(thread.getStackTrace()))
                .isFalse();
        Throwable failed = end.get();
        if (failed instanceof Exception exception) {
            throw exception;
        }
        if (failed != null) {
            throw (Error) failed;
        }
    }

    private void checkNobodyIsLeft() {
        assertThat(others(group)).as("threads that were left behind").isEmpty();
        assertThat(uncaught).as("what ended threads and was told to nobody").isEmpty();
    }

    /** The other threads of the calling thread's group that are alive. */
    public static List<String> others() {
        return others(Thread.currentThread().getThreadGroup());
    }

    private static List<String> others(ThreadGroup group) {
        Thread[] threads = new Thread[group.activeCount() + 16];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread -> thread != Thread.currentThread() && thread.isAlive())
                .map(Thread::getName)
                .toList();
    }
}
