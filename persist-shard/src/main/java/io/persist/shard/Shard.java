package io.persist.shard;

import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.UpkeepReport;
import io.persist.shard.state.ShardState;

/**
 * A collection that changes over time.
 *
 * <p><b>Threads:</b> any.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class Shard<K, V> {

    private final String id;
    private final OpenShard open;
    private final Codec<K> keys;
    private final Codec<V> values;

    Shard(String id, OpenShard open, Codec<K> keys, Codec<V> values) {
        this.id = id;
        this.open = open;
        this.keys = keys;
        this.values = values;
    }

    /** Its id. */
    public String id() {
        return id;
    }

    /** Below which time it is complete, asked now. */
    public Frontier upper() {
        return open.machine().refresh().upper();
    }

    /** From which time on it can be read, asked now. */
    public Frontier since() {
        return open.machine().refresh().since();
    }

    /** Whether it is finished and unreadable, so that nothing is left of it. */
    public boolean isTombstone() {
        return open.machine().refresh().isTombstone();
    }

    /** A new writer, with a lease. */
    public ShardWriter<K, V> writer() {
        return new ShardWriter<>(open, keys, values);
    }

    /** A new reader, with a lease. It can read from the present since on, and holds it. */
    public ShardReader<K, V> reader() {
        return new ShardReader<>(open, keys, values);
    }

    /**
     * The hold of since that has {@code name}, which is made at the present since if there is none. It has no
     * lease.
     *
     * @throws IllegalArgumentException if the name has a lone surrogate
     */
    public SinceHandle since(String name) {
        return new SinceHandle(open, name);
    }

    /** Renews the leases of this client's handles and does all upkeep that is worth it now. */
    public UpkeepReport maintain() {
        return open.maintain();
    }

    /** Takes those for gone whose lease is over, as upkeep does once it has renewed its own; says how many. */
    public int expire() {
        return open.expire();
    }

    /** The state, asked now. */
    ShardState state() {
        return open.machine().refresh();
    }
}
