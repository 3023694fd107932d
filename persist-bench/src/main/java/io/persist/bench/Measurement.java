package io.persist.bench;

import io.persist.format.Counter;
import io.persist.log.LogConfig;
import io.persist.log.LogStatistics;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets the producers write to a journal, and records the latencies, until everything is as durable as it has to be. */
final class Measurement {

    private final Setup setup;
    private final Journal journal;
    private final LogConfig config;

    /** @param config that the journal was opened with */
    Measurement(Setup setup, Journal journal, LogConfig config) {
        this.setup = setup;
        this.journal = journal;
        this.config = config;
    }

    /**
     * Writes {@code count} messages at {@code rate}, or fewer if the deadline or a stop comes first.
     *
     * @param series those of {@link LatencyRow#seriesNames}
     */
    Measured write(
            long count, long rate, long deadlineNs, List<LatencySeries> series, LatencyRecorder.Listener listener)
            throws IOException, Pinning.PinningException {
        int producers = setup.producers().count();
        if (!setup.row().detached()) {
            try (LatencyRecorder recorder = LatencyRecorder.start(series, setup.row(), producers, null, listener)) {
                return write(count, rate, deadlineNs, recorder, null);
            }
        }
        PositionTimes times = new PositionTimes(System::nanoTime, journal.reached(config.durability()));
        DurableLatencies durable = new DurableLatencies(times, setup.clockCost(), producers);
        try (LatencyRecorder recorder = LatencyRecorder.start(series, setup.row(), producers, durable, listener);
                PositionFollower follower =
                        PositionFollower.start(journal, config.durability(), config.writeMode(), times)) {
            return write(count, rate, deadlineNs, recorder, follower);
        }
    }

    private Measured write(
            long count, long rate, long deadlineNs, LatencyRecorder recorder, @Nullable PositionFollower follower)
            throws Pinning.PinningException {
        LogStatistics before = journal.statistics();
        Producers.Result result = setup.producers().write(journal, count, rate, deadlineNs, recorder);
        long durableNs = result.written().endNs();
        if (follower != null && result.written().messages() > 0) {
            journal.await(result.written().position(), config.durability(), Long.MAX_VALUE);
            durableNs = System.nanoTime();
        }
        return new Measured(result, durableNs, before, journal.statistics(), recorder.waits());
    }

    /**
     * What was measured, beside the latencies.
     *
     * @param durableNs when everything had the durability that was asked for
     * @param before what the log had done before
     * @param after what the log had done then
     * @param recorderWaits how often a producer had to wait for the recorder
     */
    record Measured(
            Producers.Result result, long durableNs, LogStatistics before, LogStatistics after, long recorderWaits) {

        WriteLoop.Written written() {
            return result.written();
        }

        /** How far a counter of the log has gone meanwhile. */
        long counted(Counter counter) {
            return after.get(counter) - before.get(counter);
        }

        /** From the last hand-off on. */
        long drainNs() {
            return Math.max(0, durableNs - written().endNs());
        }

        long durablePerSecond() {
            return Rate.perSecond(written().messages(), durableNs - written().startNs());
        }
    }
}
