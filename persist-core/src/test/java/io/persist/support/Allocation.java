package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread allocates on the heap. */
public final class Allocation {

    /** How often {@link #checkNone} measures at most: what is allocated each time shows each time. */
    public static final int TRIES = 6;

    /** Such a part of the calls that do not count comes before the first that do. */
    private static final int EARLY_PART = 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Bytes that it allocates in {@code calls} calls. */
    public static long in(int calls, Runnable call) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /**
     * Fails if it allocates a byte or more per call. On a busy machine the compiler comes late, and a class with it: then
     * the calls are made again, and the best of {@value #TRIES} counts. The first one comes early, after some of the
     * {@code warmUp} calls that do not count: the rest of them is only made if it does not do.
     */
    public static void checkNone(int warmUp, int calls, Runnable call) {
        checkNone(warmUp, calls, TRIES, call);
    }

    /**
     * The same of the best of {@code tries}, each with {@code calls}: for what allocates for a while when something has
     * taken long, as reads of values that seem not to be in memory.
     */
    public static void checkNone(int warmUp, int calls, int tries, Runnable call) {
        checkLess(warmUp, calls, tries, calls, call);
    }

    /** The same if it may allocate something, but in {@code calls} calls less than {@code limit} bytes. */
    public static void checkLess(int warmUp, int calls, int tries, long limit, Runnable call) {
        int early = warmUp / EARLY_PART;
        in(early, call);
        long least = in(calls, call);
        if (least >= limit) {
            in(warmUp - early, call);
        }
        for (int i = 1; i < tries && least >= limit; i++) {
            least = Math.min(least, in(calls, call));
        }
        assertThat(least).as("bytes allocated in " + calls + " calls").isLessThan(limit);
    }
}
