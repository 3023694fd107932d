package io.persist.shard.model;

/**
 * A bound of times: a time, or {@link #EMPTY}, which is behind all times. As {@code upper} it is exclusive, and EMPTY
 * means that nothing will ever be added. As {@code since} it is inclusive, and EMPTY means that nobody can read any
 * more.
 */
public final class Frontier implements Comparable<Frontier> {

    /** Behind all times. */
    public static final Frontier EMPTY = new Frontier(-1);

    /** The least time, 0: where a shard begins. */
    public static final Frontier MINIMUM = new Frontier(0);

    private final long time;

    private Frontier(long time) {
        this.time = time;
    }

    /**
     * The frontier at {@code time}.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public static Frontier at(long time) {
        if (time < 0) {
            throw new IllegalArgumentException("time=" + time + ": times are 0 or more");
        }
        return new Frontier(time);
    }

    /** The frontier right behind {@code time}: EMPTY if that is the largest one. */
    public static Frontier after(long time) {
        return time == Long.MAX_VALUE ? EMPTY : at(time + 1);
    }

    /** The frontier that {@link #code} stands for. */
    public static Frontier ofCode(long code) {
        return code == -1 ? EMPTY : at(code);
    }

    /** The time, or -1 for EMPTY: how it is stored. */
    public long code() {
        return time;
    }

    /** Whether this is behind all times. */
    public boolean isEmpty() {
        return time == -1;
    }

    /**
     * The time.
     *
     * @throws IllegalStateException if it is EMPTY
     */
    public long time() {
        if (isEmpty()) {
            throw new IllegalStateException("the frontier is EMPTY and has no time");
        }
        return time;
    }

    /** Whether {@code other} lies below this one: of a since, whether a read as of it comes too late. */
    public boolean isBehind(long other) {
        return isEmpty() || other < time;
    }

    /** Whether this one is less than {@code other}. */
    public boolean isBelow(Frontier other) {
        return compareTo(other) < 0;
    }

    /** The lesser of two. */
    public static Frontier least(Frontier a, Frontier b) {
        return b.isBelow(a) ? b : a;
    }

    /** The greater of two. */
    public static Frontier greatest(Frontier a, Frontier b) {
        return a.isBelow(b) ? b : a;
    }

    /** EMPTY is -1 and so the largest if the numbers are compared as unsigned ones. */
    @Override
    public int compareTo(Frontier other) {
        return Long.compareUnsigned(time, other.time);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Frontier frontier && frontier.time == time;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(time);
    }

    /** The time as a number, or EMPTY. */
    @Override
    public String toString() {
        return isEmpty() ? "EMPTY" : Long.toString(time);
    }
}
