package io.persist.kafka;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Suppliers of stores, in place of those of Kafka's {@code Stores}:
 *
 * <pre>{@code
 * Stores.keyValueStoreBuilder(PersistStores.keyValueStore("orders"), Serdes.String(), Serdes.Long());
 * builder.table("prices", Materialized.as(PersistStores.timestampedKeyValueStore("prices")));
 * }</pre>
 *
 * <p>Keys are 0 to 1023 bytes long; a key and its value have to fit a file of the log, see {@link
 * PersistSettings#SEGMENT_LENGTH}.
 *
 * <p><b>Threads:</b> any; a supplier does not change. Of a store one thread at a time writes, as Kafka does it; any may
 * read.
 *
 * <p><b>Durability:</b> with each commit of Kafka the store writes its offsets into the same log as the records: after
 * {@code kill -9} it goes on there. Under exactly-once Kafka then deletes a store that was written since Kafka's last
 * commit to it, with all of its task, and restores it from its changelog; without one its state is lost.
 *
 * <p><b>Errors:</b> a {@link org.apache.kafka.streams.errors.ProcessorStateException} that says what is wrong, where,
 * and what to do; a {@link org.apache.kafka.streams.errors.TaskCorruptedException} if Kafka deletes the state
 * of the task by itself, and restores what has a changelog.
 */
public final class PersistStores {

    private static final String METRICS_SCOPE = "persist";

    private PersistStores() {}

    /** A store for {@code Stores.keyValueStoreBuilder}. */
    public static KeyValueBytesStoreSupplier keyValueStore(String name) {
        return new Supplier(name, ValueFormat.PLAIN);
    }

    /** A store for {@code Stores.timestampedKeyValueStoreBuilder} and for tables of the DSL. */
    public static KeyValueBytesStoreSupplier timestampedKeyValueStore(String name) {
        return new Supplier(name, ValueFormat.TIMESTAMPED);
    }

    /** A store for {@code Stores.timestampedKeyValueStoreWithHeadersBuilder}. */
    public static KeyValueBytesStoreSupplier timestampedKeyValueStoreWithHeaders(String name) {
        return new Supplier(name, ValueFormat.WITH_HEADERS);
    }

    private record Supplier(String name, ValueFormat format) implements KeyValueBytesStoreSupplier {

        Supplier {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("name is empty");
            }
        }

        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return switch (format) {
                case PLAIN -> new PersistKeyValueStore(name, format);
                case TIMESTAMPED -> new PersistKeyValueStore.Timestamped(name);
                case WITH_HEADERS -> new PersistKeyValueStore.WithHeaders(name);
            };
        }

        @Override
        public String metricsScope() {
            return METRICS_SCOPE;
        }
    }
}
