package io.persist.backup;

import io.persist.archive.Archive;
import io.persist.archive.ArchiveManifest;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.LogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiFunction;

/**
 * An archive at a path, as programs make and restore it: {@link Archive} of a log that is in a directory. The command
 * {@code archive} does the same.
 *
 * <p><b>Threads:</b> one at a time for each archive, also while this or another process writes the log.
 */
public final class DiskArchive {

    private final PackedPath place;

    private DiskArchive(PackedPath place) {
        this.place = place;
    }

    /** The archive at {@code path}: a zip file if its name ends with {@code .zip}, else a directory. Opens nothing. */
    public static DiskArchive at(Path path) {
        return new DiskArchive(new PackedPath(path));
    }

    /**
     * Packs the sealed segments of a log that are synced: those before the segment in which it goes on, as far as no
     * power cut can take them. Every record is verified on the way. The disk has the archive when this returns. If
     * something goes wrong nothing is left of it but its directory, empty. The log of a store lacks its newest changes
     * then; take a {@link DiskBackup} of it.
     *
     * @return what was packed; without segments if none is sealed and synced, and then there is no archive
     * @throws CorruptLogException if a segment is damaged
     * @throws RetiredException if a segment is taken away on the way
     * @throws LogIOException if there is no log, the archive exists already, or a file cannot be read or written
     */
    public ArchiveManifest pack(LogConfig log) {
        return pack(log, Archive::pack);
    }

    /**
     * The same without the segments that end at or before {@code fromPosition}, in bytes from 0 on: the {@link
     * ArchiveManifest#endPosition} of the archive before this one. So both together have all that was sealed and
     * synced, and no segment twice.
     *
     * @throws RetiredException if records from there on are gone already
     * @throws IllegalArgumentException if it is below 0, or the log ends before it
     */
    public ArchiveManifest pack(LogConfig log, long fromPosition) {
        return pack(log, (archive, from) -> archive.pack(from, fromPosition));
    }

    private ArchiveManifest pack(LogConfig log, BiFunction<Archive, Storage, ArchiveManifest> packing) {
        try {
            Storage from = DirectoryStorage.open(log.directory());
            return packing.apply(place.archiveIn(place.createFor(from)), from);
        } catch (IOException e) {
            throw new LogIOException("cannot archive to " + place.path() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Compares the archive with its manifest, each byte of it.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not an archive, or a newer version wrote it
     * @throws CorruptLogException if they differ
     * @throws LogIOException if the archive cannot be read
     */
    public ArchiveManifest verify() {
        return opened().verify();
    }

    private Archive opened() {
        return FileAction.orFail("cannot read the archive " + place.path(), () -> place.archiveIn(place.open()));
    }

    /**
     * Unpacks the archive into {@code target}, an empty directory or one to be made, which then has a log that begins
     * and ends where the archive does; a writer can go on with it. All of the archive is compared with its manifest
     * before the directory is made.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not an archive, or a newer version wrote it
     * @throws CorruptLogException if the archive differs from its manifest
     * @throws io.persist.error.LogLockedException if a writer has opened a log there
     * @throws LogIOException if the directory is not empty, or too small, or something cannot be read or written
     */
    public ArchiveManifest restore(Path target) {
        return opened().restore(target);
    }
}
