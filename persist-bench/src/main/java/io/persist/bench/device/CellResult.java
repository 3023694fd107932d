package io.persist.bench.device;

import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Trait;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What came of a cell.
 *
 * @param latencies in ns; empty if it could not be measured
 * @param elapsedNs from the first operation to the last one's end, without what the growing file took to be emptied
 * @param cpuNs of all threads of the process meanwhile
 * @param cached whether the reads may have been served by the page cache
 * @param fioPerSecond of fio's equivalent; null if it was not asked, or cannot
 * @param missing why it is empty; empty if it is not
 * @param note what is not as it was asked for: that it was cut short, why there is nothing of fio; empty if all is
 */
record CellResult(
        Cell cell,
        Instant startedAt,
        Histogram latencies,
        double perSecond,
        long elapsedNs,
        long cpuNs,
        boolean cached,
        @Nullable Double fioPerSecond,
        String missing,
        String note) {

    static CellResult empty(Cell cell, String why) {
        return new CellResult(cell, Instant.now(), new Histogram(3), 0, 0, 0, false, null, why, "");
    }

    boolean isEmpty() {
        return !missing.isEmpty();
    }

    long operations() {
        return latencies.getTotalCount();
    }

    /** Of 10^6 bytes. */
    double megabytesPerSecond(int block) {
        return perSecond * block / 1e6;
    }

    double cpuSecondsPerOperation() {
        return operations() == 0 ? 0 : cpuNs / 1e9 / operations();
    }

    /** This engine's operations per one of fio's; null if that is not known. */
    @Nullable
    Double ratioToFio() {
        return isEmpty() || fioPerSecond == null || fioPerSecond == 0 ? null : perSecond / fioPerSecond;
    }

    /** Whether reads of such a cell may come from memory. */
    static boolean isCached(Cell cell, long bytes, long memoryBytes) {
        return cell.operation() == Operation.READ && !cell.engine().has(Trait.DIRECT) && bytes <= memoryBytes;
    }
}
