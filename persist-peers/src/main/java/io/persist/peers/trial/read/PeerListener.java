package io.persist.peers.trial.read;

import io.persist.peers.engine.Engine;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.process.ChildMain;
import io.persist.peers.trial.process.ParentWatch;
import java.io.IOException;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/** The main class of the process that reads what a trial appends: gets the trial, leaves a result. */
final class PeerListener {

    /** The line of standard output that says that it is polling. */
    static final String READY = "persist-peers: ready";

    private PeerListener() {}

    public static void main(String[] args) {
        ParentWatch.start();
        System.exit(ChildMain.exitCode(() -> run(Trial.load(Path.of(args[0])), Path.of(args[1]))));
    }

    private static void run(Trial trial, Path result) throws IOException {
        Logs logs = new Logs(trial);
        try (Engine engine = logs.open(Listening.LOG, 0, 0);
                MessageReader reader = engine.reader()) {
            Listener listener = new Listener(Listening.warmup(trial), trial.messages());
            System.out.println(READY);
            Histogram latencies = listener.run(reader);
            TrialResult.of(latencies.getTotalCount(), listener.elapsedNs(), latencies)
                    .save(result);
        }
    }
}
