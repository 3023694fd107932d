package io.persist.file;

/**
 * The identity of the running operating system. As long as it is the same, everything ever written to a file is still
 * in the page cache or on the device, however the process ended; once it differs, only what was synced is sure.
 *
 * @param high the upper half; both halves are 0 where the operating system does not tell
 * @param low the lower half
 */
public record BootId(long high, long low) {

    /** An identity that is never the same as any other. */
    public static final BootId UNKNOWN = new BootId(0, 0);
}
