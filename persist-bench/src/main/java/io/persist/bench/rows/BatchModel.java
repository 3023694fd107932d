package io.persist.bench.rows;

import java.util.List;

/**
 * The model of batches: one of n rows takes a sync, whatever is in it, and n times what a row takes. Fitted to what was
 * measured by least squares of the relative deviations, since batches differ by factors.
 *
 * @param syncNs of each batch
 * @param rowNs of each row
 */
record BatchModel(double syncNs, double rowNs) {

    /** @param results of at least two sizes of batches */
    static BatchModel fit(List<RowRun.Result> results) {
        double one = 0;
        double n = 0;
        double nn = 0;
        double t = 0;
        double nt = 0;
        for (RowRun.Result result : results) {
            double weight = 1 / (result.batchNs() * result.batchNs());
            double size = result.batchSize();
            one += weight;
            n += weight * size;
            nn += weight * size * size;
            t += weight * result.batchNs();
            nt += weight * size * result.batchNs();
        }
        double determinant = one * nn - n * n;
        double sync = (nn * t - n * nt) / determinant;
        double row = (one * nt - n * t) / determinant;
        if (sync < 0) {
            return new BatchModel(0, nt / nn);
        }
        return row < 0 ? new BatchModel(t / one, 0) : new BatchModel(sync, row);
    }

    /** Rows per second in batches of this size: n / (sync + n·w). */
    double perSecond(long batchSize) {
        return batchSize * 1e9 / (syncNs + batchSize * rowNs);
    }
}
