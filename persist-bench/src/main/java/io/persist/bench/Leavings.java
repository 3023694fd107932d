package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.host.DirectoryTree;
import io.persist.command.Text;
import io.persist.format.checkpoint.CheckpointName;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run leaves on the disk, and its removal if that is wanted, however the run ends. Only what is all of this run
 * is removed: a log whose directory was missing or empty before and that no other process has opened since, and the
 * checkpoints in a directory of their own that had none before.
 */
final class Leavings implements AutoCloseable {

    private static final String HELD_BEFORE = "it held something before this run";

    private final PrintStream out;
    private final boolean cleansUp;
    private final Path log;
    private final @Nullable Path checkpoints;
    private final boolean checkpointsHeldBefore;

    /** Why the log stays, in words; empty if it may go. */
    private String keptBecause;

    private Leavings(LoggerParameters parameters, PrintStream out) throws IOException {
        this.out = out;
        this.cleansUp = parameters.common().cleansUp();
        this.log = parameters.logDirectory();
        this.keptBecause = entries(log).isEmpty() ? "" : HELD_BEFORE;
        this.checkpoints = parameters.separateCheckpoints();
        this.checkpointsHeldBefore =
                checkpoints != null && !checkpointFiles(checkpoints).isEmpty();
    }

    /** Looks at what is there before the log is opened. */
    static Leavings before(LoggerParameters parameters, PrintStream out) throws IOException {
        return new Leavings(parameters, out);
    }

    /** The log is not as it was written: it has to stay, since it shows what went wrong. */
    void keepAsEvidence() {
        keptBecause = "it is not as it was written";
    }

    /** Another process has come first: if not before this run began, then since. */
    void keepForAnother() {
        if (keptBecause.isEmpty()) {
            keptBecause = "another process has opened it meanwhile";
        }
    }

    /**
     * Deletes what is all of this run, if that is wanted, and says what is left. The log is closed. Nothing is said
     * before all is deleted: that fails where the run has failed because nobody reads what it prints.
     */
    @Override
    public void close() throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.isDirectory(log)) {
            lines.add(settleLog());
        }
        if (checkpoints != null) {
            settleCheckpoints(checkpoints).ifPresent(lines::add);
        }
        lines.forEach(out::println);
    }

    private String settleLog() throws IOException {
        long bytes = DirectoryTree.bytes(log.toRealPath());
        if (!cleansUp || !keptBecause.isEmpty()) {
            return left(bytes, log, keptBecause);
        }
        deleteLog();
        return "Deleted " + log + ": files of " + Text.bytes(bytes) + ".";
    }

    /** The files only: the directory was named by the user, and others may keep something in it. */
    private Optional<String> settleCheckpoints(Path directory) throws IOException {
        List<Path> files = checkpointFiles(directory);
        long bytes = files.stream().mapToLong(DirectoryTree::bytes).sum();
        String because = keptBecause.isEmpty() && checkpointsHeldBefore ? HELD_BEFORE : keptBecause;
        if (!cleansUp || !because.isEmpty()) {
            return files.isEmpty() ? Optional.empty() : Optional.of(left(bytes, directory, because));
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(directory.resolve(CheckpointName.LOCK)); // which is there without a checkpoint too
        if (files.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("Deleted the checkpoints in " + directory + ": files of " + Text.bytes(bytes) + ".");
    }

    private String left(long bytes, Path directory, String because) {
        String advice =
                cleansUp ? because + ", so --cleanup leaves it" : "delete it when you are done, or run with --cleanup";
        return "Left on the disk: files of " + Text.bytes(bytes) + " in " + directory + "; " + advice + ".";
    }

    /** A symbolic link is the user's and stays, with the directory that it names; what is in that goes. */
    private void deleteLog() throws IOException {
        if (!Files.isSymbolicLink(log)) {
            DirectoryTree.delete(log);
            return;
        }
        for (Path entry : entries(log)) {
            DirectoryTree.delete(entry);
        }
    }

    private static List<Path> checkpointFiles(Path directory) throws IOException {
        return entries(directory).stream()
                .filter(file -> isCheckpoint(file.getFileName().toString()))
                .toList();
    }

    private static boolean isCheckpoint(String name) {
        return CheckpointName.position(name).isPresent() || CheckpointName.isTemporary(name);
    }

    /** Nothing if the directory is not there. */
    private static List<Path> entries(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }
}
