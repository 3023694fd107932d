package io.persist.kafka.bench.server;

import io.persist.command.UsageException;
import io.persist.kafka.PersistStores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** Those of a list parted by commas, each once and in its order. */
    public static List<EngineKind> list(String ids) {
        List<EngineKind> chosen = new ArrayList<>();
        for (String id : ids.split(",", -1)) {
            EngineKind kind = Arrays.stream(values())
                    .filter(each -> each.id().equals(id.trim()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(
                            "--engine " + ids + " is none of persist, rocksdb, memory; choose one or more"));
            if (!chosen.contains(kind)) {
                chosen.add(kind);
            }
        }
        return chosen;
    }
}
