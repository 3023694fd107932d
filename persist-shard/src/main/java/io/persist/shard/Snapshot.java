package io.persist.shard;

import io.persist.shard.batch.OpenRuns;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.Rows;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a shard as of one time, in the order of the bytes of keys and values: each of these once, with the
 * sum of its diffs, which is not 0. Of each sorted run one object is in memory, or pieces of one.
 *
 * <p>{@link #next} throws as the methods of the reader do. <b>Threads:</b> one at a time.
 */
public final class Snapshot<K, V> implements Iterator<Update<K, V>>, AutoCloseable {

    private final ReaderLease lease;
    private final ShardState state;
    private final Codec<K> keys;
    private final Codec<V> values;
    private final OpenRuns open;
    private final Rows rows;
    private @Nullable Row next;

    /** What {@link #next} says, if the row behind it could not be read: its bytes may be used again by then. */
    private @Nullable Update<K, V> decoded;

    private boolean isClosed;

    Snapshot(PartStore store, ReaderLease lease, long asOf, Codec<K> keys, Codec<V> values) {
        this.lease = lease;
        this.keys = keys;
        this.values = values;
        this.state = lease.acquire();
        try {
            open = openRuns(store, state, asOf);
        } catch (RuntimeException | Error failed) {
            lease.giveBack(state);
            throw failed;
        }
        try {
            rows = open.merged(asOf);
            next = rows.next();
        } catch (DamagedShardException damaged) {
            close();
            throw lease.explained(damaged);
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    private static OpenRuns openRuns(PartStore store, ShardState state, long asOf) {
        List<BatchState> batches = state.batches().stream()
                .filter(batch -> !batch.lower().isEmpty() && batch.lower().time() <= asOf)
                .toList();
        return new OpenRuns(store, batches, time -> time <= asOf, PartStore.Check.FIRST);
    }

    @Override
    public boolean hasNext() {
        return next != null && !isClosed;
    }

    /**
     * The next key and value; its time is that of the snapshot. If it fails it can be called again and skips
     * nothing.
     */
    @Override
    public Update<K, V> next() {
        Row row = next;
        if (row == null || isClosed) {
            throw new NoSuchElementException("the snapshot is at its end or closed");
        }
        Update<K, V> update = decoded == null ? update(row, keys, values) : decoded;
        decoded = update;
        next = readNext();
        decoded = null;
        return update;
    }

    private @Nullable Row readNext() {
        try {
            return rows.next();
        } catch (DamagedShardException damaged) {
            throw lease.explained(damaged);
        }
    }

    /** How long the row is that {@link #next} gives. */
    int nextBytes() {
        Row row = next;
        return row == null ? 0 : row.length();
    }

    static <K, V> Update<K, V> update(Row row, Codec<K> keys, Codec<V> values) {
        return new Update<>(keys.decode(row.key()), values.decode(row.value()), row.time(), row.diff());
    }

    /** All that is left, in memory. */
    public List<Update<K, V>> toList() {
        List<Update<K, V>> list = new ArrayList<>();
        forEachRemaining(list::add);
        return list;
    }

    /** Lets go of the objects. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            open.close();
            lease.giveBack(state);
        }
    }
}
