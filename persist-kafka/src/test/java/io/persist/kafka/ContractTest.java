package io.persist.kafka;

import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.spy;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.AbstractKeyValueStoreTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Kafka's own tests of a key-value store, for each kind: what Kafka puts into the values is nothing to the store. */
class ContractTest {

    @Nested
    class Plain extends Contract {

        Plain() {
            super(PersistStores.keyValueStore("my-store"));
        }
    }

    @Nested
    class Timestamped extends Contract {

        Timestamped() {
            super(PersistStores.timestampedKeyValueStore("my-store"));
        }
    }

    @Nested
    class WithHeaders extends Contract {

        WithHeaders() {
            super(PersistStores.timestampedKeyValueStoreWithHeaders("my-store"));
        }
    }

    @Nested
    @Tag("nightly")
    class Cached extends Contract {

        Cached() {
            super(PersistStores.keyValueStore("my-store"));
        }

        @Override
        <K, V> StoreBuilder<KeyValueStore<K, V>> wrapped(StoreBuilder<KeyValueStore<K, V>> builder) {
            return builder.withCachingEnabled();
        }
    }

    private abstract static class Contract extends AbstractKeyValueStoreTest {

        private final KeyValueBytesStoreSupplier supplier;

        Contract(KeyValueBytesStoreSupplier supplier) {
            this.supplier = supplier;
        }

        /** With more of Kafka's wrappers than the metered and the changelogging one, which there are anyway. */
        <K, V> StoreBuilder<KeyValueStore<K, V>> wrapped(StoreBuilder<KeyValueStore<K, V>> builder) {
            return builder;
        }

        @Override
        @SuppressWarnings("unchecked")
        protected <K, V> KeyValueStore<K, V> createKeyValueStore(StateStoreContext context) {
            KeyValueStore<K, V> store = wrapped(Stores.keyValueStoreBuilder(
                            supplier, (Serde<K>) context.keySerde(), (Serde<V>) context.valueSerde()))
                    .build();
            Map<String, Object> settings = new HashMap<>(context.appConfigs());
            settings.put(PersistSettings.SEGMENT_LENGTH, 64 << 10); // many stores are opened
            StateStoreContext small = spy(context);
            doReturn(settings).when(small).appConfigs();
            store.init(small, store);
            return store;
        }
    }
}
