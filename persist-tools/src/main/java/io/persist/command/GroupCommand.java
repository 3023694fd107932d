package io.persist.command;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Several programs under one name: the first argument says which. */
public abstract class GroupCommand implements NamedCommand {

    /** Without a command there are no flags. */
    private static final class NoFlags {}

    /** For one run. */
    protected GroupCommand() {}

    @Override
    public abstract List<NamedCommand> parts();

    @Override
    public final CommandLine commandLine() {
        return CommandLine.withOperands(new NoFlags());
    }

    @Override
    public final int run(String[] args, PrintStream out, PrintStream err) {
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
        String words = parts().stream().map(GroupCommand::word).collect(Collectors.joining(", "));
        err.println("persist " + manual().name() + ": " + what + "; choose one of " + words + "; see --help");
        return USAGE;
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
        int width = parts().stream().mapToInt(part -> word(part).length()).max().orElse(0);
        for (NamedCommand part : parts()) {
            String head = String.format("  %-" + width + "s  ", word(part));
            Text.lines(head, part.manual().firstSentence()).forEach(out::println);
        }
        out.println();
        out.println("Each command explains its flags with --help.");
    }
}
