package io.persist.bench.result;

import io.persist.command.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code --output} of a call of a program, which no other call has from before its first look at the files there
 * until it has written the last one. Each program that leaves runs takes its own first: {@link RunFiles} writes to no
 * other directory.
 *
 * <p><b>Threads:</b> one.
 */
public final class RunOutput implements Closeable {

    private final @Nullable RunLock lock;
    private final List<Path> directories;

    private RunOutput(@Nullable RunLock lock, Collection<Path> directories) {
        this.lock = lock;
        this.directories = List.copyOf(directories);
    }

    /** Of a call that leaves no run. */
    public static RunOutput none() {
        return new RunOutput(null, List.of());
    }

    /**
     * Takes it, and looks whether runs of {@code program} would replace what is not the program's own.
     *
     * @param output it is there
     * @param directories of all runs that will be: {@code output} itself, or ones in it, which need not be there
     * @throws UsageException if they would, or another call has one of the directories; it says whose it is
     */
    public static RunOutput take(String program, Path output, Collection<Path> directories) throws IOException {
        RunLock lock = RunLock.take(output, program);
        boolean isTaken = false;
        try { // behind the lock: of two calls whose directories lie in each other one sees that of the other
            RunLock.refuseRunsOfOthers(output);
            for (Path directory : directories) {
                RunLock.refuseOthers(directory);
                refuseStrangers(program, directory);
            }
            isTaken = true;
            return new RunOutput(lock, directories);
        } finally {
            if (!isTaken) {
                lock.close();
            }
        }
    }

    static void refuseStrangers(String program, Path directory) throws IOException {
        Optional<RunDirectory.Stranger> stranger = new RunDirectory(directory).stranger(program);
        if (stranger.isPresent()) {
            throw refusal(stranger.get());
        }
    }

    static UsageException refusal(RunDirectory.Stranger stranger) {
        return new UsageException(stranger.file() + " was written by " + stranger.writer()
                + ", and this run would replace it; move it away, or name another directory with --output");
    }

    /** Forgets what earlier runs have left in the directories: of a run that now fails nothing may remain. */
    public void clear() throws IOException {
        for (Path directory : directories) {
            RunFiles.forget(directory);
        }
    }

    /** Others may have it. */
    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
