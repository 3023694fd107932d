package io.persist.bench;

import io.persist.bench.cache.CacheCommand;
import io.persist.bench.device.DeviceCommand;
import io.persist.bench.doctor.DoctorCommand;
import io.persist.bench.report.ReportCommand;
import io.persist.bench.rows.RowsCommand;
import io.persist.command.NamedCommand;
import io.persist.command.launch.Commands;
import io.persist.command.launch.Commands.Entry;
import io.persist.tool.verb.ToolsMain;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The entry to all programs: {@code java -cp "libs/*" io.persist.bench.Main COMMAND ...}. Those of other modules are
 * run if these are on the class path.
 */
public final class Main {

    /** The commands in the order of the overview; the verbs of the tools come in the middle. */
    private static final List<Entry> BENCHMARKS = List.of(
            new Entry(
                    "message",
                    "benchmark: journal messages, show the latencies, read them back",
                    MessageLoggerMain::new),
            new Entry(
                    "packet",
                    "benchmark: journal packets, show the latencies of each part, read them back",
                    PacketLoggerMain::new),
            new Entry(
                    "storelogger",
                    "benchmark: put into a store, show the latencies, read by log and by state, recover",
                    StoreLoggerMain::new),
            new Entry(
                    "device",
                    "benchmark: what the ways to reach a disk cost, with fio beside them",
                    DeviceCommand::new),
            new Entry(
                    "rows", "benchmark: rows per second as sqlite-bench prints them, by batch size", RowsCommand::new),
            new Entry("cache", "benchmark: a cache whose sets are journaled, off, async and sync", CacheCommand::new),
            new Entry("report", "tool: draw results of benchmarks as one HTML page", ReportCommand::new));

    private static final Entry DOCTOR = new Entry(
            "doctor",
            "tool: measure a disk, and say what a synced commit costs and whether to believe it",
            DoctorCommand::new);

    /** The programs under the names that the Rumi benchmark suite gives them. */
    private static final Map<String, String> ALIASES = Map.of("messagelogger", "message", "packetlogger", "packet");

    private static final Commands COMMANDS = new Commands(
            new Commands.Overview(
                    "low-latency journaling for Java: benchmarks, and tools for its logs",
                    "Persist: low-latency journaling for Java. What it costs on this machine, and tools for its logs.",
                    List.of("bin/persist COMMAND [flags]", "java -cp \"libs/*\" io.persist.bench.Main COMMAND [flags]"),
                    "message -k ./logs"),
            Stream.of(BENCHMARKS, ToolsMain.verbs(), List.of(DOCTOR))
                    .flatMap(List::stream)
                    .toList(),
            ALIASES,
            launcherCommands());

    private Main() {}

    /** Runs the program that the first argument names, and ends the process with its exit code. */
    public static void main(String[] args) {
        Commands.end(Main::run, args);
    }

    /** Runs the command that the first argument names, with the other arguments; returns its exit code. */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return COMMANDS.run(args, out, err);
    }

    /** All programs on this class path, in the order of the overview. */
    public static List<NamedCommand> programs() {
        return COMMANDS.programs();
    }

    /** What needs other class paths, as the launcher {@code bin/persist} has them. */
    private static Map<String, String> launcherCommands() {
        Map<String, String> commands = new LinkedHashMap<>();
        commands.put("jmh", "benchmark: JMH's own command line, with Persist's microbenchmarks");
        commands.put("compare-peers", "benchmark: Persist beside other logs");
        commands.put("compare-rocksdb", "benchmark: a store beside RocksDB: recovery, space, pauses");
        commands.put("workflow", "benchmark: the state of a workflow engine grows: a store, RocksDB and SpeedB");
        commands.put("kafka", "benchmark: a workflow engine in Kafka Streams: a store, and RocksDB as Kafka has it");
        commands.put("shard-bench", "benchmark: shards: what writes, reads, and what is below them cost");
        commands.put("shard", "benchmark: shards: writers and readers at a rate, an open loop");
        commands.put("shard-cas", "benchmark: shards: the cost of an append after more and more states");
        commands.put("memcached", "server: memcached's text protocol, with its items in a store");
        commands.put("shards", "tool: list, show and verify shards, and remove what nothing refers to");
        commands.put("jcstress", "test: jcstress's own command line, with Persist's stress tests");
        return commands;
    }
}
