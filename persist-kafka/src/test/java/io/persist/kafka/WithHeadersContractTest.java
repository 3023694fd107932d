package io.persist.kafka;

import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.AbstractKeyValueStoreTest;

/** Kafka's own tests of a key-value store, for the bytes of the one with headers, which it keeps as they are. */
class WithHeadersContractTest extends AbstractKeyValueStoreTest {

    @Override
    @SuppressWarnings("unchecked")
    protected <K, V> KeyValueStore<K, V> createKeyValueStore(StateStoreContext context) {
        KeyValueStore<K, V> store = Stores.keyValueStoreBuilder(
                        PersistStores.timestampedKeyValueStoreWithHeaders("my-store"),
                        (Serde<K>) context.keySerde(),
                        (Serde<V>) context.valueSerde())
                .build();
        store.init(context, store);
        return store;
    }
}
