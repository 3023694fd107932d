package io.persist.bench.host;

import io.persist.support.FullHeap;

/**
 * The wait for a thread that has taken all memory, for a JVM of its own with a small heap. Here nothing is used for the
 * first time that a class would have to be loaded for.
 */
public final class FullHeapRun {

    private static final Object[] BALLAST = new Object[500_000];
    private static final Thread MAIN = Thread.currentThread();
    private static final Thread.State WAITING = Thread.State.WAITING;
    private static volatile boolean isFull;

    private FullHeapRun() {}

    /** Says {@code full} once the thread has ended. */
    public static void main(String[] args) {
        WorkThread<String> greedy = WorkThread.start("greedy", FullHeapRun::takeAll);
        while (!isFull) {
            Thread.onSpinWait();
        }
        greedy.end();
        System.out.println(greedy.await());
    }

    /** Until it is waited for. */
    private static String takeAll() {
        FullHeap.fill(BALLAST);
        isFull = true;
        while (MAIN.getState() != WAITING) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < BALLAST.length; i++) {
            BALLAST[i] = null;
        }
        return "full";
    }
}
