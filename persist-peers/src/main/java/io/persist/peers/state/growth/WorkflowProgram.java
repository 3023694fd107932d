package io.persist.peers.state.growth;

import io.persist.bench.Machine;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Ending;
import io.persist.command.launch.Commands;
import io.persist.peers.state.compare.ComparisonSettings;
import io.persist.peers.state.workflow.WorkflowState;
import io.persist.peers.trial.process.ChildFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a workflow engine grows from empty, round after round in one store, and that is shown over time, for
 * each engine in a process of its own.
 *
 * <pre>
 *   bin/persist workflow
 *   bin/persist workflow --workflow 1000x1000x1000 --rounds 20 --restore --dir /data --output runs
 *   bin/persist workflow --workflow 1000x2000x1000 --grow-gb 24 --engine persist --heap 256m
 * </pre>
 */
public final class WorkflowProgram {

    static final String NAME = "workflow";
    private static final String PREFIX = "persist " + NAME + ": ";

    /** Files of an engine for each live byte at the worst moment, and what timers and windows add. */
    private static final double SPACE_FACTOR = 2.5;

    private final WorkflowFlags flags;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<GrowthEngine, GrowthResult> results = new EnumMap<>(GrowthEngine.class);
    private final Map<GrowthEngine, String> missing = new EnumMap<>(GrowthEngine.class);
    private boolean hasFailed;

    private WorkflowProgram(WorkflowFlags flags, PrintStream out, PrintStream err) {
        this.flags = flags;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] args) {
        Commands.end(WorkflowProgram::run, args);
    }

    /** Runs the program; returns its exit code, as {@link Command} has them. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Ending.of(() -> tryRun(args, out, err), PREFIX, err);
    }

    private static int tryRun(String[] args, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        WorkflowFlags flags = new WorkflowFlags();
        CommandLine commandLine = CommandLine.of(flags);
        commandLine.parse(args);
        if (flags.help) {
            WorkflowHelp.print(commandLine, out);
            return Command.OK;
        }
        flags.validate();
        List<String> command = new ArrayList<>(List.of("bin/persist", NAME));
        command.addAll(Arrays.asList(args));
        return new WorkflowProgram(flags, out, err).measure(command);
    }

    private int measure(List<String> command) throws IOException, InterruptedException {
        flags.paths.make();
        DiskSpace.require(
                flags.paths.dir(),
                neededBytes(flags),
                "the run takes",
                "fewer --rounds, a smaller --grow-gb or --workflow, or another --dir");
        Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        GrowthReport report =
                new GrowthReport(flags, command, Machine.of(flags.paths.dir()).environment(), startedAt);
        GrowthFiles files = new GrowthFiles(report, flags);
        files.forgetRuns();
        report.printHeading(out);
        Path scratch = Files.createTempDirectory(flags.paths.dir(), "workflow-");
        try (Stop stop = Stop.onInterrupt()) {
            try {
                GrowthProcess processes = new GrowthProcess(flags, scratch, stop::requested);
                for (GrowthEngine engine : flags.engines()) {
                    if (!stop.requested()) {
                        run(engine, processes, scratch);
                    }
                }
                report.printTables(results, missing, out);
                files.write(results, missing, scratch);
            } finally {
                DirectoryTree.delete(scratch);
            }
            if (stop.requested()) {
                err.println(PREFIX + "interrupted; what had been measured is in the tables above");
            }
            return hasFailed || results.isEmpty() || stop.requested() ? Command.FAILED : Command.OK;
        }
    }

    /** The most that an engine's files take; of two engines there are never files at the same time. */
    static long neededBytes(WorkflowFlags flags) {
        double live = (double) flags.rounds() * WorkflowState.bytesPerRound(flags.workflow);
        return (long) (SPACE_FACTOR * live) + ComparisonSettings.EMPTY_ENGINE_LENGTH;
    }

    private void run(GrowthEngine engine, GrowthProcess processes, Path scratch)
            throws IOException, InterruptedException {
        String reason = engine.missing(flags.speedb());
        if (!reason.isEmpty()) {
            err.println(engine.id() + ": not measured: " + reason);
            missing.put(engine, reason);
            return;
        }
        try {
            Path latencies = GrowthFiles.latencies(scratch, engine);
            results.put(engine, processes.run(engine, latencies, line -> err.println(engine.id() + ": " + line)));
        } catch (ChildFailure e) {
            String failure = String.valueOf(e.getMessage());
            err.println(engine.id() + ": failed: " + failure);
            missing.put(engine, "failed: " + failure);
            // SpeedB need not load everywhere, unless it is what was asked for alone.
            hasFailed |= engine != GrowthEngine.SPEEDB;
        }
    }
}
