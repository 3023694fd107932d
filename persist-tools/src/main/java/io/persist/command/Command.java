package io.persist.command;

import java.io.PrintStream;

/** One program, which {@code launch.Commands} calls by its name. */
@FunctionalInterface
public interface Command {

    /** It did what it was asked to. */
    int OK = 0;

    /** It could not: one line on {@code err} says why. */
    int FAILED = 1;

    /** It was asked for something that makes no sense: one line on {@code err} names the argument and the remedy. */
    int USAGE = 2;

    /** Runs the program to its end, and returns the exit code. */
    int run(String[] args, PrintStream out, PrintStream err);
}
