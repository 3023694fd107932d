package io.persist.backup;

/**
 * How a backup is brought up to date, as far as there is a choice.
 *
 * @param reading how much is read of what the backup has already
 */
public record BackupOptions(Reading reading) {

    /** How much a run reads of the copies that the backup has already, of files that have not changed in the log. */
    public enum Reading {
        /** Where they begin and end: they were read back when they were written. */
        ENDS,
        /** Each byte. A copy that has gone bad is made anew. */
        ALL
    }

    /** As it is done if nothing is said. */
    public static final BackupOptions DEFAULT = new BackupOptions(Reading.ENDS);
}
