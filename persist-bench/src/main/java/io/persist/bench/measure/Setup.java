package io.persist.bench.measure;

import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.load.Follower;
import io.persist.bench.load.Journal;
import io.persist.bench.load.Producers;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.log.LogConfig;
import java.util.List;

/**
 * What the phases of a program share.
 *
 * @param opener opens a log as it is measured
 * @param row what is measured of each write
 * @param producers the threads that write
 * @param followers what follows the writes, in the order of {@link LatencyRow#seriesNames}
 * @param warmUpReader reads back what was written to a scratch log
 */
public record Setup(
        Journal.Opener opener,
        LatencyRow row,
        Producers producers,
        List<Follower.Starter> followers,
        ClockCost clockCost,
        WarmUpReader warmUpReader,
        Stop stop) {

    Journal open(LogConfig config) {
        return opener.open(config);
    }

    /** Reads up to {@code limit} of what was written, in all ways that the program does. */
    @FunctionalInterface
    public interface WarmUpReader {

        void read(Journal journal, Stretch stretch, long limit) throws ReadPass.VerificationException;
    }
}
