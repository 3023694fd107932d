package io.persist.kafka;

import io.persist.store.Direction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig.InternalConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.ChangelogRecordDeserializationHelper;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.HeadersBytesStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.TimestampedBytesStore;
import org.apache.kafka.streams.state.internals.StoreQueryUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state store that Kafka calls: what is Kafka's about it. The data is in an {@link OpenStore}.
 *
 * <p><b>Threads:</b> one at a time writes; any may read, query and iterate. The position is guarded by itself, as
 * Kafka's queries expect it: a query sees no write without its position.
 */
class PersistKeyValueStore implements KeyValueStore<Bytes, byte[]> {

    private static final Logger LOG = LoggerFactory.getLogger(PersistKeyValueStore.class);

    private final String name;
    private final ValueFormat format;
    private volatile Position position = Position.emptyPosition();
    private volatile @Nullable OpenStore open;
    private @Nullable StateStoreContext context;
    private @Nullable IndexGauges gauges;
    private boolean isConsistencyEnabled;

    PersistKeyValueStore(String name, ValueFormat format) {
        this.name = name;
        this.format = format;
    }

    /** One whose values begin with a timestamp; Kafka looks at the type. */
    static final class Timestamped extends PersistKeyValueStore implements TimestampedBytesStore {

        Timestamped(String name) {
            super(name, ValueFormat.TIMESTAMPED);
        }
    }

    /** One whose values begin with headers and a timestamp; Kafka looks at the type. */
    static final class WithHeaders extends PersistKeyValueStore implements HeadersBytesStore {

        WithHeaders(String name) {
            super(name, ValueFormat.WITH_HEADERS);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext stateStoreContext, StateStore root) {
        OpenStore opened = new StorePlace(name, format, stateStoreContext).open();
        try {
            begin(opened, stateStoreContext, root);
        } catch (RuntimeException | Error e) {
            open = opened; // Kafka does not close what it could not init
            closeAfter(e);
            throw e;
        }
    }

    private void begin(OpenStore opened, StateStoreContext stateStoreContext, StateStore root) {
        // Another one: Kafka inits this object again when it has deleted the directory. What was written is gone then.
        position = opened.committedPosition();
        isConsistencyEnabled = InternalConfig.getBoolean(
                stateStoreContext.appConfigs(), InternalConfig.IQ_CONSISTENCY_OFFSET_VECTOR_ENABLED, false);
        context = stateStoreContext;
        gauges = new IndexGauges(name, stateStoreContext, opened);
        open = opened;
        stateStoreContext.register(root, (RecordBatchingStateRestoreCallback) this::restore);
    }

    private void closeAfter(Throwable cause) {
        try {
            close();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        Position at = position;
        synchronized (at) {
            open().restore(records, ConsumerRecord::key, ConsumerRecord::value);
            for (ConsumerRecord<byte[], byte[]> row : records) {
                ChangelogRecordDeserializationHelper.applyChecksAndUpdatePosition(row, isConsistencyEnabled, at);
            }
        }
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        return open().get(keyOf(key));
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        byte[] bytes = keyOf(key);
        Position at = position;
        synchronized (at) {
            open().put(bytes, value);
            StoreQueryUtils.updatePosition(at, context);
        }
    }

    @Override
    public byte @Nullable [] putIfAbsent(Bytes key, byte @Nullable [] value) {
        Position at = position;
        synchronized (at) {
            byte[] before = get(key);
            if (before == null && value != null) {
                put(key, value);
            }
            return before;
        }
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        entries.forEach(entry -> keyOf(entry.key));
        Position at = position;
        synchronized (at) {
            open().write(entries, entry -> entry.key.get(), entry -> entry.value);
            StoreQueryUtils.updatePosition(at, context);
        }
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        byte[] bytes = keyOf(key);
        Position at = position;
        synchronized (at) {
            byte[] before = open().remove(bytes);
            StoreQueryUtils.updatePosition(at, context);
            return before;
        }
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return range(from, to, Direction.FORWARD);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return range(from, to, Direction.BACKWARD);
    }

    private KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, Direction direction) {
        OpenStore store = open();
        if (from != null && to != null && from.compareTo(to) > 0) {
            return Stores.inMemoryKeyValueStore(name).get().range(from, to); // Kafka's own warning, and no key
        }
        return store.scan(UserKeys.range(from, to), direction);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return open().scan(UserKeys.all(), Direction.FORWARD);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return open().scan(UserKeys.all(), Direction.BACKWARD);
    }

    @Override
    public <PS extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, PS prefixKeySerializer) {
        Objects.requireNonNull(prefix, "prefix cannot be null");
        Objects.requireNonNull(prefixKeySerializer, "prefixKeySerializer cannot be null");
        byte[] bytes = prefixKeySerializer.serialize(null, prefix);
        return open().scan(UserKeys.prefix(bytes), Direction.FORWARD);
    }

    /** The exact number of keys. */
    @Override
    public long approximateNumEntries() {
        return open().size();
    }

    @Override
    public void commit(Map<TopicPartition, @Nullable Long> changelogOffsets) {
        OpenStore store = open;
        if (store != null) {
            Position at = position;
            synchronized (at) {
                store.commit(changelogOffsets, at);
            }
        }
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
        return open().committedOffset(partition);
    }

    /** Always, as Kafka asks of new stores. */
    @Override
    @SuppressWarnings("deprecation")
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return open != null;
    }

    @Override
    public void close() {
        OpenStore store = open;
        if (store == null) {
            return;
        }
        open = null;
        if (gauges != null) {
            gauges.close();
            gauges = null;
        }
        int iterators = store.close();
        if (iterators > 0) {
            LOG.warn("Closed {} open iterators of store {}", iterators, name);
        }
    }

    @Override
    public <R> QueryResult<R> query(Query<R> query, PositionBound positionBound, QueryConfig config) {
        return StoreQueryUtils.handleBasicQueries(query, positionBound, config, this, position, context);
    }

    @Override
    public Position getPosition() {
        return position;
    }

    /** The end of the log, for tests. */
    long logPosition() {
        return open().logPosition();
    }

    private static byte[] keyOf(Bytes key) {
        return Objects.requireNonNull(key, "key cannot be null").get();
    }

    private OpenStore open() {
        OpenStore store = open;
        if (store == null) {
            throw new InvalidStateStoreException("Store " + name + " is currently closed");
        }
        return store;
    }
}
