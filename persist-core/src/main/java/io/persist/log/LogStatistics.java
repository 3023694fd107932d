package io.persist.log;

/**
 * What a log has done since it was opened.
 *
 * @param rolls how often the appender went to a new segment
 * @param stalls how often the appender had to wait for one to be filled
 * @param stallNs how long it waited in all
 * @param syncs how often the device was told to flush
 */
public record LogStatistics(long rolls, long stalls, long stallNs, long syncs) {}
