package io.persist.shard.bench.verb;

import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import io.persist.command.Text;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** {@code shards list|show|verify|gc}: what operators do with the shards of a place. */
public final class ShardsCommand implements NamedCommand {

    /** Its name. */
    public static final String NAME = "shards";

    /** Without a verb there are no flags. */
    private static final class NoFlags {}

    /** With the verb that the first argument names. */
    public ShardsCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(NAME, "COMMAND " + Verb.OPERANDS, "Lists, shows and verifies the shards of a place.")
                .exits("there are findings, or the place cannot be read");
    }

    @Override
    public CommandLine commandLine() {
        return CommandLine.withOperands(new NoFlags());
    }

    @Override
    public List<NamedCommand> parts() {
        return List.of(new ListVerb(), new ShowVerb(), new VerifyVerb(), new GcVerb());
    }

    @Override
    public int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"))) {
            printOverview(out);
            return OK;
        }
        for (NamedCommand part : parts()) {
            if (args.length > 0 && word(part).equals(args[0])) {
                return part.run(Arrays.copyOfRange(args, 1, args.length), out, err);
            }
        }
        String what = args.length == 0 ? "no command is given" : "unknown command '" + args[0] + "'";
        String names = parts().stream().map(ShardsCommand::word).collect(Collectors.joining(", "));
        err.println("persist shards: " + what + "; choose one of " + names + "; see --help");
        return USAGE;
    }

    private static String word(NamedCommand part) {
        String name = part.manual().name();
        return name.substring(name.indexOf(' ') + 1);
    }

    private void printOverview(PrintStream out) {
        out.println("Usage: " + manual().usage().replace(" [flags] COMMAND", " COMMAND [flags]"));
        out.println();
        out.println("Commands:");
        for (NamedCommand part : parts()) {
            String purpose = String.join(" ", part.manual().purpose());
            Text.lines(String.format("  %-7s ", word(part)), purpose).forEach(out::println);
        }
        out.println();
        out.println("Each command explains its flags with --help.");
    }
}
