package io.persist.jmh.support;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A new directory for the files of one benchmark, deleted with all that is in it: when it is closed, or at the latest
 * when the process ends or is interrupted. Directories above it that were made for it go when the process ends.
 */
public final class ScratchDirectory implements AutoCloseable {

    /** The system property that says where the directories are made. */
    public static final String PARENT_PROPERTY = "persist.jmh.dir";

    private static final String DEFAULT_PARENT = "target/jmh-logs";

    /** There is less space than a benchmark needs. JMH prints exceptions with their traces, and this one needs none. */
    public static final class NoSpaceException extends IOException {

        private static final long serialVersionUID = 1;

        NoSpaceException(String message) {
            super(message);
            setStackTrace(new StackTraceElement[0]);
        }
    }

    /** What a file system should keep beside the files of a benchmark. */
    private static final long SPARE_LENGTH = 64L << 20;

    private static final int ATTEMPTS = 5;

    /** Those that are not closed yet. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    /** Those above that were made, from below up. */
    private static final Deque<Path> MADE_ABOVE = new ConcurrentLinkedDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ScratchDirectory::deleteAll, "scratch directories"));
    }

    private final Path path;

    private ScratchDirectory(Path path) {
        this.path = path;
    }

    /** Where the directories are made; it need not be there yet. */
    public static Path parent() {
        return Path.of(System.getProperty(PARENT_PROPERTY, DEFAULT_PARENT));
    }

    /**
     * Makes a directory for files of {@code length} bytes together.
     *
     * @throws NoSpaceException if there is not so much space
     * @throws IOException if the directory cannot be made
     */
    public static ScratchDirectory create(long length) throws IOException {
        Path parent = parent();
        makeAbove(parent.toAbsolutePath());
        long usable = DiskSpace.usable(parent);
        if (usable < length + SPARE_LENGTH) {
            throw new NoSpaceException("not enough space in " + parent.toAbsolutePath() + ": needed="
                    + mib(length + SPARE_LENGTH) + " MiB, usable=" + mib(usable)
                    + " MiB; free some, or name another directory by -D" + PARENT_PROPERTY + "=DIRECTORY");
        }
        ScratchDirectory directory = new ScratchDirectory(Files.createTempDirectory(parent.toAbsolutePath(), "log-"));
        OPEN.add(directory.path);
        return directory;
    }

    private static void makeAbove(Path directory) throws IOException {
        if (!Files.exists(directory) && directory.getParent() != null) {
            makeAbove(directory.getParent());
            MADE_ABOVE.addFirst(directory);
        }
        Files.createDirectories(directory);
    }

    private static long mib(long bytes) {
        return bytes + (1 << 20) - 1 >> 20;
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        OPEN.remove(path);
        DirectoryTree.delete(path);
    }

    private static void deleteAll() {
        deleteOpen();
        deleteMadeAbove();
    }

    /** Threads that go on while the process ends may make files meanwhile, so it may take several attempts. */
    private static void deleteOpen() {
        for (Path directory : OPEN) {
            for (int attempt = 0; attempt < ATTEMPTS && Files.exists(directory); attempt++) {
                try {
                    DirectoryTree.delete(directory);
                } catch (IOException | RuntimeException e) {
                    if (attempt == ATTEMPTS - 1) {
                        System.err.println(
                                "cannot delete " + directory + ": " + e.getMessage() + "; delete it by hand");
                    }
                }
            }
        }
    }

    private static void deleteMadeAbove() {
        for (Path above : MADE_ABOVE) {
            try {
                Files.deleteIfExists(above);
            } catch (IOException e) {
                return; // somebody uses it
            }
        }
    }
}
