package io.persist.bench.load;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether the user wants the program to end (Ctrl-C, SIGTERM). The JVM then waits a while for {@link #close}, so that
 * the program can delete what it does not want to leave behind, and print what it has measured.
 */
public final class Stop implements AutoCloseable {

    private static final long GRACE_SECONDS = 10;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::requestAndWait, "stop");
    private volatile boolean requested;
    private volatile @Nullable Path place;

    private Stop() {}

    public static Stop onInterrupt() {
        Stop stop = new Stop();
        Runtime.getRuntime().addShutdownHook(stop.hook);
        return stop;
    }

    private void requestAndWait() {
        request();
        try {
            if (!finished.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("persist: " + givenUp());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the program writes from now on is in {@code directory}, and stays there if it cannot end in time. */
    public void writesTo(Path directory) {
        place = directory;
    }

    /** What is said if it cannot. */
    public String givenUp() {
        Path written = place;
        return "gave up waiting for the end of the current operation"
                + (written == null ? "" : "; what it has written stays in " + written);
    }

    public void request() {
        requested = true;
    }

    public boolean requested() {
        return requested;
    }

    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ignored) {
            // The JVM is about to end: the hook is running and has just been released.
        }
    }
}
