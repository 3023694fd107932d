package io.persist.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes the page faults of a mapped segment before the appender gets to the pages: exchanging a zero for a zero dirties
 * a page and changes nothing, and what the appender has stored meanwhile makes the exchange fail.
 */
final class PageToucher {

    /** How far ahead of the appender pages are touched: a few milliseconds of a fast appender. */
    private static final int WINDOW_LENGTH = 16 << 20;

    private static final int PAGE_LENGTH = 4096;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private long touchedPosition;

    /**
     * Touches the pages of {@code segment} between the last touched one and the end of the window at {@code position}.
     */
    boolean touch(Segment segment, long position) {
        long from = Math.max(Math.max(touchedPosition, position), segment.basePosition());
        long to = Math.min(segment.endPosition(), position + WINDOW_LENGTH);
        if (from >= to) {
            return false;
        }
        ByteBuffer bytes = segment.mappedBytes();
        long base = segment.basePosition();
        for (long page = (from - base) & -PAGE_LENGTH; page < to - base; page += PAGE_LENGTH) {
            LONG.compareAndSet(bytes, (int) page, 0L, 0L);
        }
        touchedPosition = to;
        return true;
    }
}
