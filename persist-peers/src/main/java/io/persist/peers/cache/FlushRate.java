package io.persist.peers.cache;

import org.rocksdb.Options;
import org.rocksdb.RateLimiter;

/**
 * How fast RocksDB may write while a flush goes on that was asked for. Its limiter is one for all that it writes in the
 * background; at any other time nothing is held back, as nothing of a store is but its checkpoints.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class FlushRate implements AutoCloseable {

    private static final long UNLIMITED = Long.MAX_VALUE;

    private final long bytesPerSecond;
    private final RateLimiter limiter = new RateLimiter(UNLIMITED);

    /** @param bytesPerSecond of a flush; 0 for no limit */
    FlushRate(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond == 0 ? UNLIMITED : bytesPerSecond;
    }

    /** Has the rate apply to a database that is opened with these. */
    void applyTo(Options options) {
        options.setRateLimiter(limiter);
    }

    /** Limits what is written until {@link #end}. */
    void begin() {
        limiter.setBytesPerSecond(bytesPerSecond);
    }

    void end() {
        limiter.setBytesPerSecond(UNLIMITED);
    }

    /** What is allowed at the moment. */
    long current() {
        return limiter.getBytesPerSecond();
    }

    /** Once the database is closed. */
    @Override
    public void close() {
        limiter.close();
    }
}
