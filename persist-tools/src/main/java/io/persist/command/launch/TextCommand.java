package io.persist.command.launch;

import com.beust.jcommander.Parameter;
import io.persist.command.CommandLine;
import io.persist.command.NamedCommand;
import io.persist.command.UsageException;
import java.io.PrintStream;
import java.util.List;

/** A program that prints a text about the programs, and does nothing else. */
abstract class TextCommand implements NamedCommand {

    @Parameter(
            names = {"-h", "--help"},
            help = true,
            description = "print this")
    private boolean help;

    /** The text for these operands; a {@link UsageException} says why they make no sense. */
    protected abstract String text(List<String> operands);

    @Override
    public final CommandLine commandLine() {
        return manual().operands().isEmpty() ? CommandLine.of(this) : CommandLine.withOperands(this);
    }

    @Override
    public final int run(String[] args, PrintStream out, PrintStream err) {
        try {
            CommandLine commandLine = commandLine();
            commandLine.parse(args);
            if (help) {
                manual().print(commandLine, out);
            } else {
                out.print(text(commandLine.operands()));
            }
            return OK;
        } catch (UsageException e) {
            err.println("persist " + manual().name() + ": " + NamedCommand.usage(e));
            return USAGE;
        }
    }
}
