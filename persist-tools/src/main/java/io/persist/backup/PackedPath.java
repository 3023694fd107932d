package io.persist.backup;

import io.persist.archive.Archive;
import io.persist.backup.kept.KeptBackups;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.RealPath;
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

    /**
     * Opens that directory, to write what is copied of {@code log}. It is made if there is none, but not for a zip
     * file.
     *
     * @throws IOException if it is a place within the log's directory, which has nothing but the log, or a backup that
     *     another one keeps
     */
    public Storage createFor(Storage log) throws IOException {
        Path place = RealPath.of(isZip() ? path : directory());
        Path copied = RealPath.of(Path.of(log.description()));
        if (place.startsWith(copied) && !place.equals(copied)) {
            throw new IOException("it would lie within " + copied + ", which it is a copy of; name a place outside");
        }
        if (!isZip() && KeptBackups.isOne(place)) {
            throw new IOException("a kept backup stays as it is: " + place + "; name the one that keeps it, "
                    + place.resolve("../..").normalize());
        }
        return isZip() ? open() : DirectoryStorage.create(directory());
    }

    /** The archive at this place, whose {@linkplain #directory directory} is {@code storage}. */
    public Archive archiveIn(Storage storage) {
        return isZip() ? Archive.zip(storage, zipName()) : Archive.directory(storage);
    }
}
