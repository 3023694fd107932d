package io.persist.command;

import java.io.PrintStream;
import java.util.List;

/** A program of {@code bin/persist}: what it says about itself, and how it is run. One object is for one run. */
public interface NamedCommand extends Command {

    /** What the help, the man page and the completion of the shells are made of. */
    Manual manual();

    /** The flags, at their defaults until it is run. */
    CommandLine commandLine();

    /** The programs that it has for its first argument, in the order of the help; most have none. */
    default List<NamedCommand> parts() {
        return List.of();
    }

    /** Runs the program to its end, and returns the exit code. */
    @Override
    int run(String[] args, PrintStream out, PrintStream err);
}
