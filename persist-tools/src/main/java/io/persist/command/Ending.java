package io.persist.command;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/** How a program ends: with an exit code, and if it could not do its work with one line that says why. */
public final class Ending {

    /** What a program does. */
    @FunctionalInterface
    public interface Work {

        /**
         * Does it, and returns the exit code.
         *
         * @throws UsageException if the program was asked for something that makes no sense
         */
        int run() throws IOException, InterruptedException;
    }

    private Ending() {}

    /** The exit code of {@code work}; what it throws is told on {@code err} behind {@code prefix}. */
    public static int of(Work work, String prefix, PrintStream err) {
        try {
            return work.run();
        } catch (UsageException e) {
            err.println(prefix + Text.describe(e));
            return Command.USAGE;
        } catch (IOException | UncheckedIOException e) {
            err.println(prefix + Text.describe(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println(prefix + "interrupted");
        }
        return Command.FAILED;
    }
}
