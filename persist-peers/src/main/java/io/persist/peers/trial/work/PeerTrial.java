package io.persist.peers.trial.work;

import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.process.ChildMain;
import io.persist.peers.trial.process.ParentWatch;
import java.nio.file.Path;

/**
 * The main class of a trial's JVM: gets a file with the trial, leaves one with the result, and the profile, if there is
 * to be one, beside it. If it fails, the last line of standard error says why.
 */
public final class PeerTrial {

    private PeerTrial() {}

    public static void main(String[] args) {
        ParentWatch.start();
        System.exit(ChildMain.exitCode(() -> run(Trial.load(Path.of(args[0])), Path.of(args[1]))));
    }

    private static void run(Trial trial, Path result) throws Exception {
        Sampling sampling = Sampling.of(trial, result.resolveSibling(""));
        Workload.of(trial.mode()).run(trial, new Logs(trial), sampling).save(result);
    }
}
