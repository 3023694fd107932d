package io.persist.shard.thread;

import java.util.concurrent.TimeUnit;

/**
 * A thread that works again and again until it is told to end, and outlives whatever the work throws: nobody would
 * start it anew. So it does on a heap that is full for a moment. The thread of an executor ends then: to wait for its
 * next task it needs memory, and so does the thread that is to replace it. This one needs none between two turns of its
 * work.
 *
 * <p><b>Threads:</b> any.
 */
public final class LastingThread {

    private static final long PAUSE_MS = 1_000;

    /** What the thread does. */
    @FunctionalInterface
    public interface Work {

        /** One turn: it waits until there is something to do, and ends soon when the thread is to end. */
        void run() throws Exception;
    }

    private final Work work;
    private final Thread thread;
    private volatile boolean isEnding;

    private LastingThread(String name, Work work) {
        this.work = work;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts one. Who wants to know what the work throws catches it there. */
    public static LastingThread start(String name, Work work) {
        LastingThread made = new LastingThread(name, work);
        made.thread.start();
        return made;
    }

    private void run() {
        boolean hasFailed = false;
        while (!isEnding) {
            try {
                if (hasFailed) {
                    pause();
                    hasFailed = false;
                } else {
                    work.run();
                }
            } catch (Throwable failed) { // a place in another language may throw anything
                hasFailed = true;
            }
        }
    }

    /** Until it is worth to try again. */
    private synchronized void pause() throws InterruptedException {
        long startNs = System.nanoTime();
        long leftMs = PAUSE_MS;
        while (!isEnding && leftMs > 0) {
            wait(leftMs);
            leftMs = PAUSE_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        }
    }

    /**
     * Has it end with this turn of its work, which may have to be told, too. If it has not begun its first turn, or
     * pauses since one has failed, it has no other: who has work that must be done ends it behind that.
     */
    public synchronized void end() {
        isEnding = true;
        notifyAll();
    }

    /** Waits until it has ended; an interrupt of the caller is kept for later. */
    public void awaitEnd() {
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
