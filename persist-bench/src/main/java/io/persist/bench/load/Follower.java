package io.persist.bench.load;

import io.persist.bench.latency.PositionTimes;
import io.persist.log.LogConfig;

/**
 * What follows the writes to a journal and notes in {@link PositionTimes} which positions have been reached: by a level
 * of durability, or by a reader.
 *
 * <p><b>Threads:</b> one starts and closes it.
 */
public interface Follower extends AutoCloseable {

    /** Waits until everything written is reached. Nobody writes any more. */
    void await(WriteLoop.Written written) throws ReadPass.VerificationException;

    @Override
    void close();

    /** Starts one, before the first write. */
    @FunctionalInterface
    interface Starter {

        Follower start(Journal journal, LogConfig config, PositionTimes times);
    }
}
