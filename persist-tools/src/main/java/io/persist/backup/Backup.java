package io.persist.backup;

import io.persist.archive.ArchiveReader;
import io.persist.archive.Restorer;
import io.persist.backup.BackupOptions.Reading;
import io.persist.backup.kept.KeptBackups;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.disk.FileReason;
import io.persist.format.LogFileName;
import io.persist.log.thread.Pace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A backup of a log or a store: all that is needed to go on with it from one position, in a directory or a zip file,
 * with a manifest. Tools read the log in a directory as it is, and later runs bring it up to date; a zip file is made
 * once. It is there as a whole or not at all, and an interrupted run harms no backup that was there before.
 *
 * <p><b>Threads:</b> one at a time for each backup.
 */
public final class Backup {

    /**
     * What a run did.
     *
     * @param manifest of the backup as it is now
     * @param isUpToDate whether nothing had changed since the run before
     * @param written how many files were copied; the others were there already
     * @param writtenBytes the length of these files
     * @param leftOut what is wrong with checkpoints of the store that are damaged, and not in the backup, a line each;
     *     the store opens without them
     * @param elapsedNs how long it took, in nanoseconds, with what it waited to be slow enough
     */
    public record Taken(
            BackupManifest manifest,
            boolean isUpToDate,
            int written,
            long writtenBytes,
            List<String> leftOut,
            long elapsedNs) {}

    /**
     * What a restore made.
     *
     * @param backup the manifest of the backup
     * @param endPosition where the restored log ends
     * @param lastSequence the number of the last record before that, 0 if there is none
     * @param cutOff the cursors that lie behind it
     */
    public record Restored(BackupManifest backup, long endPosition, long lastSequence, List<CutOffCursor> cutOff) {

        /** Whether it has all of the backup. */
        public boolean isWhole() {
            return endPosition == backup.endPosition();
        }
    }

    /**
     * A cursor whose reader has passed records that the restored log does not have. It is there and refused, as one
     * before which a repair has cut the log, until somebody removes it.
     *
     * @param name of the cursor
     * @param position where its reader was to go on
     * @param sequence the number of the record there; 0 if it was refused before
     */
    public record CutOffCursor(String name, long position, long sequence) {}

    private interface SinkOpener {
        BackupSink open(Storage place, Storage log, Reading reading) throws IOException;
    }

    /** How often a writer may take away what was just to be copied before it is given up. */
    private static final int ATTEMPTS = 10;

    private final String description;
    private final Storage place;
    private final SinkOpener sink;
    private final Function<Storage, BackupReader> reader;
    private final BackupOptions options;

    private Backup(
            String description,
            Storage place,
            SinkOpener sink,
            Function<Storage, BackupReader> reader,
            BackupOptions options) {
        this.description = description;
        this.place = place;
        this.sink = sink;
        this.reader = reader;
        this.options = options;
    }

    /** The backup at this place, whose {@linkplain PackedPath#directory directory} is {@code storage}. */
    public static Backup at(PackedPath place, Storage storage) {
        return place.isZip() ? zip(storage, place.zipName()) : directory(storage);
    }

    /** The zip file {@code name} in {@code storage}. */
    public static Backup zip(Storage storage, String name) {
        return new Backup(
                storage.description() + "/" + name,
                storage,
                (place, log, reading) -> new BackupZip(place, name),
                place -> BackupReader.ofZip(place, name),
                BackupOptions.DEFAULT);
    }

    /** The directory of {@code storage}. */
    public static Backup directory(Storage storage) {
        return new Backup(
                storage.description(), storage, BackupDirectory::new, BackupReader::ofDirectory, BackupOptions.DEFAULT);
    }

    /** The same backup, which is brought up to date and read as {@code other} says. */
    public Backup with(BackupOptions other) {
        return new Backup(description, place, sink, reader, other);
    }

    /**
     * Copies the log up to where it ends now, with what belongs to it, or brings the backup up to date. Takes no lock
     * of the log and opens none; the log may be written meanwhile. What was written is read back, and of a store the
     * opening is tried, which takes the memory that opening takes, before the backup counts. All of each checkpoint
     * that the backup has not yet is read: one that is damaged is left out if the store opens without it.
     *
     * @param checkpoints where a store has its checkpoints: {@code log} if it is no store, or has them there
     * @throws CorruptLogException if the log is damaged; a backup that is there stays as it is
     * @throws RetiredException if compaction or retention is faster than this; try again
     * @throws io.persist.error.LogLockedException if another run backs up to the same directory
     * @throws LogIOException if something else is at that place, or a backup of records that the log does not have any
     *     more although retention and compaction have not taken them; if a store would not open, or could not without a
     *     checkpoint that is damaged; if a file cannot be read or written; or if the backup was made, and could not be
     *     kept beside those of earlier runs
     */
    public Taken take(Storage log, Storage checkpoints) {
        long startNs = System.nanoTime();
        Reading reading = options.reading();
        Pace pace = options.pace().get();
        for (int attempt = 1; ; attempt++) {
            try (BackupSink files = sink.open(BackupOptions.paced(place, pace), log, reading);
                    BackupRun run = new BackupRun(log, checkpoints, files, pace, options.progress())) {
                BackupManifest manifest = run.take();
                keep(manifest); // while no other run changes it
                return new Taken(
                        manifest,
                        run.isUpToDate(),
                        files.written(),
                        files.writtenBytes(),
                        run.leftOut(),
                        System.nanoTime() - startNs);
            } catch (BackupRun.NotTrusted e) {
                reading = Reading.ALL;
            } catch (RetiredException | FileNotFoundException overtaken) {
                if (attempt == ATTEMPTS) {
                    throw overtaken instanceof RetiredException retired ? retired : failed(overtaken);
                }
            } catch (IOException | InternalError e) {
                throw failed(e);
            }
        }
    }

    private void keep(BackupManifest manifest) {
        KeptBackups kept = options.kept();
        if (kept == null) {
            return;
        }
        try {
            kept.keep(manifest.files().stream().map(BackupFile::name).toList());
        } catch (IOException e) {
            throw new LogIOException(
                    "the backup is up to date, but could not be kept beside those of earlier runs: " + e.getMessage(),
                    e);
        }
    }

    private LogIOException failed(Throwable cause) {
        String why = String.valueOf(cause.getMessage());
        String advice = FileReason.isDiskFull(cause) ? "; make space there, or name another place" : "";
        if (FileReason.isFileTooLong(cause)) {
            advice = "; raise the limit of a file's length (ulimit -f)";
        }
        String before = advice.isEmpty() ? "" : "; a backup that was there is as it was";
        return new LogIOException("cannot back up to " + description + ": " + why + advice + before, cause);
    }

    /**
     * Compares the backup with its manifest: that all files are there and no others, and each byte of them.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not a backup, or a newer version wrote it
     * @throws CorruptLogException if they differ
     * @throws LogIOException if the backup cannot be read, or a run changes it meanwhile
     */
    public BackupManifest verify() {
        return restorer(RestorePoint.END).verify();
    }

    /**
     * Copies the backup into an empty directory, which a writer can then open. Before the first byte is written all of
     * the backup has been compared with its manifest, and the directory has space for it. Files and directory are
     * synced. If something goes wrong nothing is left there. The directory is held from beginning to end as by a
     * writer, so that none opens a log there meanwhile.
     *
     * @throws UnsupportedFormatException if there is no manifest: it is not a backup, or a newer version wrote it
     * @throws CorruptLogException if the backup differs from its manifest
     * @throws io.persist.error.LogLockedException if a writer has opened a log there
     * @throws LogIOException if the directory is not empty, or too small, or something cannot be read or written, or a
     *     run changes the backup meanwhile
     */
    public BackupManifest restore(Storage target) {
        return restore(target, RestorePoint.END).backup();
    }

    /**
     * The same up to {@code end}: a log that was closed there. What it keeps has the numbers and positions that it had.
     * Until the rest is left out it takes space for all of the backup, and for a segment more.
     *
     * @throws IllegalArgumentException if no log can end at {@code end}, or the backup is of a store
     * @throws RetiredException if the backup has no records from before {@code end}
     */
    public Restored restore(Storage target, RestorePoint end) {
        return restorer(end).restore(target, (manifest, files) -> LogCut.make(manifest, files, end));
    }

    /**
     * The same into a directory at {@code target}, which is made, if it is not there, once all of the backup has been
     * compared.
     */
    public Restored restore(Path target, RestorePoint end) {
        return restorer(end).restore(target, (manifest, files) -> LogCut.make(manifest, files, end));
    }

    /**
     * Whether this backup in a directory is one to restore for {@code end}: of a log that can end there, or of a store
     * that ended before that. It is not compared with its manifest. One that cannot be read is none.
     */
    public boolean reaches(RestorePoint end) {
        try {
            byte[] manifest = BackupDirectory.read(place, BackupManifest.NAME);
            return LogCut.reaches(BackupManifest.decode(manifest), place, end);
        } catch (IOException | PersistException unreadable) {
            return false;
        }
    }

    private Restorer<BackupManifest> restorer(RestorePoint end) {
        Storage paced = BackupOptions.paced(place, options.pace().get());
        return new Restorer<>("backup", description, (opener, ending) -> {
            ArchiveReader.Opener telling = name -> {
                LogFileName.basePosition(name).ifPresent(options.progress());
                return opener.begin(name);
            };
            BackupManifest manifest = reader.apply(paced).read(telling, ending);
            LogCut.require(manifest, end);
            return manifest;
        });
    }

    /** What is wrong with a backup; repair is for logs and of no use here. */
    static CorruptLogException damaged(String file, long position, String what) {
        return new CorruptLogException(
                file,
                position,
                what,
                "this backup is no good as it is; bring it up to date with --readAll, which copies again from the log"
                        + " what has gone bad, or take another");
    }
}
