package io.persist.kafka.bench.server;

import io.persist.kafka.bench.server.RunMeasures.Call;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Any store, whose calls are timed: all that Kafka's wrappers ask of an engine, and nothing of theirs. */
final class TimedStore implements KeyValueStore<Bytes, byte[]> {

    private final KeyValueStore<Bytes, byte[]> inner;
    private final RunMeasures measures;

    private TimedStore(KeyValueStore<Bytes, byte[]> inner, RunMeasures measures) {
        this.inner = inner;
        this.measures = measures;
    }

    /** Supplies the stores of {@code supplier}, timed. */
    record Supplier(KeyValueBytesStoreSupplier supplier, RunMeasures measures) implements KeyValueBytesStoreSupplier {

        @Override
        public String name() {
            return supplier.name();
        }

        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return new TimedStore(supplier.get(), measures);
        }

        @Override
        public String metricsScope() {
            return supplier.metricsScope();
        }
    }

    @Override
    public byte[] get(Bytes key) {
        long startNs = System.nanoTime();
        byte[] value = inner.get(key);
        measures.called(Call.GET, System.nanoTime() - startNs);
        return value;
    }

    @Override
    public void put(Bytes key, byte[] value) {
        long startNs = System.nanoTime();
        inner.put(key, value);
        measures.called(Call.PUT, System.nanoTime() - startNs);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        long startNs = System.nanoTime();
        byte[] before = inner.putIfAbsent(key, value);
        measures.called(Call.PUT, System.nanoTime() - startNs);
        return before;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        long startNs = System.nanoTime();
        inner.putAll(entries);
        measures.called(Call.PUT, System.nanoTime() - startNs);
    }

    @Override
    public byte[] delete(Bytes key) {
        long startNs = System.nanoTime();
        byte[] before = inner.delete(key);
        measures.called(Call.DELETE, System.nanoTime() - startNs);
        return before;
    }

    @Override
    public void commit(Map<TopicPartition, Long> offsets) {
        long startNs = System.nanoTime();
        inner.commit(offsets);
        measures.called(Call.COMMIT, System.nanoTime() - startNs);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        long startNs = System.nanoTime();
        return new TimedIterator(inner.range(from, to), System.nanoTime() - startNs);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return inner.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return inner.all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return inner.reverseAll();
    }

    @Override
    public <PS extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, PS serializer) {
        return inner.prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
        return inner.approximateNumEntries();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        inner.init(context, root);
    }

    @Override
    public Long committedOffset(TopicPartition partition) {
        return inner.committedOffset(partition);
    }

    @Override
    @SuppressWarnings("deprecation")
    public boolean managesOffsets() {
        return inner.managesOffsets();
    }

    @Override
    public boolean persistent() {
        return inner.persistent();
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
        return inner.query(query, bound, config);
    }

    @Override
    public Position getPosition() {
        return inner.getPosition();
    }

    private final class TimedIterator implements KeyValueIterator<Bytes, byte[]> {

        private final KeyValueIterator<Bytes, byte[]> scan;
        private long tookNs;

        TimedIterator(KeyValueIterator<Bytes, byte[]> scan, long openedNs) {
            this.scan = scan;
            this.tookNs = openedNs;
        }

        @Override
        public boolean hasNext() {
            long startNs = System.nanoTime();
            boolean hasNext = scan.hasNext();
            tookNs += System.nanoTime() - startNs;
            return hasNext;
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            long startNs = System.nanoTime();
            KeyValue<Bytes, byte[]> next = scan.next();
            tookNs += System.nanoTime() - startNs;
            return next;
        }

        @Override
        public Bytes peekNextKey() {
            return scan.peekNextKey();
        }

        @Override
        public void close() {
            long startNs = System.nanoTime();
            scan.close();
            measures.called(Call.RANGE, tookNs + System.nanoTime() - startNs);
        }
    }
}
