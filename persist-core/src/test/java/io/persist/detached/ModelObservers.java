package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The futures and listeners of a model's run, and whether what they were told fits. <b>Threads:</b> any. */
final class ModelObservers {

    private record Promise(long position, CompletableFuture<Long> future) {}

    private static final class Listener implements PositionListener {

        private final DetachedLog log;
        private final Durability level;
        private volatile long told;
        private volatile boolean fellBack;
        private volatile boolean lied;

        Listener(DetachedLog log, Durability level) {
            this.log = log;
            this.level = level;
        }

        @Override
        public void onPosition(long position) {
            fellBack |= position <= told;
            lied |= position > log.positions().reached(level);
            told = position;
        }
    }

    private final Queue<Promise> promises = new ConcurrentLinkedQueue<>();
    private final Queue<Listener> listeners = new ConcurrentLinkedQueue<>();
    private final AtomicLong mustBeSynced = new AtomicLong();

    void promise(DetachedLog log, long position, Durability level) {
        promises.add(new Promise(position, log.reached(position, level)));
    }

    void listen(DetachedLog log, Durability level) {
        Listener listener = new Listener(log, level);
        log.listen(level, listener);
        listeners.add(listener);
    }

    /** A commit said that it will be. */
    void mustBeSynced(long position) {
        mustBeSynced.accumulateAndGet(position, Math::max);
    }

    /**
     * After the log has been closed. {@code clean}: nothing has failed, and no record was lost. If the disk was full
     * the end of a segment may not have come to the log: so no position behind {@code mostSynced} is expected, where
     * the last record ends then.
     */
    void check(DetachedLog log, boolean clean, long mostSynced) {
        for (Promise promise : promises) {
            check(promise, log.position(), clean);
        }
        for (Listener listener : listeners) {
            assertThat(listener.fellBack).as("positions of a listener grow").isFalse();
            assertThat(listener.lied).as("a listener is told what is reached").isFalse();
            if (clean && listener.told > 0) {
                assertThat(listener.told).isEqualTo(log.positions().reached(listener.level));
            }
        }
        if (clean) {
            assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(Math.min(mustBeSynced.get(), mostSynced));
            assertThat(log.syncedPosition()).isEqualTo(log.position());
        }
    }

    private static void check(Promise promise, long end, boolean clean) {
        assertThat(promise.future).as("future of position %d", promise.position).isDone();
        try {
            assertThat(promise.future.join()).isBetween(promise.position, end);
        } catch (CompletionException e) {
            assertThat(clean && promise.position <= end)
                    .as("failed although reached: %s", e)
                    .isFalse();
            if (clean) {
                assertThat(e.getCause())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("logger is closed");
            } else if (!(e.getCause() instanceof IllegalStateException)) {
                assertThat(e.getCause()).isInstanceOf(LogIOException.class);
            }
        }
    }
}
