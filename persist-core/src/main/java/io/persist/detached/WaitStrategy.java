package io.persist.detached;

/** What a detached logger's writer thread does while its queue is empty: how soon it wakes against what it burns. */
public enum WaitStrategy {
    /** Spins, and never gives its CPU away: the shortest delay. Only with a CPU to spare for it. */
    BUSY_SPIN,
    /** Spins, then offers its CPU to others again and again: burns what nobody else wants. */
    YIELDING,
    /** Spins, yields, then sleeps for 50 microseconds at a time. Nobody has to wake it. */
    SLEEPING,
    /** Spins, yields, then sleeps until a producer wakes it: burns nothing when idle, and costs each append a fence. */
    BLOCKING
}
