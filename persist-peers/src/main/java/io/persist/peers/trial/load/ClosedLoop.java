package io.persist.peers.trial.load;

import io.persist.peers.engine.Engine;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.util.function.Function;

/** Appends as fast as it goes, from one thread or several. */
public final class ClosedLoop {

    private ClosedLoop() {}

    /**
     * Measures the rate without clocks, then the latencies on other new logs; only the former is sampled. Either goes
     * on for as long as it is to, whatever fits a log: one that appends faster has no shorter pass.
     */
    public static TrialResult unsynced(Trial trial, Logs logs, Sampling sampling)
            throws IOException, InterruptedException {
        warmUp(trial, logs);
        ProducerThreads.Pass rate = passes(trial, logs, "rate", sampling, limits -> (loop, none) -> loop.run(limits));
        ProducerThreads.Pass timed = passes(
                trial, logs, "latency", Sampling.NONE, limits -> (loop, latencies) -> loop.run(limits, latencies));
        return TrialResult.of(rate.count(), rate.elapsedNs(), timed.latencies());
    }

    /** Measures both at once: what the clocks take is nothing beside a sync. */
    public static TrialResult synced(Trial trial, Logs logs, Sampling sampling)
            throws IOException, InterruptedException {
        warmUp(trial, logs);
        Limits limits = trial.limits();
        ProducerThreads.Pass pass =
                pass(trial, logs, "synced", sampling, (loop, latencies) -> loop.run(limits, latencies));
        return TrialResult.of(pass.count(), pass.elapsedNs(), pass.latencies());
    }

    /** In one log after the other, until as much time has gone by as a pass takes. Opening them is not in it. */
    private static ProducerThreads.Pass passes(
            Trial trial, Logs logs, String name, Sampling sampling, Function<Limits, ProducerThreads.Work> work)
            throws IOException, InterruptedException {
        ProducerThreads.Pass all = new ProducerThreads.Pass(0, 0, Latencies.empty());
        do {
            Limits left = new Limits(trial.messages(), trial.limits().durationNs() - all.elapsedNs());
            all = all.plus(pass(
                    trial,
                    logs,
                    name,
                    sampling,
                    work.apply(left.share(trial.mode().producers()))));
        } while (all.elapsedNs() < trial.limits().durationNs());
        return all;
    }

    private static ProducerThreads.Pass pass(
            Trial trial, Logs logs, String name, Sampling sampling, ProducerThreads.Work work)
            throws IOException, InterruptedException {
        ProducerThreads.Pass pass;
        try (Engine engine = logs.create(name, trial.messages())) {
            pass = ProducerThreads.run(engine, trial.mode(), sampling, work);
        }
        logs.delete(name);
        return pass;
    }

    /**
     * Both loops, for the same time with each engine: the JIT compiler needs more appends for one than for another. A
     * new log is begun before one fills the disk or the memory; all are deleted. Returns how long they appended, ns.
     */
    static long warmUp(Trial trial, Logs logs) throws IOException, InterruptedException {
        long leftNs = trial.warmupNs();
        while (leftNs > 0) {
            Limits half = new Limits(trial.warmupMessages(), leftNs)
                    .half()
                    .share(trial.mode().producers());
            try (Engine engine = logs.create("warm-up", trial.warmupMessages())) {
                leftNs -= ProducerThreads.run(engine, trial.mode(), (loop, latencies) -> {
                            long timed = loop.run(half, latencies);
                            return timed + loop.run(half);
                        })
                        .elapsedNs();
            }
            logs.delete("warm-up");
        }
        return trial.warmupNs() - leftNs;
    }
}
