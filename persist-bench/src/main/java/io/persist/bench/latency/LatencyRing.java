package io.persist.bench.latency;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Carries what was measured from the loop that measures to the thread that records it. For the loop this is a store per
 * value and one per row; histograms and files are the other thread's work. {@link LatencyRow} says what is in a row.
 *
 * <p><b>Threads:</b> {@link #put} and {@link #publish} by one thread, {@link #drain} by one other. <b>Allocation:</b>
 * none.
 */
public final class LatencyRing {

    private static final VarHandle PUBLISHED = field("published");
    private static final VarHandle DRAINED = field("drained");

    private final int width;
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
     * @param width values per row
     * @param rows how many rows fit, a power of two
     */
    public LatencyRing(int width, int rows) {
        this.width = width;
        this.mask = rows - 1;
        this.values = new long[rows * width];
        this.limit = rows;
    }

    /** Sets a value of the row that the next {@link #publish} completes. */
    public void put(int index, long value) {
        values[((int) row & mask) * width + index] = value;
    }

    /** Completes the row. Waits if the recording thread is a whole ring behind, which {@link #waits} counts. */
    public void publish() {
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
    public void drain(Sink sink) {
        long next = drained;
        long end = (long) PUBLISHED.getAcquire(this);
        while (next < end) {
            int start = ((int) next & mask) * width;
            for (int i = 0; i < width; i++) {
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
    public interface Sink {

        void onValue(int index, long value);
    }
}
