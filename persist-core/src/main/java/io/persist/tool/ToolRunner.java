package io.persist.tool;

import io.persist.error.PersistException;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a tool on logs, one after the other, and turns what goes wrong into one line each. */
public final class ToolRunner {

    private ToolRunner() {}

    /** Runs {@code tool} on the logs in {@code directories}; returns the worst of the exit codes. */
    public static int run(List<Path> directories, LogTool tool, PrintStream out, PrintStream err) {
        int worst = ExitCode.OK;
        for (Path directory : directories) {
            try {
                worst = Math.max(worst, run(DirectoryStorage.open(directory), tool, out, err));
            } catch (IOException e) {
                err.println("persist: " + openFailure(directory, e));
                worst = Math.max(worst, ExitCode.FAILURE);
            }
        }
        return worst;
    }

    /** Runs {@code tool} on one log. */
    public static int run(Storage log, LogTool tool, PrintStream out, PrintStream err) {
        try {
            int code = tool.run(log, out, err);
            out.flush();
            return code;
        } catch (OutputException e) {
            throw e; // nothing can be said to whom it was for
        } catch (RuntimeException | InternalError e) {
            out.flush(); // first what was found before
            err.println("persist: " + failure(log, e));
            return ExitCode.FAILURE;
        }
    }

    private static String openFailure(Path directory, IOException e) {
        if (e instanceof FileNotFoundException) {
            return PayloadText.visible("no such directory: " + directory + "; name the directory of a log");
        }
        return PayloadText.visible(oneLine(e) + "; name the directory of a log that this user may read");
    }

    /** What went wrong, on one line that has no control in it. */
    static String failure(Storage log, Throwable e) {
        return PayloadText.visible(message(log, e));
    }

    private static String message(Storage log, Throwable e) {
        Throwable cause = e;
        while (cause != null && !(cause instanceof AccessDeniedException)) {
            cause = cause.getCause();
        }
        if (cause != null) {
            return "permission denied: " + cause.getMessage() + "; run this as a user who may read the log";
        }
        boolean isExpected = e instanceof PersistException || e instanceof IllegalArgumentException;
        String text = isExpected ? oneLine(e) : "cannot go on: " + e;
        return text.contains(log.description()) ? text : log.description() + ": " + text;
    }

    private static String oneLine(Throwable e) {
        @Nullable String message = e.getMessage();
        return (message == null ? e.toString() : message).replace('\n', ' ');
    }
}
