package io.persist.peers.trial.read;

import io.persist.bench.host.WorkThread;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.load.ProducerThreads;
import io.persist.peers.trial.process.ChildJvm;
import io.persist.peers.trial.process.ChildMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;

/** Appends at a fixed rate while another thread or another process reads. */
public final class Listening {

    static final String LOG = "listen";

    private Listening() {}

    /** How many messages come before those that are measured. */
    static long warmup(Trial trial) {
        return (long) (trial.warmupSeconds() * trial.rate());
    }

    public static TrialResult inThread(Trial trial, Logs logs, Sampling sampling)
            throws IOException, InterruptedException {
        try (Engine engine = logs.create(LOG, warmup(trial) + trial.messages())) {
            CountDownLatch opened = new CountDownLatch(1);
            WorkThread<Histogram> listener = WorkThread.start("listener", () -> {
                try (MessageReader reader = open(engine, opened)) {
                    return new Listener(warmup(trial), trial.messages()).run(reader);
                }
            });
            try {
                opened.await();
                long elapsedNs = append(engine, trial, sampling);
                return TrialResult.of(trial.messages(), elapsedNs, listener.result());
            } finally {
                listener.end(); // nobody reads by the engine when it is closed
            }
        } catch (ExecutionException e) {
            throw new IOException("the reader failed: " + ChildMain.describe(Objects.requireNonNull(e.getCause())), e);
        }
    }

    /** Some see only what is appended from then on. */
    private static MessageReader open(Engine engine, CountDownLatch opened) throws IOException {
        try {
            return engine.reader();
        } finally {
            opened.countDown();
        }
    }

    public static TrialResult inProcess(Trial trial, Logs logs, Sampling sampling)
            throws IOException, InterruptedException {
        Path spec = Path.of(trial.directory(), "listener.json");
        Path result = Path.of(trial.directory(), "listened.json");
        trial.save(spec);
        try (Engine engine = logs.create(LOG, warmup(trial) + trial.messages())) {
            Process reader = ChildJvm.start(PeerListener.class, Path.of(trial.directory()), spec, result);
            try {
                ChildJvm.awaitLine(reader, PeerListener.READY);
                append(engine, trial, sampling);
                int code = reader.waitFor();
                if (code != 0) {
                    throw new IOException("the reading process failed: exit code " + code);
                }
            } finally {
                reader.destroyForcibly();
            }
            return TrialResult.load(result);
        }
    }

    /** Returns how long the messages that are measured took. */
    private static long append(Engine engine, Trial trial, Sampling sampling) throws IOException, InterruptedException {
        long[] elapsedNs = new long[1];
        ProducerThreads.run(engine, trial.mode(), (loop, latencies) -> {
            loop.runStamped(warmup(trial), trial.rate());
            sampling.begin();
            sampling.enter();
            long startNs = System.nanoTime();
            loop.runStamped(trial.messages(), trial.rate());
            elapsedNs[0] = System.nanoTime() - startNs;
            sampling.leave();
            sampling.end();
            return trial.messages();
        });
        return elapsedNs[0];
    }
}
