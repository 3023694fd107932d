package io.persist.bench;

/** Waits for threads. */
final class Threads {

    private Threads() {}

    /** Returns when the thread has ended; an interrupt is kept for later. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
