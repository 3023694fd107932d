package io.persist.log.segment;

/**
 * Where a log ends.
 *
 * @param tail where the next frame goes
 * @param lastSequence the last record's number, 0 if there is none
 * @param lastPosition where it begins, 0 if there is none or it is not known
 */
public record LogEnd(long tail, long lastSequence, long lastPosition) {}
