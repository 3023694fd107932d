package io.persist.backup;

import io.persist.file.StorageFile;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a backup goes. It is there as a whole or not at all. Closing it before the commit takes back what was written.
 */
interface BackupSink extends AutoCloseable {

    /** What goes into one file of the backup. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** What an earlier run has left there; null if there is nothing. */
    @Nullable
    BackupManifest previous();

    /**
     * The copy that {@code previous} tells of, open, to be closed by the caller; null if it is not there or has another
     * length, and where all is read also if a byte of it has changed.
     */
    @Nullable
    StorageFile find(BackupFile file) throws IOException;

    /** Whether that copy is there with each byte as it was written. */
    boolean isWhole(BackupFile file) throws IOException;

    /** Whether {@link #find} reads all of a copy. */
    boolean readsAll();

    /** Writes a file; one that is there already with the same bytes stays. */
    BackupFile put(String name, BackupFile.State state, Content content) throws IOException;

    /** How many files were written that were not there with the same bytes. */
    int written();

    /** The length of these files. */
    long writtenBytes();

    /** Whether a commit would change nothing: all is there as {@code manifest} says, and no other file of a backup. */
    boolean isUpToDate(BackupManifest manifest) throws IOException;

    /** Makes the backup that {@code manifest} describes the one that is there, after reading back what was written. */
    void commit(BackupManifest manifest) throws IOException;

    @Override
    void close();
}
