package io.persist.matrix.damage;

/**
 * What has to become of the entries of a log, all of which were synced, when bytes of one file are others.
 *
 * @param least how many of the records have to be there, if nothing is reported
 * @param report whether the damage has to be reported
 * @param offset the last byte of the file at which it may be reported
 * @param isSeenByTailer whether a tailer comes across it
 */
record Expected(int least, Report report, int offset, boolean isSeenByTailer) {

    enum Report {
        /** The bytes mean nothing. */
        NEVER,
        /** A store does not read what it does not need; the end of a log that nothing proves may have been torn. */
        PERHAPS,
        ALWAYS
    }

    boolean has(Report wanted) {
        return report == wanted;
    }
}
