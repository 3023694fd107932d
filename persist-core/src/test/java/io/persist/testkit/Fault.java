package io.persist.testkit;

/** What happens to a script at one of its operations. */
public enum Fault {
    /** The power goes in the middle of the operation: of what it writes any part may survive. */
    POWER_CUT,

    /**
     * The volume fails in the middle of the operation, and is mounted again, or restored from a snapshot, while the
     * machine runs on. It loses what a power cut may take, but the boot is the same one.
     */
    REMOUNT,

    /**
     * The process is killed in the middle of the operation. What it has written is still in the page cache; the same
     * kernel runs. A write that is killed is done wholly, and in another trial not at all.
     */
    KILL,

    /**
     * The operation fails once, with EIO, and nothing of it is done; all later ones work. Pages that it would have
     * synced count as clean from now on. The power is cut when the life is over.
     */
    IO_ERROR,

    /**
     * From the operation on nothing can grow: creations still work, writes beyond the end of a file do a part and fail,
     * with ENOSPC. The power is cut when the life is over; then there is space again. It is tried where files are
     * created or written.
     */
    DISK_FULL
}
