package io.persist.bench.host;

import io.persist.command.Text;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes that can still be written. A file system that does not tell has as many as anybody wants: those do not tell
 * that hold no files of anybody's, and some that are in user space.
 */
public final class DiskSpace {

    private DiskSpace() {}

    /** In a directory that may not exist yet. */
    public static long usable(Path directory) throws IOException {
        return usable(Files.getFileStore(existing(directory)));
    }

    public static long usable(FileStore store) throws IOException {
        return store.getTotalSpace() == 0 ? Long.MAX_VALUE : store.getUsableSpace();
    }

    /** The directory, or the nearest one above it that is there. */
    public static Path existing(Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    /**
     * Makes sure that so many bytes can be written in a directory, which may not exist yet: whatever needs them is not
     * begun only to fill the disk up.
     *
     * @param what needs them, and its verb: "the rows take"
     * @param remedy what to give instead
     * @throws IOException if they cannot
     */
    public static void require(Path directory, long needed, String what, String remedy) throws IOException {
        long usable = usable(directory);
        if (needed > usable) {
            throw new IOException(what + " about " + Text.bytes(needed) + ", but only " + Text.bytes(usable)
                    + " are free in " + directory + "; give " + remedy);
        }
    }
}
