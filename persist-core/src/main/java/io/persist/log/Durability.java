package io.persist.log;

/** What a record is safe from. Each level includes the ones before it. */
public enum Durability {
    /**
     * Accepted: in the memory of this process or in the page cache. A crash of the process can lose it in {@link
     * WriteMode#FILE}, and in every mode if the logger is detached.
     */
    BUFFERED,
    /** Handed to the operating system: survives the process, {@code kill -9} included, but not a power cut. */
    FLUSHED,
    /** On the device: survives a power cut, if the device really flushes when it is told to. */
    SYNCED
}
