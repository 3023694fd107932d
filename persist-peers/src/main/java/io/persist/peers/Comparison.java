package io.persist.peers;

import io.persist.bench.Command;
import io.persist.bench.DirectoryTree;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Runs all trials of a plan, prints each mode's table as soon as it is done, and leaves the files that are wanted. */
final class Comparison {

    private final PeersParameters flags;
    private final Plan plan;
    private final Surroundings surroundings;
    private final List<String> jvmFlags;
    private final BooleanSupplier stopped;
    private final Rounds rounds = new Rounds();
    private final List<String> failures = new ArrayList<>();

    /** @param stopped whether the user wants it to end */
    Comparison(
            PeersParameters flags,
            Plan plan,
            Surroundings surroundings,
            List<String> jvmFlags,
            BooleanSupplier stopped) {
        this.flags = flags;
        this.plan = plan;
        this.surroundings = surroundings;
        this.jvmFlags = jvmFlags;
        this.stopped = stopped;
    }

    /** Returns the exit code. */
    int run(PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Path scratch = Files.createTempDirectory(flags.dir(), "compare-peers-");
        try {
            TrialProcess processes = new TrialProcess(scratch, jvmFlags, flags.timeout(), stopped);
            Progress progress = new Progress(plan.trials().size(), err);
            PeersTable table = new PeersTable(plan, rounds);
            for (Mode mode : flags.modes()) {
                for (Trial trial : plan.trials()) {
                    if (trial.mode() == mode && !stopped.getAsBoolean()) {
                        run(trial, processes, progress);
                    }
                }
                if (!plan.engines(mode).isEmpty() && !stopped.getAsBoolean()) {
                    table.lines(mode).forEach(out::println);
                    out.flush();
                }
            }
        } finally {
            DirectoryTree.delete(scratch);
        }
        writeFiles(startedAt);
        if (stopped.getAsBoolean()) {
            err.println("persist compare-peers: interrupted; what had been measured is in the tables above");
        }
        if (!failures.isEmpty()) {
            out.println("## Failures");
            out.println();
            failures.forEach(failure -> out.println("- " + failure));
        }
        return failures.isEmpty() && !stopped.getAsBoolean() ? Command.OK : Command.FAILED;
    }

    private void run(Trial trial, TrialProcess processes, Progress progress) throws IOException, InterruptedException {
        progress.begin(trial);
        try {
            TrialResult result = processes.run(trial);
            rounds.add(trial, result);
            progress.done(trial, result);
        } catch (TrialProcess.FailedException e) {
            progress.failed(String.valueOf(e.getMessage()));
            failures.add(
                    trial.mode().id() + ", round " + trial.round() + ", " + trial.engine() + ": " + e.getMessage());
        }
    }

    private void writeFiles(Instant startedAt) throws IOException {
        Results results = new Results(plan, rounds, surroundings, flags, startedAt);
        Path json = flags.json();
        if (json != null) {
            results.writeJson(json, failures);
        }
        Path output = flags.output();
        if (output != null) {
            results.writeRuns(output);
        }
    }
}
