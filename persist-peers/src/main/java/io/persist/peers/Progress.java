package io.persist.peers;

import io.persist.peers.profile.Profile;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One line per trial. */
final class Progress {

    private final int total;
    private final PrintStream err;
    private final long startNs = System.nanoTime();
    private int begun;

    Progress(int total, PrintStream err) {
        this.total = total;
        this.err = err;
    }

    void begin(Trial trial) {
        err.print("[" + ++begun + " of " + total + remaining() + "] "
                + trial.mode().id() + ", " + trial.turn() + ", " + trial.engine() + ": ");
        err.flush();
    }

    private String remaining() {
        int done = begun - 1;
        if (done == 0) {
            return "";
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds((System.nanoTime() - startNs) / done * (total - done));
        return ", about " + (seconds < 100 ? seconds + " s" : (seconds + 30) / 60 + " min") + " left";
    }

    void done(Trial trial, TrialResult result) {
        Map<Metric, Double> metrics = result.metrics();
        err.println(metrics.entrySet().stream()
                .filter(each -> trial.mode().metrics().contains(each.getKey()))
                .map(each -> each.getKey().heading() + " " + each.getKey().format(each.getValue()))
                .collect(Collectors.joining(", ")));
    }

    void done(Profile profile, Path flameGraph) {
        err.println(profile.samples() + " samples, " + flameGraph);
    }

    void failed(String reason) {
        err.println("failed: " + reason);
    }
}
