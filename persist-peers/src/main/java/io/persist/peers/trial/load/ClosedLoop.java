package io.persist.peers.trial.load;

import io.persist.peers.engine.Engine;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;

/** Appends as fast as it goes, from one thread or several. */
public final class ClosedLoop {

    private ClosedLoop() {}

    /** Measures the rate without clocks, then the latencies on another new log; only the former is sampled. */
    public static TrialResult unsynced(Trial trial, Logs logs, Sampling sampling)
            throws IOException, InterruptedException {
        warmUp(trial, logs);
        Limits limits = trial.limits().share(trial.mode().producers());
        ProducerThreads.Pass rate = pass(trial, logs, "rate", sampling, (loop, latencies) -> loop.run(limits));
        ProducerThreads.Pass timed =
                pass(trial, logs, "latency", Sampling.NONE, (loop, latencies) -> loop.run(limits, latencies));
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

    /** Both loops, on a log that is deleted. */
    static void warmUp(Trial trial, Logs logs) throws IOException, InterruptedException {
        Limits limits = trial.warmup().share(trial.mode().producers());
        try (Engine engine = logs.create("warm-up", 2 * trial.warmup().messages())) {
            ProducerThreads.run(engine, trial.mode(), (loop, latencies) -> {
                loop.run(limits, latencies);
                return loop.run(limits);
            });
        }
        logs.delete("warm-up");
    }
}
