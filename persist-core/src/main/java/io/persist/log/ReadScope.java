package io.persist.log;

/** What tailers show. */
public enum ReadScope {
    /** Every record that is published. A power cut can take back what was shown. */
    PUBLISHED,
    /**
     * Only records that are known to be synced: a power cut takes back nothing that was shown. A record appears once a
     * sync has covered it. If the log has no control block, nothing is known to be synced, and nothing is shown until a
     * writer opens the log.
     */
    SYNCED
}
