package io.persist.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what docs/kafka-streams.md shows, on a real broker. */
class KafkaGuideTest {

    @TempDir
    Path directory;

    @Test
    void shouldRunTheExample() throws Exception {
        try (Broker broker = Broker.start()) {
            broker.createTopics(1, "orders", "totals");
            broker.send("orders", List.of(order("alice", 7), order("bob", 1), order("alice", 5)));
            KafkaStreams streams = start(broker.bootstrapServers(), directory);
            broker.await("totals", Map.entry("alice", 12L));
            assertThat(total(streams, "alice")).isEqualTo(12);
            stop(streams);

            broker.send("orders", List.of(order("alice", 100)));
            KafkaStreams again = start(broker.bootstrapServers(), directory);
            broker.await("totals", Map.entry("alice", 112L));
            assertThat(total(again, "alice")).isEqualTo(112);
            assertThat(total(again, "bob")).isEqualTo(1);
            stop(again);
        }
    }

    /** Leaves the group, so that the next instance need not wait until this one is missed. */
    private static void stop(KafkaStreams streams) {
        assertThat(streams.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)))
                .isTrue();
    }

    private static Map.Entry<String, String> order(String customer, long amount) {
        return Map.entry(customer, Long.toString(amount));
    }

    private static KafkaStreams start(String bootstrapServers, Path stateDirectory) {
        // snippet: kafka-example
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "totals");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(PersistSettings.SEGMENT_LENGTH, 1 << 20); // optional, as every setting of Persist

        Materialized<String, Long, KeyValueStore<Bytes, byte[]>> totals =
                Materialized.as(PersistStores.timestampedKeyValueStore("totals")); // the one line
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("orders", Consumed.with(Serdes.String(), Serdes.String()))
                .mapValues(amount -> Long.parseLong(amount))
                .groupByKey()
                .reduce(Long::sum, totals.withKeySerde(Serdes.String()).withValueSerde(Serdes.Long()))
                .toStream()
                .to("totals", Produced.with(Serdes.String(), Serdes.Long()));

        KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        streams.start();
        // end
        return streams;
    }

    private static long total(KafkaStreams streams, String customer) {
        // snippet: kafka-query
        ReadOnlyKeyValueStore<String, Long> totals =
                streams.store(StoreQueryParameters.fromNameAndType("totals", QueryableStoreTypes.keyValueStore()));
        long total = totals.get(customer);
        // end
        return total;
    }

    @Test
    void shouldMakeStoresInOtherWays() {
        Properties settings = new Properties();
        // snippet: kafka-builder
        StoreBuilder<KeyValueStore<String, Long>> orders =
                Stores.keyValueStoreBuilder(PersistStores.keyValueStore("orders"), Serdes.String(), Serdes.Long());
        // end
        // snippet: kafka-dsl
        settings.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, PersistDslStoreSuppliers.class);
        // end
        assertThat(orders.build().name()).isEqualTo("orders");
        assertThat(settings).hasSize(1);
    }
}
