package io.persist.bench;

import io.persist.log.LogConfig;

/**
 * What the phases of a program share.
 *
 * @param opener opens a log as it is measured
 * @param row what is measured of each write
 * @param producers the threads that write
 * @param readPass reads back what they wrote
 */
record Setup(
        Journal.Opener opener, LatencyRow row, Producers producers, ClockCost clockCost, ReadPass readPass, Stop stop) {

    Journal open(LogConfig config) {
        return opener.open(config);
    }
}
