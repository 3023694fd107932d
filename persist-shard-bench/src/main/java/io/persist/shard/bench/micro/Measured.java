package io.persist.shard.bench.micro;

import org.HdrHistogram.Histogram;

/**
 * What a benchmark has measured.
 *
 * @param set the name of the records' sizes
 * @param benchmark which
 * @param backend the name of the place
 * @param latencies of single operations, in ns
 * @param countedNs what all of them took together, with what Materialize counts besides
 */
record Measured(String set, Benchmark benchmark, String backend, Histogram latencies, long countedNs) {

    long count() {
        return latencies.getTotalCount();
    }

    /** The mean as Materialize has it, in ns. */
    double meanNs() {
        return count() == 0 ? 0 : (double) countedNs / count();
    }
}
