package io.persist.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Carries measured latencies from the loop that measures to the thread that records them. A row has one value per
 * series. For the loop this is a store per value and one per row; histograms and files are the other thread's work.
 *
 * <p><b>Threads:</b> {@link #put} and {@link #publish} by one thread, {@link #drain} by one other. <b>Allocation:</b>
 * none.
 */
final class LatencyRing {

    private static final VarHandle PUBLISHED = field("published");
    private static final VarHandle DRAINED = field("drained");

    private final int series;
    private final int mask;
    private final long[] values;

    /**
     * The measuring thread's: the row being put, the row before which there is space, and how often there was none.
     */
    private long row;

    private long limit;
    private long waits;

    /** Rows before this one are complete. Written by the measuring thread only. */
    @SuppressWarnings("unused") // but by PUBLISHED
    private long published;

    /** Rows before this one are free again. Written by the recording thread only. */
    private long drained;

    /**
     * @param series values per row
     * @param rows how many rows fit, a power of two
     */
    LatencyRing(int series, int rows) {
        this.series = series;
        this.mask = rows - 1;
        this.values = new long[rows * series];
        this.limit = rows;
    }

    /** Sets a value of the row that the next {@link #publish} completes. */
    void put(int index, long latencyNs) {
        values[((int) row & mask) * series + index] = latencyNs;
    }

    /** Completes the row. Waits if the recording thread is a whole ring behind, which {@link #waits} counts. */
    void publish() {
        row++;
        // Release: the row's values are there before its number. Pairs with the acquire in drain.
        PUBLISHED.setRelease(this, row);
        if (row == limit) {
            awaitSpace();
        }
    }

    private void awaitSpace() {
        int capacity = mask + 1;
        // Acquire: the recording thread has read the rows before they are overwritten. Pairs with the release in drain.
        limit = (long) DRAINED.getAcquire(this) + capacity;
        if (row == limit) {
            waits++;
            while (row == limit) {
                Thread.onSpinWait();
                limit = (long) DRAINED.getAcquire(this) + capacity;
            }
        }
    }

    /** How many rows have been completed; any thread may ask. */
    long published() {
        return (long) PUBLISHED.getAcquire(this);
    }

    /** How often the measuring thread had to wait for the recording one; its answer is exact on the former. */
    long waits() {
        return waits;
    }

    /** Hands all complete rows to the sink, value by value. */
    void drain(Sink sink) {
        long next = drained;
        long end = (long) PUBLISHED.getAcquire(this);
        while (next < end) {
            int start = ((int) next & mask) * series;
            for (int i = 0; i < series; i++) {
                sink.onValue(i, values[start + i]);
            }
            next++;
        }
        DRAINED.setRelease(this, next);
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(LatencyRing.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Takes the values of the rows, in order. */
    @FunctionalInterface
    interface Sink {

        void onValue(int series, long latencyNs);
    }
}
