package io.persist.peers.trial.read;

import io.persist.peers.engine.Engine;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Survival;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.load.AppendLoop;
import io.persist.peers.trial.load.Stamp;
import io.persist.peers.trial.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Opens a log that another process has left behind, and appends to it. */
public final class Reopening {

    static final String LOG = "reopen";

    private static final int WARM_UPS = 2;
    private static final int WARM_UP_MESSAGES = 100;

    private Reopening() {}

    public static TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException {
        warmUp(trial, logs);
        long count = fill(trial);
        long elapsedNs = open(logs, LOG, count, sampling);
        if (trial.round() == 1) {
            check(trial, logs, count);
        }
        return TrialResult.ofFigures(Map.of(Metric.OPEN_MS, elapsedNs / 1e6, Metric.LOG_MIB, Replay.mib(trial, count)));
    }

    /** Loads the classes, by a short log. */
    private static void warmUp(Trial trial, Logs logs) throws IOException {
        try (Engine engine = logs.create("warm-up", WARM_UP_MESSAGES);
                Producer producer = engine.producer()) {
            new AppendLoop(producer, trial.mode()).run(Limits.of(WARM_UP_MESSAGES, 1));
            engine.drain();
        }
        for (int i = 0; i < WARM_UPS; i++) {
            open(logs, "warm-up", WARM_UP_MESSAGES, Sampling.NONE);
        }
    }

    /** Has another process write the log; returns how many messages it has at least. */
    private static long fill(Trial trial) throws IOException, InterruptedException {
        Path spec = Path.of(trial.directory(), "filler.json");
        trial.save(spec);
        Process filler = ChildJvm.start(LogFiller.class, Path.of(trial.directory()), spec);
        try {
            long count = Long.parseLong(ChildJvm.awaitLine(filler, LogFiller.READY));
            if (trial.mode() == Mode.REOPEN && filler.waitFor() != 0) {
                throw new IOException("the writing process failed: exit code " + filler.exitValue());
            }
            return count;
        } finally {
            filler.destroyForcibly().waitFor();
        }
    }

    /** From the start of opening until a message has been appended, ns. */
    private static long open(Logs logs, String name, long sequence, Sampling sampling) throws IOException {
        sampling.begin();
        sampling.enter();
        long startNs = System.nanoTime();
        try (Engine engine = logs.open(name, 1, 1);
                Producer producer = engine.producer()) {
            Stamp.putSequence(producer.message(), sequence);
            producer.append();
            long elapsedNs = System.nanoTime() - startNs;
            sampling.leave();
            sampling.end();
            return elapsedNs;
        }
    }

    /** Whether all is there that the engine says survives; it must have been closed before. */
    private static void check(Trial trial, Logs logs, long count) throws IOException {
        boolean survives = trial.mode() == Mode.REOPEN
                || trial.mode().survival(trial.kind()).compareTo(Survival.KILL) >= 0;
        if (!survives) {
            return;
        }
        try (Engine engine = logs.open(LOG, 0, 0);
                MessageReader reader = engine.reader()) {
            new Replay.Order().read(reader, count);
        }
    }
}
