package io.persist.peers.state.growth;

import io.persist.bench.Machine;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.bench.result.RunOutput;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.peers.state.compare.ComparisonSettings;
import io.persist.peers.state.workflow.WorkflowState;
import io.persist.peers.trial.process.ChildFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@code bin/persist workflow}: the state of a workflow engine grows from empty, round after round in one store. */
public final class WorkflowProgram extends Program {

    static final String NAME = "workflow";

    /** Files of an engine for each live byte at the worst moment, and what timers and windows add. */
    private static final double SPACE_FACTOR = 2.5;

    private final WorkflowFlags flags = new WorkflowFlags();
    private final Map<GrowthEngine, GrowthResult> results = new EnumMap<>(GrowthEngine.class);
    private final Map<GrowthEngine, String> missing = new EnumMap<>(GrowthEngine.class);
    private boolean hasFailed;

    /** At its defaults. */
    public WorkflowProgram() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "",
                        "Grows the state of a workflow engine from empty, round after round in one store, as",
                        "LittleHorse's benchmark does: Persist's store, RocksDB as Kafka Streams configures it, and",
                        "SpeedB, each in a JVM of its own, in turn.")
                .note("By default there are 20 rounds of 1000x1000x50 task runs: 1.2 GB in the end; 3.4 GB have to be"
                        + " free.")
                .note("Tables go to standard output as Markdown, how far it is to standard error; --output has a run"
                        + " for each engine, with CSV files of rounds, windows and seconds beside it.")
                .note("In the end each engine is opened anew, and all that it holds is compared with what it has to"
                        + " hold.")
                .example("for a page", "--workflow 1000x1000x1000 --restore --dir /data --output runs")
                .example(
                        "until there are 24 GB",
                        "--workflow 1000x2000x1000 --grow-gb 24 --engine persist --heap 256m --dir /data")
                .exits("an engine failed, or there is too little space");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(Call call) throws IOException, InterruptedException {
        PrintStream out = call.out();
        PrintStream err = call.err();
        flags.validate();
        flags.paths.make();
        DiskSpace.require(
                flags.paths.dir(),
                neededBytes(flags),
                "the run takes",
                "fewer --rounds, a smaller --grow-gb or --workflow, or another --dir");
        try (Stop stop = Stop.onInterrupt();
                RunOutput output = GrowthFiles.take(flags)) {
            output.clear();
            Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            GrowthReport report = new GrowthReport(
                    flags, call.command(), Machine.of(flags.paths.dir()).environment(), startedAt);
            GrowthFiles files = new GrowthFiles(report, flags);
            report.printHeading(out);
            Path scratch = Files.createTempDirectory(flags.paths.dir(), "workflow-");
            try {
                GrowthProcess processes = new GrowthProcess(flags, scratch, stop::requested);
                for (GrowthEngine engine : flags.engines()) {
                    if (!stop.requested()) {
                        run(engine, processes, scratch, err);
                    }
                }
                report.printTables(results, missing, out);
                files.write(results, missing, scratch);
            } finally {
                DirectoryTree.delete(scratch);
            }
            if (stop.requested()) {
                err.println(prefix() + "interrupted; what had been measured is in the tables above");
            }
            return hasFailed || results.isEmpty() || stop.requested() ? FAILED : OK;
        }
    }

    /** The most that an engine's files take; of two engines there are never files at the same time. */
    static long neededBytes(WorkflowFlags flags) {
        double live = (double) flags.rounds() * WorkflowState.bytesPerRound(flags.workflow);
        return (long) (SPACE_FACTOR * live) + ComparisonSettings.EMPTY_ENGINE_LENGTH;
    }

    private void run(GrowthEngine engine, GrowthProcess processes, Path scratch, PrintStream err)
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
