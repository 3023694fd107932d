package io.persist.bench.result;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file of results. Others may write to its directory too, and may have put a link to another file in its place. */
public final class ResultFile {

    private ResultFile() {}

    /**
     * Writes a file. One that is there stays as it is until the new one is whole, unless it is no regular file, as
     * {@code /dev/null}, which is written to.
     *
     * @throws IOException as {@link #create}
     */
    public static void write(Path path, byte[] bytes) throws IOException {
        boolean isReplaced = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        Path unfinished = isReplaced ? path.resolveSibling(path.getFileName() + ".tmp") : path;
        try (OutputStream file = create(unfinished)) {
            file.write(bytes);
        } catch (IOException e) {
            if (isReplaced && Files.isRegularFile(unfinished, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(unfinished);
            }
            throw e;
        }
        if (isReplaced) {
            Files.move(unfinished, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * A new file, in place of one that is there.
     *
     * @throws IOException if it cannot be made, or a symbolic link has its name: no link is followed
     */
    public static OutputStream create(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw new IOException(path + " is a symbolic link; take it away, or name another directory with --output");
        }
        // Not followed either if it was put there in between.
        return Files.newOutputStream(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }
}
