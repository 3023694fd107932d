package io.persist.peers.trial.load;

import io.persist.peers.engine.Engine;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Appends at a fixed rate, however long the appends take. */
public final class OpenLoop {

    private static final long FOREVER_NS = Long.MAX_VALUE / 2;

    private OpenLoop() {}

    /** The first messages, at the same rate and in the same log, are the rest of the warm-up. */
    public static TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException {
        ClosedLoop.warmUp(trial, logs);
        Limits warmup = new Limits((long) (trial.warmupSeconds() * trial.rate()), trial.warmupNs());
        long[] elapsedNs = new long[1];
        ProducerThreads.Pass pass;
        try (Engine engine = logs.create("open-loop", warmup.messages() + trial.messages())) {
            pass = ProducerThreads.run(engine, trial.mode(), (loop, latencies) -> {
                loop.runAtRate(warmup, trial.rate(), new Histogram(latencies));
                sampling.begin();
                sampling.enter();
                long startNs = System.nanoTime();
                loop.runAtRate(new Limits(trial.messages(), FOREVER_NS), trial.rate(), latencies);
                elapsedNs[0] = System.nanoTime() - startNs;
                sampling.leave();
                sampling.end();
                return trial.messages();
            });
        }
        return TrialResult.of(pass.count(), elapsedNs[0], pass.latencies());
    }
}
