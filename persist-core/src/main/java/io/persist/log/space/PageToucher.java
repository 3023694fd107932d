package io.persist.log.space;

import io.persist.log.segment.Segment;
import io.persist.memory.MissingPage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes the page faults of a mapped segment before the appender gets to the pages: exchanging a zero for a zero dirties
 * a page and changes nothing, and what the appender has stored meanwhile makes the exchange fail.
 */
final class PageToucher {

    /** How far ahead of the appender pages are touched again: write-back protects them from time to time. */
    private static final int WINDOW_LENGTH = 32 << 20;

    private static final int PAGE_LENGTH = 4096;

    /** What is looked at before it is touched: a look costs as much as a touch or two. */
    private static final int STRETCH_LENGTH = 256 * PAGE_LENGTH;

    /** So many pages are looked at one by one: by then the code that touches them is compiled. */
    private static final int FIRST_PAGES = 1 << 14;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Of all segments of the process; fewer if several threads have counted at once. */
    private static int touchedPages;

    private long touchedPosition;

    /** Touches all pages of a segment that is not written yet. */
    static void touchAll(Segment segment) {
        touch(segment.mappedBytes(), 0, segment.header().segmentLength());
    }

    /**
     * Touches the pages between the last touched one and the end of the window at {@code position}, as far as they are
     * filled: a store to a page without a block is what a full disk kills the process for.
     */
    boolean touch(Segment segment, long position, long filled) {
        long from = Math.max(Math.max(touchedPosition, position), segment.basePosition());
        long to = Math.min(Math.min(segment.endPosition(), position + WINDOW_LENGTH), filled & -PAGE_LENGTH);
        if (from >= to) {
            return false;
        }
        long base = segment.basePosition();
        touch(segment.mappedBytes(), (int) (from - base), (int) (to - base));
        touchedPosition = to;
        return true;
    }

    private static void touch(ByteBuffer bytes, int from, int to) {
        int end;
        for (int start = from & -PAGE_LENGTH; start < to; start = end) {
            end = Math.min(to, start + (touchedPages < FIRST_PAGES ? PAGE_LENGTH : STRETCH_LENGTH));
            touchStretch(bytes, start, end);
            touchedPages += touchedPages < FIRST_PAGES ? 1 : 0;
        }
    }

    private static void touchStretch(ByteBuffer bytes, int start, int end) {
        // If the file was cut the JVM throws for a read. An exchange that is interpreted it would die of.
        for (int page = start; page < end; page += PAGE_LENGTH) {
            bytes.get(page);
        }
        MissingPage.check();
        for (int page = start; page < end; page += PAGE_LENGTH) {
            LONG.compareAndSet(bytes, page, 0L, 0L);
        }
    }
}
