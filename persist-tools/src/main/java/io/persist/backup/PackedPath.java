package io.persist.backup;

import io.persist.archive.Archive;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where an archive or a backup is on the disk: a zip file if its name ends with {@code .zip}, else a directory.
 *
 * @param path as it was typed
 */
public record PackedPath(Path path) {

    private static final String ZIP_SUFFIX = ".zip";

    public boolean isZip() {
        return path.toString().endsWith(ZIP_SUFFIX);
    }

    /** The name of the zip file in its {@link #directory}; of no meaning for a directory. */
    public String zipName() {
        return String.valueOf(path.getFileName());
    }

    /** The directory that has its files: itself, or the one with the zip file. */
    public Path directory() {
        Path absolute = path.toAbsolutePath(); // with its `..`, which goes by links and not by the letters
        Path parent = absolute.getParent();
        return isZip() && parent != null ? parent : absolute;
    }

    /** Opens that directory, to read. */
    public Storage open() throws IOException {
        return DirectoryStorage.open(directory());
    }

    /** Opens that directory, to write. It is made if there is none, but not for a zip file. */
    public Storage create() throws IOException {
        return isZip() ? open() : DirectoryStorage.create(directory());
    }

    /** The archive at this place, whose {@linkplain #directory directory} is {@code storage}. */
    public Archive archiveIn(Storage storage) {
        return isZip() ? Archive.zip(storage, zipName()) : Archive.directory(storage);
    }
}
