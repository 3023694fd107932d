package io.persist.bench.measure;

import io.persist.bench.host.Pinning;
import io.persist.bench.latency.LatencyRecorder;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.latency.PositionLatencies;
import io.persist.bench.latency.PositionTimes;
import io.persist.bench.load.Follower;
import io.persist.bench.load.Journal;
import io.persist.bench.load.Producers;
import io.persist.bench.load.Rate;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.WriteLoop;
import io.persist.log.LogConfig;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lets the producers write to a journal, and records the latencies, until everything is as durable as it has to be. */
public final class Measurement {

    private final Setup setup;
    private final Journal journal;
    private final LogConfig config;

    /** @param config that the journal was opened with */
    public Measurement(Setup setup, Journal journal, LogConfig config) {
        this.setup = setup;
        this.journal = journal;
        this.config = config;
    }

    /**
     * Makes {@code count} writes at {@code rate}, or fewer if the deadline or a stop comes first, or the recording
     * fails.
     *
     * @param series those of {@link LatencyRow#seriesNames}
     */
    public Measured write(
            long count, long rate, long deadlineNs, List<LatencySeries> series, LatencyRecorder.Listener listener)
            throws IOException, Pinning.PinningException, ReadPass.VerificationException {
        List<PositionTimes> times = new ArrayList<>();
        List<PositionLatencies> latencies = new ArrayList<>();
        for (int i = 0; i < setup.followers().size(); i++) {
            PositionTimes each = new PositionTimes(System::nanoTime, journal.reached(config.durability()));
            times.add(each);
            latencies.add(new PositionLatencies(
                    each, setup.clockCost(), setup.producers().count()));
        }
        List<Follower> followers = new ArrayList<>();
        try (LatencyRecorder recorder = LatencyRecorder.start(
                series, setup.row(), setup.producers().count(), latencies, listener.and(stopOnFailure()))) {
            try {
                for (int i = 0; i < times.size(); i++) {
                    followers.add(setup.followers().get(i).start(journal, config, times.get(i)));
                }
                return write(count, rate, deadlineNs, recorder, followers);
            } finally {
                followers.forEach(Follower::close);
            }
        }
    }

    /** To write on would be in vain if nothing is recorded any more. */
    private LatencyRecorder.Listener stopOnFailure() {
        return new LatencyRecorder.Listener() {
            @Override
            public void onProgress(long rows) {}

            @Override
            public void onInterval(long endNs, List<LatencySeries> series) {}

            @Override
            public void onFailure() {
                setup.stop().request();
            }
        };
    }

    private Measured write(long count, long rate, long deadlineNs, LatencyRecorder recorder, List<Follower> followers)
            throws Pinning.PinningException, ReadPass.VerificationException {
        LogStatistics before = journal.statistics();
        long bytesBefore = journal.recordBytes();
        Producers.Result result = setup.producers().write(journal, count, rate, deadlineNs, recorder);
        long durableNs = result.written().endNs();
        for (int i = 0; i < followers.size() && result.written().count() > 0; i++) {
            followers.get(i).await(result.written());
            durableNs = i == 0 ? System.nanoTime() : durableNs;
        }
        return new Measured(
                result, durableNs, before, journal.statistics(), journal.recordBytes() - bytesBefore, recorder.waits());
    }

    /**
     * What was measured, beside the latencies.
     *
     * @param durableNs when everything had the durability that was asked for, which is the first thing that follows
     * @param before what the log had done before
     * @param after what the log had done then
     * @param recordBytes of the records that were written meanwhile, as {@link Journal#recordBytes} counts them
     * @param recorderWaits how often a producer had to wait for the recorder
     */
    public record Measured(
            Producers.Result result,
            long durableNs,
            LogStatistics before,
            LogStatistics after,
            long recordBytes,
            long recorderWaits) {

        public WriteLoop.Written written() {
            return result.written();
        }

        /** How far a counter of the log has gone meanwhile. */
        public long counted(Counter counter) {
            return after.get(counter) - before.get(counter);
        }

        /** From the last hand-off on. */
        long drainNs() {
            return Math.max(0, durableNs - written().endNs());
        }

        long durablePerSecond() {
            return Rate.perSecond(written().count(), durableNs - written().startNs());
        }
    }
}
