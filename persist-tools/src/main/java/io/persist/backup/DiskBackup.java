package io.persist.backup;

import io.persist.backup.Backup.Restored;
import io.persist.backup.Backup.Taken;
import io.persist.backup.BackupOptions.Reading;
import io.persist.backup.kept.KeptBackups;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A backup at a path, as programs make and restore it: {@link Backup} of a log that is in a directory. The commands
 * {@code backup} and {@code restore} do the same.
 *
 * <p><b>Threads:</b> all methods by any thread, also while this or another process writes the log.
 */
public final class DiskBackup {

    private final PackedPath place;
    private final BackupOptions options;

    private DiskBackup(PackedPath place, BackupOptions options) {
        this.place = place;
        this.options = options;
    }

    /** The backup at {@code path}: a zip file if its name ends with {@code .zip}, else a directory. Opens nothing. */
    public static DiskBackup at(Path path) {
        return new DiskBackup(new PackedPath(path), BackupOptions.DEFAULT);
    }

    /**
     * The same, and each run reads all that the backup has already, to copy anew what has gone bad there. Otherwise it
     * reads what is new: {@link #verify} finds such damage.
     */
    public DiskBackup readingAll() {
        return new DiskBackup(place, options.with(Reading.ALL));
    }

    /**
     * The same, and the backup as it is after each run is kept too: a backup of its own, in a directory of
     * {@link #kept} whose name is the time in UTC. It is made of hard links, so that what has not changed takes space
     * once. A run that finds nothing new keeps nothing more. When the new one is complete and synced, those beyond
     * {@code count} are deleted, oldest first.
     *
     * @param count from 1 to 10,000; with the newest, which is the backup as it is now
     * @throws IllegalArgumentException if it is another number, or the backup is a zip file, which is made once
     */
    public DiskBackup keeping(int count) {
        if (place.isZip()) {
            throw new IllegalArgumentException("a zip file is made once and keeps none of earlier runs: " + place.path()
                    + "; name a directory, or a new FILE.zip for each run");
        }
        return new DiskBackup(place, options.keeping(new KeptBackups(place.directory(), count)));
    }

    /**
     * The directories of the backups that are {@linkplain #keeping kept}, oldest first; each is verified and restored
     * as one for itself.
     *
     * @throws LogIOException if the directory cannot be read
     */
    public List<Path> kept() {
        return place.isZip() ? List.of() : reading(() -> KeptBackups.of(place.directory()));
    }

    /**
     * The same, at a rate that leaves the device to others: a run reads and writes no more than so much in a second,
     * and so do {@link #verify} and what {@link #restore} reads. What is new counts three times, since it is read,
     * written and read back.
     *
     * @param rate bytes, 1 MiB or more
     * @throws IllegalArgumentException if it is less
     */
    public DiskBackup bytesPerSecond(long rate) {
        return new DiskBackup(place, options.bytesPerSecond(rate));
    }

    /**
     * Copies a log of messages or packets up to what is in its files now, or brings the backup up to date. What was
     * committed at {@code FLUSHED}, or synced, is in them; the disk has the backup when this returns.
     *
     * @throws CorruptLogException if the log is damaged; a backup that is there stays as it is
     * @throws RetiredException if retention is faster than this; try again
     * @throws io.persist.error.LogLockedException if another run backs up to the same directory
     * @throws LogIOException as {@link Backup#take} does
     */
    public Taken take(LogConfig log) {
        return take(log.directory(), log.directory());
    }

    /**
     * The same of a store, with its checkpoints. The opening is tried, which takes the memory that opening takes.
     *
     * @throws CorruptLogException if the log is damaged; a backup that is there stays as it is
     * @throws RetiredException if compaction is faster than this; try again
     * @throws io.persist.error.LogLockedException if another run backs up to the same directory
     * @throws LogIOException as {@link Backup#take} does
     */
    public Taken take(StoreConfig store) {
        return take(store.log().directory(), store.checkpointDirectory());
    }

    private Taken take(Path log, Path checkpoints) {
        try {
            Storage from = DirectoryStorage.open(log);
            Storage checkpointed = checkpoints.equals(log) ? from : DirectoryStorage.open(checkpoints);
            return Backup.at(place, place.createFor(from)).with(options).take(from, checkpointed);
        } catch (IOException e) {
            throw new LogIOException("cannot back up to " + place.path() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Compares the backup with its manifest, each byte of it.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not a backup, or a newer version wrote it
     * @throws CorruptLogException if they differ
     * @throws LogIOException if the backup cannot be read, or a run changes it meanwhile
     */
    public BackupManifest verify() {
        return opened().verify();
    }

    private Backup opened() {
        return reading(() -> Backup.at(place, place.open()).with(options));
    }

    private <T> T reading(FileAction<T> action) {
        return FileAction.orFail("cannot read the backup " + place.path(), action);
    }

    /**
     * Copies the backup into {@code target}, an empty directory or one to be made, in which a writer can then open it.
     * The checkpoints of a store are there too. All of the backup is compared with its manifest before the directory
     * is made.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not a backup, or a newer version wrote it
     * @throws CorruptLogException if the backup differs from its manifest
     * @throws io.persist.error.LogLockedException if a writer has opened a log there
     * @throws LogIOException if the directory is not empty, or as {@link Backup#restore} does
     */
    public Restored restore(Path target) {
        return restore(target, RestorePoint.END);
    }

    /**
     * The same of a log of messages or packets up to {@code end}, in which it opens as one that was closed there.
     * Records that are kept have the numbers and the positions that they had; cursors beyond the end are refused.
     *
     * @throws IllegalArgumentException if no log can end at {@code end}, or the backup is of a store
     * @throws RetiredException if the backup has no records from before {@code end}
     * @throws UnsupportedFormatException if there is no manifest: it is not a backup, or a newer version wrote it
     * @throws CorruptLogException if the backup differs from its manifest
     * @throws io.persist.error.LogLockedException if a writer has opened a log there
     * @throws LogIOException if the directory is not empty, or as {@link Backup#restore} does
     */
    public Restored restore(Path target, RestorePoint end) {
        return opened().restore(target, end);
    }
}
