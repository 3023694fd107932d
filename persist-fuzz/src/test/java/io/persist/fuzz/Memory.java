package io.persist.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What an input costs on the heap, garbage included. What it costs off the heap is limited by the JVM's flags. */
final class Memory {

    /** Far more than any input of the corpus needs, far less than a length out of a file can ask for. */
    static final long MAX_BYTES = 64L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Memory() {}

    /**
     * Runs {@code use}, once more if it was too much: the first time it may have been what loading classes takes.
     *
     * @throws AssertionError if it takes too much memory
     */
    static void check(Runnable use) {
        if (measure(use) > MAX_BYTES) {
            long bytes = measure(use);
            if (bytes > MAX_BYTES) {
                throw new AssertionError("an input made the library allocate " + bytes + " bytes");
            }
        }
    }

    private static long measure(Runnable use) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        use.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
