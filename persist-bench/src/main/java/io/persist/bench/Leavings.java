package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.host.DirectoryTree;
import io.persist.command.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a run leaves on the disk, and its removal if that is wanted. */
final class Leavings {

    private final LoggerParameters parameters;
    private final boolean heldBefore;

    /** @param heldBefore whether the log had something in it before the run */
    Leavings(LoggerParameters parameters, boolean heldBefore) {
        this.parameters = parameters;
        this.heldBefore = heldBefore;
    }

    /** Deletes the log if that is wanted and it is all of this run, and says what is left. */
    void settle(PrintStream out) throws IOException {
        Path log = parameters.logDirectory();
        String size = Text.bytes(bytes(log));
        boolean cleansUp = parameters.common().cleansUp();
        if (cleansUp && !heldBefore) {
            DirectoryTree.delete(log);
            out.println("Deleted " + log + ": " + size + ".");
            return;
        }
        String advice = cleansUp
                ? "it held something before this run, so --cleanup leaves it"
                : "delete it when you are done, or run with --cleanup";
        out.println("Left on the disk: " + size + " in " + log + "; " + advice + ".");
    }

    private static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
