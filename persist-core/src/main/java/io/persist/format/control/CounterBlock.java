package io.persist.format.control;

import io.persist.memory.PageProbe;
import io.persist.monitor.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The counters of a log, in the page of its {@link ControlBlock} from offset {@link #START} on. No decision depends on
 * them, so they have no guard against power cuts, and no order: a reader gets each one whole, but several of them may
 * be of different moments.
 *
 * <p><b>Threads:</b> any reads; each counter is written by one thread at a time. <b>Allocation:</b> none. All accesses
 * are opaque: atomic and soon visible, and without a fence.
 */
public final class CounterBlock {

    /** Where the counters begin in the control block. */
    public static final int START = 512;

    /** Where the space for them ends. */
    public static final int END = ControlBlock.LENGTH;

    /** Counters of different owners lie in different stretches of this length. */
    public static final int STRETCH_LENGTH = 128;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private final ByteBuffer block;
    private final PageProbe probe = new PageProbe();

    /** A flyweight over the direct buffer of a control block. */
    public CounterBlock(ByteBuffer block) {
        this.block = block;
    }

    /** The value of {@code counter} now. Any thread may call it. */
    public long get(Counter counter) {
        return (long) LONG.getOpaque(block, counter.offset());
    }

    /** Sets {@code counter}. Only the thread that owns the counter may call it. */
    public void set(Counter counter, long value) {
        LONG.setOpaque(block, counter.offset(), value);
    }

    /** What a store says there now. Any thread may call it. */
    public long get(StoreFigure figure) {
        return (long) LONG.getOpaque(block, figure.offset());
    }

    /** Says it. Only the thread that has the store's lock may call it. */
    public void set(StoreFigure figure, long value) {
        LONG.setOpaque(block, figure.offset(), value);
    }

    /** Adds to a counter that nobody else writes at the same time. */
    public void add(Counter counter, long count) {
        set(counter, get(counter) + count);
    }

    /** Raises a counter that nobody else writes at the same time to {@code value}, if it is less. */
    public void max(Counter counter, long value) {
        if (value > get(counter)) {
            set(counter, value);
        }
    }

    /**
     * Looks whether the page is there at all. One thread at a time.
     *
     * @throws InternalError if it is not, because the file was cut or the device cannot read it
     */
    public void checkPage() {
        probe.check(block, 0, END);
    }

    /** Zeroes all, those of other versions too, and begins to count for a log that was opened at {@code openedAtMs}. */
    public void reset(long openedAtMs) {
        for (int offset = START; offset < END; offset += Long.BYTES) {
            LONG.setOpaque(block, offset, 0L);
        }
        set(Counter.OPENED_AT_MS, openedAtMs);
    }
}
