package io.persist.log;

/**
 * What each write to the file waits for, in {@link WriteMode#FILE}; with the names of the modes of RandomAccessFile.
 */
public enum FileMode {
    /** Nothing: a write is FLUSHED. */
    RW,
    /** The bytes and their metadata are on the device (O_SYNC): each write is SYNCED. */
    RWS,
    /** The bytes are on the device (O_DSYNC): each write is SYNCED, at less cost than {@link #RWS}. */
    RWD
}
