package io.persist.peers.state.growth;

import com.google.gson.GsonBuilder;
import io.persist.command.Text;
import io.persist.peers.state.workflow.WorkflowSize;
import io.persist.peers.state.workflow.WorkflowState;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code bin/persist workflow} prints: how the figures came about, a row per engine, and how each engine grew.
 *
 * @param command the command line
 * @param environment the machine
 * @param startedAt when it began
 */
record GrowthReport(WorkflowFlags flags, List<String> command, Map<String, String> environment, Instant startedAt) {

    private static final String ENGINES = """
            | engine | task runs/s | command p50 µs, last round | p99 | p99.9 | longest of all ms | timers deleted \
            | in s | longest scan ms | live GB | files / live: at the end | when idle | after s | to the device / put \
            | open ms | read all s | restored in s | entries/s | checksum |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|""";

    private static final int ENGINE_COLUMNS = 19;

    private static final String ROUNDS = """
            | round | task runs/s | command p50 µs | p99 | p99.9 | longest ms | timers deleted | in s | live GB \
            | files / live |
            |---|---|---|---|---|---|---|---|---|---|""";

    void printHeading(PrintStream out) {
        out.println("# The state of a workflow engine");
        out.println();
        out.println("    " + String.join(" ", command));
        out.println();
        environment.forEach((name, value) -> out.println("- " + name + ": " + value));
        WorkflowSize size = flags.workflow;
        out.println("- Work: " + Text.number(flags.rounds(), "round") + " of " + size + ", "
                + Text.grouped(flags.rounds() * size.taskRuns())
                + " task runs, " + row("%.2f", flags.rounds() * WorkflowState.bytesPerRound(size) / 1e9)
                + " GB of workflows and task runs in the end");
        out.println("- " + durability());
        out.println("- A clock of " + Text.grouped(flags.clockRate)
                + " commands per second makes timers mature after 10 s"
                + " and deletes those every 40 s, inside one open scan, with a commit for each "
                + Text.grouped(flags.timerStep) + ": so every engine does the same. A command that waits for that, or"
                + " for anything, has the time in its own.");
        out.println("- Each engine has a JVM of its own with -Xmx" + flags.heap + ", in turn, and warms up in another"
                + " directory. RocksDB and SpeedB have the options of Kafka Streams, Persist has its"
                + " defaults, in mode MAPPED"
                + " at each durability.");
        out.println("- Restored is the same state put into an empty engine, 1,000 entries per commit, in the order of"
                + " their last change, as from a compacted changelog; the entries come from memory.");
        out.println();
        out.flush();
    }

    private String durability() {
        String commits =
                "Each commit has " + (flags.commitEvery() == 1 ? "1 command" : flags.commitEvery() + " commands");
        return switch (flags.durability()) {
            case BUFFERED ->
                "Equal durability: none. " + commits + " and waits for nothing; RocksDB has no write-ahead log, as in"
                        + " Kafka Streams, and loses its memtables in a kill -9, where Persist has all in the page"
                        + " cache.";
            case FLUSHED ->
                "Equal durability: flushed. " + commits + ", which a kill -9 does not take away; RocksDB has its"
                        + " write-ahead log, not synced.";
            case SYNCED ->
                "Equal durability: synced. " + commits + ", which a power cut does not take away; RocksDB syncs its"
                        + " write-ahead log.";
        };
    }

    /** @param missing why an engine has no result */
    void printTables(Map<GrowthEngine, GrowthResult> results, Map<GrowthEngine, String> missing, PrintStream out) {
        if (results.isEmpty() && missing.isEmpty()) {
            return;
        }
        out.println(ENGINES);
        for (GrowthEngine engine : flags.engines()) {
            if (results.containsKey(engine)) {
                out.println(engineRow(engine, results.get(engine)));
            } else if (missing.containsKey(engine)) {
                String reason = missing.get(engine).replace("|", "/");
                out.println("| " + engine.id() + " | " + reason + " |" + " |".repeat(ENGINE_COLUMNS - 2));
            }
        }
        out.println();
        results.forEach((engine, result) -> {
            out.println("## " + engine.id() + ": " + result.library());
            out.println();
            out.println(ROUNDS);
            result.rounds().forEach(round -> out.println(roundRow(round)));
            out.println();
            if (flags.workflowMetrics != null) {
                out.println(metrics(result));
                out.println();
            }
        });
        out.flush();
    }

    private static String engineRow(GrowthEngine engine, GrowthResult result) {
        List<GrowthResult.Round> rounds = result.rounds();
        GrowthResult.Round last = rounds.get(rounds.size() - 1);
        GrowthResult.End end = result.end();
        GrowthResult.Restored restored = result.restored();
        return row(
                "| %s | %.0f | %.1f | %.1f | %.1f | %.1f | %d | %.2f | %.1f | %.2f | %.2f | %.2f | %.1f | %s"
                        + " | %.1f | %.2f | %s | %s | %s |",
                engine.id(),
                result.perSecond(),
                last.p50Us(),
                last.p99Us(),
                last.p999Us(),
                result.longestMs(),
                rounds.stream().mapToLong(GrowthResult.Round::timersDeleted).sum(),
                rounds.stream().mapToDouble(GrowthResult.Round::timersS).sum(),
                result.longestScanMs(),
                end.liveBytes() / 1e9,
                (double) last.fileBytes() / end.liveBytes(),
                (double) end.idleFileBytes() / end.liveBytes(),
                end.idleS(),
                end.deviceBytes() < 0 ? "not known" : row("%.2f", (double) end.deviceBytes() / end.putBytes()),
                end.openMs(),
                end.verifyS(),
                restored == null ? "" : row("%.2f", restored.seconds()),
                restored == null ? "" : row("%.0f", restored.perSecond()),
                end.checksum());
    }

    private static String roundRow(GrowthResult.Round round) {
        return row(
                "| %d | %.0f | %.1f | %.1f | %.1f | %.1f | %d | %.2f | %.2f | %.2f |",
                round.number(),
                round.perSecond(),
                round.p50Us(),
                round.p99Us(),
                round.p999Us(),
                round.longestMs(),
                round.timersDeleted(),
                round.timersS(),
                round.liveBytes() / 1e9,
                round.spaceRatio());
    }

    private String metrics(GrowthResult result) {
        List<MetricsWindow> all = result.windows();
        int wanted = flags.workflowMetrics == 0 ? all.size() : Math.min(all.size(), flags.workflowMetrics);
        Map<String, List<MetricsWindow>> metrics = Map.of("metrics", all.subList(all.size() - wanted, all.size()));
        return new GsonBuilder().setPrettyPrinting().create().toJson(metrics);
    }

    static String row(String format, Object... cells) {
        return String.format(Locale.ROOT, format, cells);
    }
}
