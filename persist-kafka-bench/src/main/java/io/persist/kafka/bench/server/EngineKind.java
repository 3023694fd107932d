package io.persist.kafka.bench.server;

import io.persist.kafka.PersistStores;
import java.util.Locale;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/** What keeps the state. */
public enum EngineKind {
    PERSIST,
    /** As Kafka configures it. */
    ROCKSDB,
    /** Kafka's store on the heap, which is no engine: it shows what Kafka takes by itself. */
    MEMORY;

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    KeyValueBytesStoreSupplier supplier(String store) {
        return switch (this) {
            case PERSIST -> PersistStores.keyValueStore(store);
            case ROCKSDB -> Stores.persistentKeyValueStore(store);
            case MEMORY -> Stores.inMemoryKeyValueStore(store);
        };
    }
}
