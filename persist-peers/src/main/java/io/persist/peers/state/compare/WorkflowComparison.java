package io.persist.peers.state.compare;

import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.result.Median;
import io.persist.command.Text;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineConfig;
import io.persist.peers.state.StateEngineKind;
import io.persist.peers.state.workflow.WorkflowCheck;
import io.persist.peers.state.workflow.WorkflowPlan;
import io.persist.peers.state.workflow.WorkflowRun;
import io.persist.peers.state.workflow.WorkflowTimes;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What LittleHorse's state store has to do, see {@link WorkflowRun}: task runs per second, how long operations and
 * whole commands take, what the deletion of matured timers costs, and how much is written to the device.
 * Afterwards the engine is opened anew and all that it holds is compared with what it should hold.
 */
final class WorkflowComparison {

    static final String TITLE = """
            | engine | task runs/s | s | get p50 µs | p99 | longest ms | commit p50 µs | p99 | longest ms \
            | command p50 µs | p99 | p99.9 | longest ms | timers deleted | in s | longest step ms \
            | bytes of files per live byte: at the end | when idle | after s \
            | bytes to the device per byte put | open and verify s |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|""";

    private static final long NEWS_NS = TimeUnit.SECONDS.toNanos(10);

    /** What keys and the values besides the payload take for each task run, its timer included. */
    private static final int LIVE_OVERHEAD = 300;

    /** Files of both engines, and what is rewritten, for each live byte. */
    private static final int SPACE_FACTOR = 3;

    private final ComparisonSettings settings;
    private final PrintStream out;
    private final WorkflowPlan plan;
    private final Map<StateEngineKind, List<Double>> rates = new EnumMap<>(StateEngineKind.class);

    WorkflowComparison(ComparisonSettings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
        this.plan = settings.workflowPlan();
    }

    void run() throws IOException {
        directory(plan).close(); // says at once if there is too little space
        out.printf(
                "%s, %s, commits of %d commands, %d commands/s by its clock, timers %s in steps of %d%n%n",
                plan.size(),
                settings.durability,
                plan.commitEvery(),
                plan.commandsPerSecond(),
                Text.camelCase(plan.timers()),
                plan.timerStep());
        out.println(TITLE);
        for (int i = 0; i < settings.repeats; i++) {
            for (StateEngineKind kind : settings.engines) {
                warmUp(kind);
                measure(kind);
            }
        }
        printRatio();
    }

    private void warmUp(StateEngineKind kind) throws IOException {
        WorkflowPlan small = plan.warmUp();
        try (ScratchDirectory directory = directory(small);
                StateEngine engine = kind.open(StateEngineConfig.of(directory.path(), settings.durability))) {
            new WorkflowRun(engine, small).run(done -> {});
        }
    }

    private static ScratchDirectory directory(WorkflowPlan of) throws IOException {
        long live = of.size().taskRuns() * (of.size().payload() + LIVE_OVERHEAD);
        return ComparisonSettings.directory(SPACE_FACTOR * live);
    }

    private void measure(StateEngineKind kind) throws IOException {
        try (ScratchDirectory directory = directory(plan)) {
            StateEngineConfig config = StateEngineConfig.of(directory.path(), settings.durability)
                    .withCompaction((long) settings.compactionMiB << 20);
            DeviceWrites device = DeviceWrites.of(directory.path());
            OptionalLong writtenBefore = device.bytes();
            WorkflowRun run;
            long endBytes;
            long idleBytes;
            double idleS;
            try (StateEngine engine = kind.open(config)) {
                run = new WorkflowRun(engine, plan);
                run.run(news(kind));
                endBytes = engine.fileBytes();
                long startNs = System.nanoTime();
                engine.settle();
                idleS = secondsSince(startNs);
                idleBytes = engine.fileBytes();
            }
            DirectoryTree.sync(directory.path());
            String written = perByte(writtenBefore, device.bytes(), run.putBytes());
            long startNs = System.nanoTime();
            long liveBytes;
            try (StateEngine engine = kind.open(config)) {
                liveBytes = new WorkflowCheck(plan).run(engine, run.deletedTimers());
            }
            double verifyS = secondsSince(startNs);
            double rate = plan.size().taskRuns() / run.times().seconds();
            rates.computeIfAbsent(kind, any -> new ArrayList<>()).add(rate);
            StateComparison.row(
                    out,
                    "| %s | %.0f | %.1f %s | %d | %.2f | %.1f | %.2f | %.2f | %.1f | %s | %.1f |",
                    kind,
                    rate,
                    run.times().seconds(),
                    columns(run.times()),
                    run.deletedTimers(),
                    run.times().timerSeconds(),
                    run.times().timerStep.getMaxValue() / 1e6,
                    (double) endBytes / liveBytes,
                    (double) idleBytes / liveBytes,
                    idleS,
                    written,
                    verifyS);
        }
    }

    /** What the device wrote, whoever had it do that, for each byte that was put. */
    private static String perByte(OptionalLong before, OptionalLong after, long putBytes) {
        return before.isEmpty() || after.isEmpty()
                ? "not known"
                : String.format(Locale.ROOT, "%.2f", (double) (after.getAsLong() - before.getAsLong()) / putBytes);
    }

    private static String columns(WorkflowTimes times) {
        return columns(times.get, 50, 99) + columns(times.commit, 50, 99) + columns(times.command, 50, 99, 99.9);
    }

    private static String columns(Histogram times, double... percentiles) {
        StringBuilder columns = new StringBuilder();
        for (double percentile : percentiles) {
            columns.append(StateComparison.cell(times.getValueAtPercentile(percentile) / 1e3));
        }
        return columns.append(StateComparison.cell(times.getMaxValue() / 1e6)).toString();
    }

    /** Says how far a long run is. */
    private WorkflowRun.Progress news(StateEngineKind kind) {
        long[] lastNs = {System.nanoTime()};
        return done -> {
            if (System.nanoTime() - lastNs[0] > NEWS_NS) {
                lastNs[0] = System.nanoTime();
                System.err.println(kind + ": " + done + " of " + plan.size().commands() + " commands");
            }
        };
    }

    private static double secondsSince(long startNs) {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private void printRatio() {
        if (rates.containsKey(StateEngineKind.STORE) && rates.containsKey(StateEngineKind.ROCKSDB)) {
            out.println();
            StateComparison.row(
                    out,
                    "STORE: %.2f times as many task runs per second as ROCKSDB",
                    median(StateEngineKind.STORE) / median(StateEngineKind.ROCKSDB));
        }
    }

    private double median(StateEngineKind kind) {
        return Median.of(rates.get(kind).stream().mapToDouble(Double::doubleValue))
                .orElseThrow();
    }
}
