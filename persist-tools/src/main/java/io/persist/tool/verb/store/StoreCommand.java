package io.persist.tool.verb.store;

import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import io.persist.tool.ExitCode;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** {@code store get|scan|stats|checkpoint|compact STORE}: reads a store by its keys, and keeps it up. */
public final class StoreCommand implements NamedCommand {

    /** Without a command there are no flags. */
    private static final class NoFlags {}

    /** With the command that the first argument names. */
    public StoreCommand() {}

    @Override
    public Manual manual() {
        return Manual.of("store", "COMMAND STORE...", "Reads a store by its keys, shows its numbers, and keeps it up.")
                .exits("a store is damaged, or cannot be read");
    }

    @Override
    public CommandLine commandLine() {
        return CommandLine.withOperands(new NoFlags());
    }

    @Override
    public List<NamedCommand> parts() {
        return List.of(
                new StoreGetCommand(),
                new StoreScanCommand(),
                new StoreStatsCommand(),
                StoreUpkeepCommand.checkpoint(),
                StoreUpkeepCommand.compact());
    }

    @Override
    public int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"))) {
            printOverview(out);
            return ExitCode.OK;
        }
        for (NamedCommand part : parts()) {
            if (args.length > 0 && word(part).equals(args[0])) {
                return part.run(Arrays.copyOfRange(args, 1, args.length), out, err);
            }
        }
        String what = args.length == 0 ? "no command is given" : "unknown command '" + args[0] + "'";
        String names = parts().stream().map(StoreCommand::word).collect(Collectors.joining(", "));
        err.println("persist store: " + what + "; choose one of " + names + "; see --help");
        return ExitCode.USAGE;
    }

    /** The second word of the part's name: what is typed. */
    private static String word(NamedCommand part) {
        String name = part.manual().name();
        return name.substring(name.indexOf(' ') + 1);
    }

    private void printOverview(PrintStream out) {
        out.println("Usage: " + manual().usage().replace(" [flags] COMMAND", " COMMAND [flags]"));
        out.println();
        out.println("Commands:");
        parts().forEach(part ->
                out.printf("  %-11s %s%n", word(part), part.manual().firstSentence()));
        out.println();
        out.println("Each command explains its flags with --help.");
    }
}
