package io.persist.fuzz;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Another thread, that lives as long as this is open; there is none until it is needed. */
final class SecondThread implements AutoCloseable {

    private @Nullable ExecutorService thread;

    /** Has {@code body} run by this thread while the caller waits, or by the caller; throws what it throws. */
    void run(boolean bySecond, Runnable body) {
        if (!bySecond) {
            body.run();
            return;
        }
        if (thread == null) {
            thread = Executors.newSingleThreadExecutor();
        }
        try {
            thread.submit(body).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw new AssertionError("the second thread has died of this", e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdown();
        }
    }
}
