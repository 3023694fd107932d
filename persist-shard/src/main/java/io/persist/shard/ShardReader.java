package io.persist.shard;

import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.error.ShardTimeoutException;
import io.persist.shard.error.SinceException;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.ShardState;
import java.time.Duration;

/**
 * Reads a shard, and keeps its history from {@link #since} on.
 *
 * <p>All methods that read throw {@link SinceException} for a time below since, {@link LeaseExpiredException} if this
 * reader was silent for too long, {@link io.persist.shard.error.DamagedShardException} if an object is not what was
 * written, {@link io.persist.shard.error.LocationException} if a place does not answer, and {@link
 * IllegalStateException} if the reader or its client is closed, also while they wait.
 *
 * <p><b>Threads:</b> one at a time; {@link #close} any; any number of readers.
 */
public final class ShardReader<K, V> implements AutoCloseable {

    private final OpenShard open;
    private final OpenShard.Renewable renewable = new OpenShard.Renewable(this::renew, this::close);
    private final Codec<K> keys;
    private final Codec<V> values;
    private final ReaderLease lease;
    private volatile boolean isClosed;

    ShardReader(OpenShard open, Codec<K> keys, Codec<V> values) {
        this.open = open;
        this.keys = keys;
        this.values = values;
        this.lease = new ReaderLease(open, Frontier.MINIMUM);
        open.add(renewable, lease.id());
    }

    /** From where on it can read; EMPTY if its lease is over, or it has given all up. */
    public Frontier since() {
        return lease.since();
    }

    /**
     * The contents as of {@code asOf}: all updates up to that time, summed.
     *
     * @param timeout how long to wait until the shard is complete up to {@code asOf}; a place that does not answer is
     *     asked again for the retry time of the settings, however short this is
     * @throws ShardTimeoutException if it is not by then
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Snapshot<K, V> snapshot(long asOf, Duration timeout) throws InterruptedException {
        checkReadable(asOf);
        awaitUpper(asOf, timeout);
        return new Snapshot<>(open.store(), lease, asOf, keys, values);
    }

    private void checkReadable(long asOf) {
        open.checkOpen();
        if (isClosed) {
            throw new IllegalStateException("shard=" + open.id() + ": the reader is closed");
        }
        lease.checkSince(asOf);
    }

    private void awaitUpper(long asOf, Duration timeout) throws InterruptedException {
        ShardState state = open.machine().await(now -> now.upper().isBehind(asOf), timeout, () -> checkReadable(asOf));
        if (state == null) {
            throw new ShardTimeoutException(
                    "upper=" + open.machine().known().upper() + " was not beyond asOf=" + asOf + " within " + timeout,
                    null);
        }
    }

    /** The updates behind {@code asOf}, as they come. The listener has a lease of its own. */
    public ShardListener<K, V> listen(long asOf) {
        return listener(asOf, ShardListener.Start.BEHIND);
    }

    /** The contents as of {@code asOf}, as updates of that time, and then what {@link #listen} gives. */
    public ShardListener<K, V> subscribe(long asOf) {
        return listener(asOf, ShardListener.Start.WITH_CONTENTS);
    }

    private ShardListener<K, V> listener(long asOf, ShardListener.Start start) {
        checkReadable(Frontier.at(asOf).time());
        return new ShardListener<>(open, asOf, keys, values, start);
    }

    /**
     * Gives the history before {@code since} up, and renews the lease. A since that is not ahead changes nothing.
     *
     * @return the reader's since after that; EMPTY if its lease was over
     */
    public Frontier downgradeSince(Frontier since) {
        return lease.moveTo(since);
    }

    /** Part of upkeep, by one attempt: says that this reader lives, when it is time to. */
    void renew() {
        lease.renew(Frontier.MINIMUM);
    }

    /** Gives the lease up. Snapshots that are open may not find their objects any more. */
    @Override
    public void close() {
        isClosed = true;
        open.remove(renewable);
        lease.close();
    }
}
