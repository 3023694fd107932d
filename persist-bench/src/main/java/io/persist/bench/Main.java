package io.persist.bench;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The entry to all programs: {@code java -cp "libs/*" io.persist.bench.Main COMMAND ...}. */
public final class Main {

    /** The commands in the order of the overview. A new program is one more line here. */
    private static final Map<String, Entry> COMMANDS = commands(new Entry(
            "message", "benchmark: journal messages, show the latencies, read them back", MessageLoggerMain::run));

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
        Entry entry = COMMANDS.get(args[0]);
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
        COMMANDS.forEach((name, entry) -> out.printf("  %-10s %s%n", name, entry.summary()));
        out.printf("  %-10s %s%n", "help", "this overview");
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
