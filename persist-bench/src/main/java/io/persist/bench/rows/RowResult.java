package io.persist.bench.rows;

import java.time.Instant;
import org.HdrHistogram.Histogram;

/**
 * What came of a run.
 *
 * @param batchSize rows of each commit
 * @param rows that were inserted
 * @param elapsedNs of the batches alone
 * @param commits how long each batch took, from its begin until its commit had returned, ns
 * @param fileBytes what it left on the disk, once it was closed
 */
record RowResult(
        RowEngine engine,
        RowPromise promise,
        Instant startedAt,
        long batchSize,
        long rows,
        long elapsedNs,
        Histogram commits,
        long fileBytes) {

    double perSecond() {
        return elapsedNs == 0 ? 0 : rows * 1e9 / elapsedNs;
    }

    /** Mean time of a batch, ns. */
    double batchNs() {
        return commits.getTotalCount() == 0 ? 0 : (double) elapsedNs / commits.getTotalCount();
    }
}
