package io.persist.bench.latency;

import io.persist.bench.host.WorkThread;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records what measuring loops put into their {@link LatencyRing}s: a thread that wakes up every few milliseconds,
 * adds the new values to their series, and ends an interval now and then: every 10 ms in the first second, so that a
 * run of a moment has several too, every 100 ms in the first minute, and every second after that.
 *
 * <p><b>Threads:</b> {@link #start} and {@link #close} by one thread; each ring is for one loop. After close the series
 * belong to who closed.
 */
public final class LatencyRecorder implements AutoCloseable {

    /** Rows that all rings hold together. At ten million rows per second they fill up in 50 ms. */
    private static final int RING_ROWS = 1 << 19;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final LatencyRing.Sink NOWHERE = (index, value) -> {};

    private final List<LatencySeries> series;
    private final LatencyRow row;
    private final List<LatencyRing> rings;
    private final List<PositionLatencies> followed;
    private final Listener listener;
    private final WorkThread<@Nullable Void> thread = new WorkThread<>("latency-recorder", this::run);
    private final long startNs = System.nanoTime();
    private volatile boolean closing;
    private long intervalStartNs = startNs;

    /** The position in the row that is being recorded. */
    private long position;

    private LatencyRecorder(
            List<LatencySeries> series,
            LatencyRow row,
            int loops,
            List<PositionLatencies> followed,
            Listener listener) {
        this.series = series;
        this.row = row;
        this.followed = followed;
        this.listener = listener;
        int rows = RING_ROWS / Integer.highestOneBit(2 * loops - 1);
        this.rings = IntStream.range(0, loops)
                .mapToObj(each -> new LatencyRing(row.width(), rows))
                .toList();
    }

    /** Starts to record the loops on the thread that writes. */
    public static LatencyRecorder start(List<LatencySeries> series, LatencyRow row, Listener listener) {
        return start(series, row, 1, List.of(), listener);
    }

    /**
     * Starts to record.
     *
     * @param series in the order of {@link LatencyRow#seriesNames}
     * @param loops how many there are, each on a thread of its own
     * @param followed in the order of their series
     */
    public static LatencyRecorder start(
            List<LatencySeries> series,
            LatencyRow row,
            int loops,
            List<PositionLatencies> followed,
            Listener listener) {
        LatencyRecorder recorder = new LatencyRecorder(series, row, loops, followed, listener);
        long nowMs = System.currentTimeMillis();
        series.forEach(each -> each.begin(nowMs));
        recorder.thread.start();
        return recorder;
    }

    /** The ring of the loop of this number, from 0 on. */
    public LatencyRing ring(int loop) {
        return rings.get(loop);
    }

    /** How often a loop had to wait for the recorder; exact once the loops have ended. */
    public long waits() {
        return rings.stream().mapToLong(LatencyRing::waits).sum();
    }

    private @Nullable Void run() {
        boolean isRecorded = false;
        try {
            recordUntilClosing();
            isRecorded = true;
        } finally {
            if (!isRecorded) {
                discardUntilClosing();
            }
        }
        return null;
    }

    private void recordUntilClosing() {
        while (!closing) {
            LockSupport.parkNanos(PAUSE_NS);
            drain();
            long now = System.nanoTime();
            if (now - intervalStartNs >= intervalNs(intervalStartNs - startNs)) {
                endInterval(now);
            }
        }
        drain();
        endInterval(System.nanoTime());
    }

    /** Says so, and keeps the rings free, so that no loop waits for ever before it sees that it is to end. */
    private void discardUntilClosing() {
        listener.onFailure();
        while (!closing) {
            LockSupport.parkNanos(PAUSE_NS);
            for (LatencyRing ring : rings) {
                ring.drain(NOWHERE);
            }
        }
    }

    /** How long the interval is that begins so long after the start. */
    static long intervalNs(long sinceStartNs) {
        if (sinceStartNs < TimeUnit.SECONDS.toNanos(1)) {
            return PAUSE_NS;
        }
        return TimeUnit.MILLISECONDS.toNanos(sinceStartNs < TimeUnit.MINUTES.toNanos(1) ? 100 : 1000);
    }

    private void drain() {
        long rows = 0;
        for (int loop = 0; loop < rings.size(); loop++) {
            int number = loop;
            rings.get(loop).drain((index, value) -> onValue(number, index, value));
            rows += rings.get(loop).published();
        }
        for (int i = 0; i < followed.size(); i++) {
            int index = row.latencies() + i;
            followed.get(i).match(latencyNs -> record(index, latencyNs));
        }
        listener.onProgress(rows);
    }

    private void onValue(int loop, int index, long value) {
        if (index < row.latencies()) {
            if (value != LatencyRow.NONE) {
                record(index, value);
            }
        } else if (index == row.position()) {
            position = value;
        } else if (position != Target.UNKNOWN) {
            followed.forEach(each -> each.add(loop, position, value));
        }
    }

    private void record(int index, long latencyNs) {
        series.get(index).record(latencyNs);
    }

    private void endInterval(long now) {
        double start = (intervalStartNs - startNs) / 1e9;
        double end = (now - startNs) / 1e9;
        for (LatencySeries each : series) {
            each.endInterval(start, end);
        }
        listener.onInterval(now - startNs, series);
        series.forEach(LatencySeries::beginInterval);
        intervalStartNs = now;
    }

    /**
     * Records what is left, and closes the files; {@link LatencySeries#checkFiles} tells whether they are whole.
     *
     * @throws RuntimeException or an {@link Error}, whatever ended the recording: of the listener, or for want of
     *     memory
     */
    @Override
    public void close() {
        closing = true;
        thread.wake();
        try {
            thread.await();
        } finally {
            series.forEach(LatencySeries::close);
        }
    }

    /** Watches the recording, on the recorder's thread. */
    public interface Listener {

        /** Does nothing. */
        Listener NONE = new Listener() {
            @Override
            public void onProgress(long rows) {}

            @Override
            public void onInterval(long endNs, List<LatencySeries> series) {}
        };

        /** So many rows have been measured. */
        void onProgress(long rows);

        /** An interval has ended, so long after the start. */
        void onInterval(long endNs, List<LatencySeries> series);

        /** Nothing is recorded any more; {@link LatencyRecorder#close} will throw why. */
        default void onFailure() {}

        /** Tells both. */
        default Listener and(Listener other) {
            Listener first = this;
            return new Listener() {
                @Override
                public void onProgress(long rows) {
                    first.onProgress(rows);
                    other.onProgress(rows);
                }

                @Override
                public void onInterval(long endNs, List<LatencySeries> series) {
                    first.onInterval(endNs, series);
                    other.onInterval(endNs, series);
                }

                @Override
                public void onFailure() {
                    first.onFailure();
                    other.onFailure();
                }
            };
        }
    }
}
