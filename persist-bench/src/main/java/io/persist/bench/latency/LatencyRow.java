package io.persist.bench.latency;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured of each write, and where it is in the rows of a {@link LatencyRing}. First the latencies that are
 * known when the write has returned. If something follows the writes, there are also the position and the start of
 * each, the intended one with a rate, from which the recorder finds out the latencies until that position was reached.
 */
public final class LatencyRow {

    /** Where a latency is that is not measured; and in its place, the value of one that this write has not got. */
    public static final int NONE = -1;

    private static final String RESPONSE = "response";
    private static final String DURABLE = "durable";
    private static final String TAIL = "tail";

    private final List<String> latencies;
    private final List<String> followed = new ArrayList<>();
    private final boolean measuresPreparation;
    private final int afterPrepare;
    private final int afterWrite;
    private final int afterCommit;

    private LatencyRow(Operation operation, boolean paced, boolean detached, boolean tailed) {
        this.latencies = new ArrayList<>(operation.parts(detached));
        this.measuresPreparation = operation.measuresPreparation();
        boolean split = latencies.contains(Operation.FLUSH);
        this.afterPrepare = operation == Operation.PACKET ? index(Operation.PREP) : NONE;
        this.afterWrite = split ? index(Operation.WRITE) : operation == Operation.PUT ? index(Operation.PREP) : NONE;
        int write = index(detached ? Operation.HAND_OFF : Operation.WRITE);
        this.afterCommit = split ? index(Operation.FLUSH) : write;
        if (paced) {
            latencies.add(RESPONSE);
        }
        if (detached) {
            followed.add(DURABLE);
        }
        if (tailed) {
            followed.add(TAIL);
        }
    }

    /**
     * @param rate above 0 if writes have intended starts
     * @param detached whether a write returns before it is done
     */
    public static LatencyRow of(Operation operation, long rate, boolean detached) {
        return new LatencyRow(operation, rate > 0, detached, false);
    }

    /** The same, and a reader follows. */
    public static LatencyRow tailed(Operation operation, long rate, boolean detached) {
        return new LatencyRow(operation, rate > 0, detached, true);
    }

    private int index(String latency) {
        return latencies.indexOf(latency);
    }

    /** The names of the series: those of the latencies in the row, then those that the recorder finds out. */
    public List<String> seriesNames() {
        List<String> names = new ArrayList<>(latencies);
        names.addAll(followed);
        return names;
    }

    public boolean measuresPreparation() {
        return measuresPreparation;
    }

    /** Where the latency is that ends when the write is prepared, or NONE. */
    public int afterPrepare() {
        return afterPrepare;
    }

    /** Where the latency is that ends when it is written, or NONE if that is measured together with the commit. */
    public int afterWrite() {
        return afterWrite;
    }

    /** Where the latency is that ends when it is committed. */
    public int afterCommit() {
        return afterCommit;
    }

    /** Where the sum of the former is, or NONE if there is only one. */
    public int total() {
        return index(Operation.TOTAL);
    }

    /** Where the latency from the intended start is, or NONE. */
    public int response() {
        return index(RESPONSE);
    }

    /** How many latencies come first. */
    public int latencies() {
        return latencies.size();
    }

    public boolean isFollowed() {
        return !followed.isEmpty();
    }

    public int position() {
        return latencies.size();
    }

    public int start() {
        return latencies.size() + 1;
    }

    /** Values per row. */
    public int width() {
        return isFollowed() ? latencies.size() + 2 : latencies.size();
    }
}
