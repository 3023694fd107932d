package io.persist.peers;

import io.persist.bench.host.DirectoryTree;
import io.persist.command.Command;
import io.persist.peers.profile.Profile;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.process.ChildFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
        Results results = new Results(plan, rounds, surroundings, flags, startedAt);
        Path scratch = Files.createTempDirectory(flags.paths().dir(), "compare-peers-");
        try {
            int count = plan.trials().size() + profiled().size();
            Progress progress = new Progress(count, err);
            for (Mode mode : flags.modes()) {
                TrialProcess processes = new TrialProcess(scratch, jvmFlags, flags.timeout(mode), stopped);
                run(mode, processes, progress, out);
            }
        } finally {
            DirectoryTree.delete(scratch);
        }
        writeFiles(results);
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

    /** Runs the trials of a mode, and prints what came of them. */
    private void run(Mode mode, TrialProcess processes, Progress progress, PrintStream out)
            throws IOException, InterruptedException {
        for (Trial trial : plan.trials()) {
            if (trial.mode() == mode && !stopped.getAsBoolean()) {
                run(trial, processes, progress);
            }
        }
        if (!plan.engines(mode).isEmpty()) {
            PeersTable table = new PeersTable(plan, rounds);
            (stopped.getAsBoolean() ? table.linesSoFar(mode) : table.lines(mode)).forEach(out::println);
            out.flush();
        }
        for (Trial trial : profiled()) {
            if (trial.mode() == mode && !stopped.getAsBoolean()) {
                profile(trial, processes, progress).forEach(out::println);
                out.flush();
            }
        }
    }

    private void run(Trial trial, TrialProcess processes, Progress progress) throws IOException, InterruptedException {
        progress.begin(trial);
        try {
            TrialResult result = processes.run(trial);
            rounds.add(trial, result);
            progress.done(trial, result);
        } catch (ChildFailure e) {
            failed(trial, e, progress);
        }
    }

    private void failed(Trial trial, ChildFailure e, Progress progress) {
        progress.failed(String.valueOf(e.getMessage()));
        failures.add(trial.mode().id() + ", " + trial.turn() + ", " + trial.engine() + ": " + e.getMessage());
    }

    /** The trials that are for profiles; none if none are wanted. */
    private List<Trial> profiled() {
        return flags.profile() == null
                ? List.of()
                : flags.modes().stream()
                        .flatMap(mode -> plan.profiled(mode).stream())
                        .toList();
    }

    /** Returns the lines to print. */
    private List<String> profile(Trial trial, TrialProcess processes, Progress progress)
            throws IOException, InterruptedException {
        progress.begin(trial);
        try {
            Path flameGraph =
                    Objects.requireNonNull(flags.profile()).resolve(trial.mode().id() + "-" + trial.engine() + ".html");
            Profile profile = processes.profile(trial, flameGraph);
            progress.done(profile, flameGraph);
            return new ProfileTable(trial, profile, flameGraph).lines();
        } catch (ChildFailure e) {
            failed(trial, e, progress);
            return List.of();
        }
    }

    private void writeFiles(Results results) throws IOException {
        Path json = flags.paths().json();
        if (json != null) {
            results.writeJson(json, failures);
        }
        Path output = flags.paths().output();
        if (output != null) {
            results.writeRuns(output);
        }
    }
}
