package io.persist.bench.cache;

import io.persist.bench.cache.CacheSeconds.Second;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a run has measured.
 *
 * @param sets sets that were acknowledged
 * @param gets gets that were answered
 * @param misses gets of items that were not there
 * @param elapsedNs from the first request to the last answer
 * @param latencies of sets and gets as their clients see them, by their names; ns
 * @param seconds what happened in each
 * @param checkpoint how long a checkpoint took that was asked for; null if none was
 * @param reopened what was found later; null if the engine keeps nothing
 */
record CacheResult(
        CacheTest test,
        CacheMode mode,
        String engine,
        long sets,
        long gets,
        long misses,
        long elapsedNs,
        Map<String, Histogram> latencies,
        List<Second> seconds,
        @Nullable Checkpoint checkpoint,
        @Nullable Reopened reopened) {

    /**
     * A checkpoint that was asked for.
     *
     * @param startNs since the beginning of the run
     * @param elapsedNs how long it took
     */
    record Checkpoint(long startNs, long elapsedNs) {}

    /**
     * The engine as it was opened anew.
     *
     * @param elapsedNs how long opening took
     * @param items how many had a set that was acknowledged
     * @param lost how many of these were not there, or had an older value
     */
    record Reopened(long elapsedNs, long items, long lost) {}

    long requests() {
        return sets + gets;
    }

    double perSecond() {
        return elapsedNs == 0 ? 0 : requests() * 1e9 / elapsedNs;
    }

    /** Of all requests, ns. */
    Histogram all() {
        Histogram all = CacheSeconds.histogram();
        latencies.values().forEach(all::add);
        return all;
    }
}
