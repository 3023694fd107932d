package io.persist.log;

import io.persist.file.StorageFile.WriteThrough;

/**
 * What each write to the file waits for, in {@link WriteMode#FILE}; with the names of the modes of RandomAccessFile.
 */
public enum FileMode {
    /** Nothing: a write is FLUSHED. */
    RW(WriteThrough.NONE),
    /** The bytes and their metadata are on the device (O_SYNC): each write is SYNCED. */
    RWS(WriteThrough.ALL),
    /** The bytes are on the device (O_DSYNC): each write is SYNCED, at less cost than {@link #RWS}. */
    RWD(WriteThrough.DATA);

    private final WriteThrough through;

    FileMode(WriteThrough through) {
        this.through = through;
    }

    /** How far each write to the file goes before it returns. */
    public WriteThrough through() {
        return through;
    }
}
