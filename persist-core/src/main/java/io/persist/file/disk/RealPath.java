package io.persist.file.disk;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Where a path leads. {@link Path#normalize} goes by the letters: it takes {@code link/..} away, although that is the
 * directory above the one that the link leads to. All others would then look for a log in another place than this
 * library.
 */
public final class RealPath {

    private RealPath() {}

    /**
     * The absolute path without {@code .} and {@code ..}, which leads to where the operating system goes. What is not
     * there cannot be a link: behind its name {@code ..} takes just that away.
     *
     * @throws IOException if there is a link before {@code ..} that cannot be followed
     */
    public static Path plain(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        if (File.separatorChar == '\\') {
            return absolute.normalize(); // as Windows has it: there `..` goes by the letters
        }
        Path at = absolute.getRoot();
        for (Path name : absolute) {
            switch (name.toString()) {
                case "." -> {}
                case ".." -> at = above(at);
                default -> at = at.resolve(name);
            }
        }
        return at;
    }

    private static Path above(Path path) throws IOException {
        boolean isMissing = Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
        Path real = isMissing ? path : FileReason.told(path::toRealPath);
        Path parent = real.getParent();
        return parent == null ? real : parent;
    }

    /**
     * The path without links of a directory that is there. As it is, if the system leads elsewhere by that: {@code
     * /proc/PID/root} is a link to {@code /}, and yet the root of another container.
     */
    static Path ofExisting(Path directory) throws IOException {
        try {
            Path real = directory.toRealPath();
            return Files.isSameFile(real, directory) ? real : directory;
        } catch (NoSuchFileException e) { // nothing has that name here
            if (Files.exists(directory)) {
                return directory;
            }
            throw e;
        }
    }

    /** The same without links either, as far as it exists: two paths of one directory become the same. */
    public static Path of(Path path) throws IOException {
        Path plain = plain(path);
        Path existing = plain;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return ofExisting(existing).resolve(existing.relativize(plain)).normalize();
    }
}
