package io.persist.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured of each write, and where it is in the rows of a {@link LatencyRing}. First the latencies that are
 * known when the write has returned; detached, then its position and its start, from which the recorder finds out the
 * durable latency.
 *
 * @param paced whether writes have intended starts
 * @param detached whether a write returns before it is done
 */
record LatencyRow(boolean paced, boolean detached) {

    /** Where the latency of the write itself is. */
    static final int WRITE = 0;

    /** Where the latency from the intended start is, if there is one. */
    static final int RESPONSE = 1;

    static LatencyRow of(long rate, boolean detached) {
        return new LatencyRow(rate > 0, detached);
    }

    /** The names of the series: those of the latencies in the row, then the one that the recorder finds out. */
    List<String> seriesNames() {
        List<String> names = new ArrayList<>();
        names.add(detached ? "hand-off" : "write");
        if (paced) {
            names.add("response");
        }
        if (detached) {
            names.add("durable");
        }
        return names;
    }

    /** How many latencies come first. */
    int latencies() {
        return paced ? 2 : 1;
    }

    int position() {
        return latencies();
    }

    int start() {
        return latencies() + 1;
    }

    /** Values per row. */
    int width() {
        return detached ? latencies() + 2 : latencies();
    }
}
