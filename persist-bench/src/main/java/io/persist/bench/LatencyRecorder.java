package io.persist.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records what a measuring loop puts into a {@link LatencyRing}: a thread that wakes up every few milliseconds, adds
 * the new values to their series, and ends an interval every second.
 *
 * <p><b>Threads:</b> {@link #start} and {@link #close} by the measuring thread. After close the series are its own
 * again.
 */
final class LatencyRecorder implements AutoCloseable {

    /** Rows that the ring holds. At ten million rows per second it fills up in 50 ms. */
    private static final int RING_ROWS = 1 << 19;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<LatencySeries> series;
    private final LatencyRing ring;
    private final Listener listener;
    private final Thread thread = new Thread(this::run, "latency-recorder");
    private final long startNs = System.nanoTime();
    private volatile boolean closing;
    /** Read by the measuring thread once this thread has ended. */
    private @Nullable IOException failure;

    private long intervalStartNs = startNs;

    private LatencyRecorder(List<LatencySeries> series, Listener listener) {
        this.series = series;
        this.ring = new LatencyRing(series.size(), RING_ROWS);
        this.listener = listener;
    }

    /** Starts to record; the order of the series is that of the values in the ring's rows. */
    static LatencyRecorder start(List<LatencySeries> series, Listener listener) {
        LatencyRecorder recorder = new LatencyRecorder(series, listener);
        long nowMs = System.currentTimeMillis();
        series.forEach(each -> each.begin(nowMs));
        recorder.thread.setDaemon(true);
        recorder.thread.start();
        return recorder;
    }

    LatencyRing ring() {
        return ring;
    }

    private void run() {
        while (!closing) {
            LockSupport.parkNanos(PAUSE_NS);
            ring.drain(this::record);
            listener.onProgress(ring.published());
            long now = System.nanoTime();
            if (now - intervalStartNs >= INTERVAL_NS) {
                endInterval(now);
            }
        }
        ring.drain(this::record);
        listener.onProgress(ring.published());
        endInterval(System.nanoTime());
    }

    private void record(int index, long latencyNs) {
        try {
            series.get(index).record(latencyNs);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void endInterval(long now) {
        double start = (intervalStartNs - startNs) / 1e9;
        double end = (now - startNs) / 1e9;
        for (LatencySeries each : series) {
            try {
                each.endInterval(start, end);
            } catch (IOException e) {
                fail(e);
            }
        }
        listener.onInterval(end, series);
        series.forEach(LatencySeries::beginInterval);
        intervalStartNs = now;
    }

    /**
     * Keeps the first failure for close, and goes on without files: the loop must not wait for a thread that is gone.
     */
    private void fail(IOException e) {
        if (failure == null) {
            failure = e;
        }
        series.forEach(LatencySeries::dropFiles);
    }

    /** Records what is left, and closes the files. */
    @Override
    public void close() throws IOException {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        for (LatencySeries each : series) {
            each.close();
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Watches the recording, on the recorder's thread. */
    interface Listener {

        /** Does nothing. */
        Listener NONE = new Listener() {
            @Override
            public void onProgress(long rows) {}

            @Override
            public void onInterval(double seconds, List<LatencySeries> series) {}
        };

        /** So many rows have been measured. */
        void onProgress(long rows);

        /** An interval has ended, so many seconds after the start. */
        void onInterval(double seconds, List<LatencySeries> series);
    }
}
