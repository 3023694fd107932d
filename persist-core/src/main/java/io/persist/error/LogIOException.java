package io.persist.error;

import org.jspecify.annotations.Nullable;

/**
 * The operating system refused an operation on a file of the log. If a write or a force has failed, the log is FAILED:
 * every later call throws the first failure again, and only opening the log anew recovers what was acknowledged.
 *
 * <p>If only the next segment cannot be made, because there are too many open files for example, the log has not
 * failed, as its {@code hasFailed} tells. The record was not accepted, and appending works again once the cause is
 * removed.
 */
public final class LogIOException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** The JVM's own words say nothing of files. */
    private static final String MISSING_PAGE =
            "; a page of a mapped file is missing: on a tmpfs, make room there, and open it again; else the file was"
                    + " cut, or the device cannot read it, as the kernel's log may say";

    /**
     * {@code cause} is what the operating system said, or null. What it means is added to an {@code InternalError},
     * which is how the JVM reports that a page of a mapping cannot be had.
     */
    public LogIOException(String message, @Nullable Throwable cause) {
        super(cause instanceof InternalError ? message + MISSING_PAGE : message, cause);
    }
}
