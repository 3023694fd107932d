package io.persist.kafka;

import java.util.Map;
import org.apache.kafka.streams.DslStoreFormat;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslKeyValueParams;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;

/**
 * Makes Persist the default of all key-value stores of a topology of the DSL, by Kafka's own setting {@code
 * dsl.store.suppliers.class}. Window and session stores stay with RocksDB: Kafka divides them into segments by classes
 * that know RocksDB only.
 *
 * <p><b>Threads:</b> any.
 */
public final class PersistDslStoreSuppliers implements DslStoreSuppliers {

    /** Kafka makes one, by the name of the class. */
    public PersistDslStoreSuppliers() {}

    /**
     * Checks the settings of {@link PersistSettings}.
     *
     * @throws org.apache.kafka.common.config.ConfigException if a value is out of its range
     */
    @Override
    public void configure(Map<String, ?> configs) {
        PersistSettings.of(configs);
    }

    /** A store of Persist, for values of the format that the topology has. */
    @Override
    public KeyValueBytesStoreSupplier keyValueStore(DslKeyValueParams params) {
        DslStoreFormat format = params.dslStoreFormat();
        return switch (format) {
            case PLAIN -> PersistStores.keyValueStore(params.name());
            case TIMESTAMPED -> PersistStores.timestampedKeyValueStore(params.name());
            case HEADERS -> PersistStores.timestampedKeyValueStoreWithHeaders(params.name());
        };
    }

    /** The window store that Kafka would use too, of RocksDB. */
    @Override
    public WindowBytesStoreSupplier windowStore(DslWindowParams params) {
        return BuiltInDslStoreSuppliers.ROCKS_DB.windowStore(params);
    }

    /** The session store that Kafka would use too, of RocksDB. */
    @Override
    public SessionBytesStoreSupplier sessionStore(DslSessionParams params) {
        return BuiltInDslStoreSuppliers.ROCKS_DB.sessionStore(params);
    }
}
