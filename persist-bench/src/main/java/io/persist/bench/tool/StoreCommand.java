package io.persist.bench.tool;

import io.persist.tool.ExitCode;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code store get|scan|stats|checkpoint|compact DIR}: reads a store by its keys, and keeps it up. */
public final class StoreCommand {

    private interface Command {
        int run(String[] args, PrintStream out, PrintStream err);
    }

    private record Entry(String summary, Command command) {}

    /** The commands in the order of the overview. */
    private static final Map<String, Entry> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("get", new Entry("print the value of a key", StoreGetCommand::run));
        COMMANDS.put("scan", new Entry("print the keys and values of a range", StoreScanCommand::run));
        COMMANDS.put("stats", new Entry("print the numbers of stores", StoreStatsCommand::run));
        COMMANDS.put(
                "checkpoint",
                new Entry("write a checkpoint of a store that nobody writes", StoreUpkeepCommand::runCheckpoint));
        COMMANDS.put(
                "compact",
                new Entry("give back the space of a store that nobody writes", StoreUpkeepCommand::runCompact));
    }

    private StoreCommand() {}

    public static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 0) {
            err.println("persist store: no command is given; choose one of " + names() + "; see --help");
            return ExitCode.USAGE;
        }
        if (args[0].equals("--help") || args[0].equals("-h")) {
            printOverview(out);
            return ExitCode.OK;
        }
        Entry entry = COMMANDS.get(args[0]);
        if (entry == null) {
            err.println("persist store: unknown command '" + args[0] + "'; choose one of " + names() + "; see --help");
            return ExitCode.USAGE;
        }
        return entry.command().run(Arrays.copyOfRange(args, 1, args.length), out, err);
    }

    private static String names() {
        return String.join(", ", COMMANDS.keySet());
    }

    private static void printOverview(PrintStream out) {
        out.println("Usage: bin/persist store COMMAND [options] STORE...");
        out.println();
        out.println("Commands:");
        COMMANDS.forEach((name, entry) -> out.printf("  %-11s %s%n", name, entry.summary()));
        out.println();
        out.println("Each command explains its flags with --help.");
    }
}
