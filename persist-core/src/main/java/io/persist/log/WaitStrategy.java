package io.persist.log;

/**
 * What a detached logger's writer thread does while its queue is empty, and what the threads do that wait for their
 * commits: a shorter delay costs more CPU time.
 *
 * <p>With {@link #BUSY_SPIN} and {@link #YIELDING} a thread that waits for a commit looks for it for some 300
 * microseconds, and offers its CPU to others meanwhile, before it sleeps; it sleeps sooner if others take the CPU. With
 * the other strategies it sleeps at once.
 */
public enum WaitStrategy {
    /** The writer thread spins, and never gives its CPU away: the shortest delay. It needs a CPU of its own. */
    BUSY_SPIN,
    /** Spins, then offers its CPU to other threads again and again: it uses all CPU time that no other thread wants. */
    YIELDING,
    /** Spins, yields, then sleeps for 50 microseconds at a time, which Linux makes some 100. No thread wakes it. */
    SLEEPING,
    /**
     * Spins, yields, then sleeps until a producer wakes it: uses no CPU time when idle, and costs each append a fence.
     */
    BLOCKING
}
