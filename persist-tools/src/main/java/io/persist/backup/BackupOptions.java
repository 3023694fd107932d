package io.persist.backup;

import io.persist.archive.source.PacedStorage;
import io.persist.backup.kept.KeptBackups;
import io.persist.error.Limits;
import io.persist.file.Storage;
import io.persist.log.thread.Pace;
import io.persist.log.thread.Throttle;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a backup is brought up to date and read, as far as there is a choice.
 *
 * @param reading how much is read of what the backup has already
 * @param kept keeps the backup as it is after each run; null if nothing does
 * @param progress is told where each segment begins before it is read or copied
 * @param pace makes what each run is told to have read and written, and may wait then
 */
public record BackupOptions(Reading reading, @Nullable KeptBackups kept, LongConsumer progress, Supplier<Pace> pace) {

    /** How much a run reads of the copies that the backup has already, of files that have not changed in the log. */
    public enum Reading {
        /** Where they begin and end: they were read back when they were written. */
        ENDS,
        /** Each byte. A copy that has gone bad is made anew. */
        ALL
    }

    private static final Pace UNBOUNDED = bytes -> {};

    /** As it is done if nothing is said. */
    public static final BackupOptions DEFAULT = new BackupOptions(Reading.ENDS, null, base -> {}, () -> UNBOUNDED);

    /** The same with this one. */
    public BackupOptions with(Reading other) {
        return new BackupOptions(other, kept, progress, pace);
    }

    /** The same, and the backup as it is after each run is kept by {@code other}. */
    public BackupOptions keeping(KeptBackups other) {
        return new BackupOptions(reading, other, progress, pace);
    }

    /** The same, and {@code other} is told how far it is. */
    public BackupOptions telling(LongConsumer other) {
        return new BackupOptions(reading, kept, other, pace);
    }

    /**
     * The same, and nothing reads and writes more than so much in a second.
     *
     * @throws IllegalArgumentException if it is less than 1 MiB
     */
    public BackupOptions bytesPerSecond(long rate) {
        Limits.check("bytesPerSecond", rate, 1 << 20, Long.MAX_VALUE);
        return new BackupOptions(reading, kept, progress, () -> new Throttle(rate, () -> false));
    }

    /** The storage at that pace. */
    static Storage paced(Storage storage, Pace pace) {
        return pace == UNBOUNDED ? storage : new PacedStorage(storage, pace);
    }
}
