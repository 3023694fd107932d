package io.persist.bench;

import io.persist.bench.doctor.DoctorCommand;
import io.persist.bench.report.ReportCommand;
import io.persist.bench.tool.ArchiveCommand;
import io.persist.bench.tool.CompareCommand;
import io.persist.bench.tool.CursorsCommand;
import io.persist.bench.tool.DumpCommand;
import io.persist.bench.tool.RepairCommand;
import io.persist.bench.tool.RetainCommand;
import io.persist.bench.tool.StatsCommand;
import io.persist.bench.tool.StoreCommand;
import io.persist.bench.tool.TailCommand;
import io.persist.bench.tool.VerifyCommand;
import io.persist.bench.tool.WalkCommand;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The entry to all programs: {@code java -cp "libs/*" io.persist.bench.Main COMMAND ...}. */
public final class Main {

    /** The commands in the order of the overview. A new program is one more line here. */
    private static final Map<String, Entry> COMMANDS = commands(
            new Entry(
                    "message",
                    "benchmark: journal messages, show the latencies, read them back",
                    MessageLoggerMain::start),
            new Entry(
                    "packet",
                    "benchmark: journal packets, show the latencies of each part, read them back",
                    PacketLoggerMain::start),
            new Entry(
                    "storelogger",
                    "benchmark: put into a store, show the latencies, read by log and by state, recover",
                    StoreLoggerMain::start),
            new Entry("report", "tool: draw results of benchmarks as one HTML page", ReportCommand::run),
            new Entry("dump", "tool: print the records of logs as text, JSON Lines, CSV or HTML", DumpCommand::run),
            new Entry("tail", "tool: print the last records of a log, and follow it", TailCommand::run),
            new Entry("walk", "tool: go through a log entry by entry, as you say", WalkCommand::run),
            new Entry("verify", "tool: say whether logs are clean, live, torn or damaged", VerifyCommand::run),
            new Entry("compare", "tool: say whether two logs hold the same, or where they part", CompareCommand::run),
            new Entry("stats", "tool: print the numbers of logs, or watch one", StatsCommand::run),
            new Entry("repair", "tool: make damaged logs open again; nothing is destroyed", RepairCommand::run),
            new Entry("retain", "tool: delete the oldest segments of logs", RetainCommand::run),
            new Entry("archive", "tool: pack, check and restore the sealed segments of a log", ArchiveCommand::run),
            new Entry("store", "tool: read a store by its keys, see its numbers, keep it up", StoreCommand::run),
            new Entry("cursors", "tool: show the named cursors of logs, or remove one", CursorsCommand::run),
            new Entry(
                    "doctor",
                    "tool: measure a disk, and say what a synced commit costs and whether to believe it",
                    DoctorCommand::run));

    /** The programs under the names that the Rumi benchmark suite gives them. */
    private static final Map<String, String> ALIASES = Map.of("messagelogger", "message", "packetlogger", "packet");

    private Main() {}

    public static void main(String[] args) {
        exit(run(args, System.out, System.err));
    }

    /** Ends the process with this code; a zero code lets {@code main} return, so that the JVM ends by itself. */
    static void exit(int code) {
        System.out.flush();
        if (code != Command.OK) {
            System.exit(code);
        }
    }

    /** Runs the command that the first argument names, with the other arguments. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 0 || isHelp(args[0])) {
            printOverview(out);
            return Command.OK;
        }
        Entry entry = COMMANDS.get(ALIASES.getOrDefault(args[0], args[0]));
        if (entry == null) {
            err.println("persist: unknown command '" + args[0] + "'; choose one of "
                    + String.join(", ", COMMANDS.keySet()) + ", help");
            return Command.USAGE;
        }
        return entry.command().run(Arrays.copyOfRange(args, 1, args.length), out, err);
    }

    private static boolean isHelp(String argument) {
        return argument.equals("help") || argument.equals("--help") || argument.equals("-h");
    }

    private static void printOverview(PrintStream out) {
        out.println("Persist: low-latency journaling for Java. What it costs on this machine, and tools for its logs.");
        out.println();
        out.println("Usage: java -cp \"libs/*\" io.persist.bench.Main COMMAND [flags]");
        out.println();
        out.println("Commands:");
        COMMANDS.forEach((name, entry) -> out.printf("  %-11s %s%n", name, entry.summary()));
        out.printf("  %-11s %s%n", "help", "this overview");
        out.println();
        out.println("Each command explains its flags with --help. For a first impression: message -k ./logs");
    }

    private static Map<String, Entry> commands(Entry... entries) {
        Map<String, Entry> commands = new LinkedHashMap<>();
        for (Entry entry : entries) {
            commands.put(entry.name(), entry);
        }
        return commands;
    }

    private record Entry(String name, String summary, Command command) {}
}
