package io.persist.log.read;

import java.io.IOException;

/** Makes records survive power cuts, for a reader. */
@FunctionalInterface
public interface PositionSync {

    /**
     * Returns once everything before {@code position} is synced; a reader has seen it already.
     *
     * @param known everything before here is known to be synced
     * @throws io.persist.error.LogIOException if the log has failed
     */
    void syncTo(long known, long position) throws IOException;
}
