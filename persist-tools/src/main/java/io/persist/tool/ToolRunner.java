package io.persist.tool;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.recovery.AsideFile;
import io.persist.tool.text.PayloadText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a tool on logs, one after the other, and turns what goes wrong into one line each. */
public final class ToolRunner {

    /** What a tool does, up to its exit code. */
    private interface Run {
        int now() throws IOException;
    }

    private ToolRunner() {}

    /**
     * Runs {@code tool} on the logs in {@code directories}, each of which may be a file that was set aside; returns the
     * worst of the exit codes.
     */
    public static int run(List<Path> directories, LogTool tool, PrintStream out, PrintStream err) {
        int worst = ExitCode.OK;
        for (Path directory : directories) {
            try {
                worst = Math.max(worst, runAt(directory, tool, out, err));
            } catch (IOException e) {
                err.println("persist: " + openFailure(directory, e));
                worst = Math.max(worst, ExitCode.FAILURE);
            }
        }
        tool.finish(out);
        return worst;
    }

    private static int runAt(Path path, LogTool tool, PrintStream out, PrintStream err) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        Path name = path.getFileName();
        if (directory == null || name == null || !AsideFile.isName(name.toString()) || !DirectoryStorage.isFile(path)) {
            return run(DirectoryStorage.open(path), tool, out, err);
        }
        Storage storage = DirectoryStorage.open(directory);
        return guarded(storage, out, err, () -> {
            AsideFile aside = AsideFile.open(storage, name.toString());
            return tool.runAside(aside, out, err);
        });
    }

    /** Runs {@code tool} on one log. */
    public static int run(Storage log, LogTool tool, PrintStream out, PrintStream err) {
        return guarded(log, out, err, () -> tool.run(log, out, err));
    }

    private static int guarded(Storage log, PrintStream out, PrintStream err, Run run) {
        try {
            int code = run.now();
            out.flush();
            return code;
        } catch (OutputException e) {
            throw e; // nothing can be said to whom it was for
        } catch (IOException | RuntimeException | InternalError e) {
            out.flush(); // first what was found before
            err.println("persist: " + failure(log, e));
            return ExitCode.FAILURE;
        } catch (OutOfMemoryError e) {
            out.flush();
            err.println("persist: " + failure(log, memoryIsMissing(e)));
            return ExitCode.FAILURE;
        }
    }

    /** What takes memory are long records and the index of a store. */
    private static IOException memoryIsMissing(OutOfMemoryError e) {
        long mib = Runtime.getRuntime().maxMemory() >> 20;
        return new IOException(
                "out of memory with a heap of " + mib + " MiB (" + e.getMessage() + "); give the JVM a larger -Xmx", e);
    }

    private static String openFailure(Path directory, IOException e) {
        if (e instanceof FileNotFoundException) {
            return PayloadText.visible("no such directory: " + directory + "; name one that exists");
        }
        return PayloadText.visible(oneLine(e));
    }

    /** What went wrong, on one line that has no control in it. */
    public static String failure(Storage log, Throwable e) {
        return PayloadText.visible(message(log, e));
    }

    private static String message(Storage log, Throwable e) {
        boolean isExpected =
                e instanceof PersistException || e instanceof IllegalArgumentException || e instanceof IOException;
        String text = isExpected ? oneLine(e) : "cannot go on: " + e;
        return text.contains(log.description()) ? text : log.description() + ": " + text;
    }

    private static String oneLine(Throwable e) {
        @Nullable String message = e.getMessage();
        return (message == null ? e.toString() : message).replace('\n', ' ');
    }
}
