package io.persist.bench.report;

import io.persist.bench.result.RunDirectory;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the directories of runs. There is a {@code run.json} in each, or at least a histogram log: of other programs,
 * or of a run that has ended too early.
 */
final class RunFinder {

    private static final String HISTOGRAM_LOG = ".hlog";

    private RunFinder() {}

    /**
     * Those below a directory, and itself if it is one, in the order of their paths.
     *
     * @throws IOException if there is none, or not all can be looked at; the message names the directory
     */
    static List<Path> find(Path root) throws IOException {
        List<Path> runs;
        try {
            // A link to a directory of runs is that directory, under the name that was given.
            Path real = root.toRealPath();
            try (Stream<Path> paths = Files.walk(real)) {
                runs = paths.filter(Files::isDirectory)
                        .filter(RunFinder::isRun)
                        .sorted()
                        .map(run -> root.resolve(real.relativize(run)))
                        .toList();
            }
        } catch (IOException e) {
            throw unreadable(root, FileReason.of(e), e);
        } catch (UncheckedIOException e) {
            throw unreadable(root, reason(e), e);
        }
        if (runs.isEmpty()) {
            throw new IOException("no run in " + root + ": there is neither a " + RunDirectory.FILE + " nor a *"
                    + HISTOGRAM_LOG + " below it; name what --output of a benchmark named");
        }
        return runs;
    }

    private static String reason(UncheckedIOException e) {
        return e.getCause() instanceof FileSystemException cause
                ? FileReason.of(cause) + ": " + cause.getFile()
                : String.valueOf(e.getMessage());
    }

    private static IOException unreadable(Path root, String reason, Exception cause) {
        return new IOException(
                "cannot look for runs in " + root + " (" + reason + "); name the directories of the runs themselves",
                cause);
    }

    private static boolean isRun(Path directory) {
        try {
            return new RunDirectory(directory).hasResult()
                    || !histogramLogs(directory).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The histogram logs of a directory, by their names. */
    static List<Path> histogramLogs(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(HISTOGRAM_LOG))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }
}
