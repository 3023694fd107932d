package io.persist.bench;

import io.persist.bench.doctor.DoctorCommand;
import io.persist.bench.report.ReportCommand;
import io.persist.bench.tool.ArchiveCommand;
import io.persist.bench.tool.BackupCommand;
import io.persist.bench.tool.CompareCommand;
import io.persist.bench.tool.CursorsCommand;
import io.persist.bench.tool.DumpCommand;
import io.persist.bench.tool.RepairCommand;
import io.persist.bench.tool.RestoreCommand;
import io.persist.bench.tool.RetainCommand;
import io.persist.bench.tool.SalvageCommand;
import io.persist.bench.tool.StatsCommand;
import io.persist.bench.tool.StoreCommand;
import io.persist.bench.tool.TailCommand;
import io.persist.bench.tool.VerifyCommand;
import io.persist.bench.tool.WalkCommand;
import io.persist.tool.OutputException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The entry to all programs: {@code java -cp "libs/*" io.persist.bench.Main COMMAND ...}. */
public final class Main {

    /** The commands in the order of the overview. A new program is one more line here. */
    private static final Map<String, Entry> COMMANDS = commands(
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
            new Entry("report", "tool: draw results of benchmarks as one HTML page", ReportCommand::new),
            new Entry("dump", "tool: print the records of logs as text, JSON Lines, CSV or HTML", DumpCommand::new),
            new Entry("tail", "tool: print the last records of a log, and follow it", TailCommand::new),
            new Entry("walk", "tool: go through a log entry by entry, as you say", WalkCommand::new),
            new Entry("verify", "tool: say whether logs are clean, live, torn or damaged", VerifyCommand::new),
            new Entry("compare", "tool: say whether two logs hold the same, or where they part", CompareCommand::new),
            new Entry("stats", "tool: print the numbers of logs, or watch one", StatsCommand::new),
            new Entry("repair", "tool: make damaged logs open again; nothing is destroyed", RepairCommand::new),
            new Entry("salvage", "tool: a new log of everything of a damaged one that verifies", SalvageCommand::new),
            new Entry("retain", "tool: delete the oldest segments of logs", RetainCommand::new),
            new Entry("archive", "tool: pack, check and restore the sealed segments of a log", ArchiveCommand::new),
            new Entry("backup", "tool: copy a log or store that may be written meanwhile", BackupCommand::new),
            new Entry("restore", "tool: make a log or store of a backup", RestoreCommand::new),
            new Entry("store", "tool: read a store by its keys, see its numbers, keep it up", StoreCommand::new),
            new Entry("cursors", "tool: show the named cursors of logs, or remove one", CursorsCommand::new),
            new Entry(
                    "doctor",
                    "tool: measure a disk, and say what a synced commit costs and whether to believe it",
                    DoctorCommand::new),
            new Entry("man", "print the manual page of all commands, for man -l", ManCommand::new),
            new Entry("completion", "print a completion script for bash or zsh", CompletionCommand::new));

    /** What only the launcher {@code bin/persist} has, because it needs other class paths. */
    private static final Map<String, String> LAUNCHER_COMMANDS = launcherCommands();

    /** The programs under the names that the Rumi benchmark suite gives them. */
    private static final Map<String, String> ALIASES = Map.of("messagelogger", "message", "packetlogger", "packet");

    private static final String ROW = "  %-15s  %s%n";

    private Main() {}

    public static void main(String[] args) {
        end(Main::run, args);
    }

    /** Runs {@code program} on the standard streams and ends the process; code 0 lets the JVM end by itself. */
    static void end(Command program, String[] args) {
        PrintStream out = StandardOutput.open();
        int code;
        try {
            code = program.run(args, out, System.err);
            out.flush();
        } catch (OutputException e) {
            code = StandardOutput.exitCode(e, System.err);
        }
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
        if (args[0].equals("--version") || args[0].equals("version")) {
            out.println("persist " + Version.current());
            return Command.OK;
        }
        Entry entry = COMMANDS.get(ALIASES.getOrDefault(args[0], args[0]));
        if (entry == null) {
            err.println("persist: unknown command '" + args[0] + "'; choose one of "
                    + String.join(", ", COMMANDS.keySet()) + ", help");
            return Command.USAGE;
        }
        return entry.program().get().run(Arrays.copyOfRange(args, 1, args.length), out, err);
    }

    /** All programs, in the order of the overview. */
    static List<NamedCommand> programs() {
        return COMMANDS.values().stream().map(entry -> entry.program().get()).toList();
    }

    /** The names of all commands, those of the launcher too, and what each is for. */
    static Map<String, String> summaries() {
        Map<String, String> all = new LinkedHashMap<>();
        COMMANDS.forEach((name, entry) -> all.put(name, entry.summary()));
        all.putAll(LAUNCHER_COMMANDS);
        return all;
    }

    private static boolean isHelp(String argument) {
        return argument.equals("help") || argument.equals("--help") || argument.equals("-h");
    }

    private static void printOverview(PrintStream out) {
        out.println("Persist: low-latency journaling for Java. What it costs on this machine, and tools for its logs.");
        out.println();
        out.println("Usage: bin/persist COMMAND [flags]");
        out.println("   or: java -cp \"libs/*\" io.persist.bench.Main COMMAND [flags]");
        out.println();
        out.println("Commands:");
        COMMANDS.forEach((name, entry) -> out.printf(ROW, name, entry.summary()));
        out.printf(ROW, "help", "this overview");
        out.printf(ROW, "--version", "the version, the JDK and the machine");
        out.println();
        out.println("Commands that need more than libs/* and so only bin/persist has:");
        LAUNCHER_COMMANDS.forEach((name, summary) -> out.printf(ROW, name, summary));
        out.println();
        out.println("Each command explains its flags with --help. For a first impression: message -k ./logs");
    }

    private static Map<String, String> launcherCommands() {
        Map<String, String> commands = new LinkedHashMap<>();
        commands.put("jmh", "benchmark: JMH's own command line, with Persist's microbenchmarks");
        commands.put("compare-peers", "benchmark: Persist beside other logs");
        commands.put("compare-rocksdb", "benchmark: a store beside RocksDB: recovery, space, pauses");
        commands.put("jcstress", "test: jcstress's own command line, with Persist's stress tests");
        return commands;
    }

    private static Map<String, Entry> commands(Entry... entries) {
        Map<String, Entry> commands = new LinkedHashMap<>();
        for (Entry entry : entries) {
            commands.put(entry.name(), entry);
        }
        return commands;
    }

    private record Entry(String name, String summary, Supplier<NamedCommand> program) {}
}
