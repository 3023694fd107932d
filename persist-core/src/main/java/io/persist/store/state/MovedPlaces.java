package io.persist.store.state;

/**
 * Where compaction has put values lately: so a commit can tell a value that was moved since it was read from one that
 * was put. It knows the last {@value #MOST} records of moves, and of each no more than when its newest value was put.
 * Those that are out of one segment, with nothing committed in between, count as one.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class MovedPlaces {

    /** A power of two. */
    static final int MOST = 1024;

    /** Of each record: behind what it lies, where it ends, and before what all of its values were put. A ring. */
    private final long[] starts;

    private final long[] ends;
    private final long[] bounds;

    private int first;
    private int count;

    /** The base of the segment out of which the last one is. */
    private long lastSource;

    MovedPlaces() {
        this.starts = new long[MOST];
        this.ends = new long[MOST];
        this.bounds = new long[MOST];
    }

    private MovedPlaces(MovedPlaces of) {
        this.starts = of.starts.clone();
        this.ends = of.ends.clone();
        this.bounds = of.bounds.clone();
        this.first = of.first;
        this.count = of.count;
        this.lastSource = of.lastSource;
    }

    /** Those of this moment. */
    public MovedPlaces copy() {
        return new MovedPlaces(this);
    }

    /**
     * The log has a record of moves, and from {@code start} to {@code end} nothing else.
     *
     * @param source the base of the segment in which its values lay
     * @param bound what {@link #putBefore} has said of where they lay; the greatest
     */
    void add(long start, long end, long source, long bound) {
        int last = index(count - 1);
        if (count > 0 && ends[last] == start && source == lastSource) {
            ends[last] = end;
            bounds[last] = Math.max(bounds[last], bound);
            return;
        }
        if (count == MOST) {
            first = index(1);
            count--;
        }
        int next = index(count);
        starts[next] = start;
        ends[next] = end;
        bounds[next] = bound;
        lastSource = source;
        count++;
    }

    private int index(int number) {
        return (first + number) & (MOST - 1);
    }

    /**
     * Before which position of the log a transaction has put the value that lies at {@code place}, as far as is known:
     * right behind it, unless it was moved there.
     */
    public long putBefore(long place) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[index(middle)] <= place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int record = index(low - 1);
        return low > 0 && place < ends[record] ? bounds[record] : place + 1;
    }
}
