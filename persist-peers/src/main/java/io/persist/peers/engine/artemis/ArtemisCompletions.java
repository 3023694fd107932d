package io.persist.peers.engine.artemis;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.core.journal.IOCompletion;
import org.jspecify.annotations.Nullable;

/** Counts the records that Artemis' journal has written. */
final class ArtemisCompletions implements IOCompletion {

    private static final long PARK_NS = 50_000;

    private final AtomicLong done = new AtomicLong();
    private volatile @Nullable String error;

    void startAt(long count) {
        done.set(count);
    }

    @Override
    public void storeLineUp() {
        // Producers count what they append.
    }

    @Override
    public void done() {
        done.incrementAndGet();
    }

    @Override
    public void onError(int code, @Nullable String message) {
        error = "error " + code + ": " + message;
    }

    /** Waits until as many records have been written. */
    void awaitAtLeast(long count) throws IOException {
        while (done.get() < count) {
            String error = this.error;
            if (error != null) {
                throw new IOException("Artemis' journal failed with " + error);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
