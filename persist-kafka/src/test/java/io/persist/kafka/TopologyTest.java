package io.persist.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.DslStoreFormat;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.state.DslKeyValueParams;
import org.apache.kafka.streams.state.HeadersBytesStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.TimestampedBytesStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies in Kafka's test driver: with its wrappers, its caches and its queries, without a broker. */
class TopologyTest {

    @TempDir
    Path directory;

    private final Properties settings = new Properties();

    {
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        settings.put(PersistSettings.SEGMENT_LENGTH, "65536");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEFAULT", "HEADERS"})
    void shouldCountWithEachFormatOfTheDsl(String format) {
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        settings.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, PersistDslStoreSuppliers.class);
        settings.put(StreamsConfig.DSL_STORE_FORMAT_CONFIG, format);
        try (TopologyTestDriver driver = new TopologyTestDriver(counting(Materialized.as("counts")), settings)) {
            TestInputTopic<String, String> words = words(driver);
            words.pipeInput("a", "x");
            words.pipeInput("b", "x");
            words.pipeInput("a", "x");
            KeyValueStore<String, ValueAndTimestamp<Long>> counts = driver.getTimestampedKeyValueStore("counts");
            assertThat(counts.get("a").value()).isEqualTo(2);
            assertThat(directory.resolve("app/0_0/counts")).isDirectoryContaining("glob:**.log");
        }
    }

    @Test
    void shouldSupplyATableOfTheDsl() {
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        Materialized<String, Long, KeyValueStore<Bytes, byte[]>> counts = Materialized.<String, Long>as(
                        PersistStores.timestampedKeyValueStore("counts"))
                .withCachingDisabled();
        try (TopologyTestDriver driver = new TopologyTestDriver(counting(counts), settings)) {
            TestInputTopic<String, String> words = words(driver);
            words.pipeInput("b", "x");
            words.pipeInput("a", "x");
            words.pipeInput("a", "x");

            KeyValueStore<String, ValueAndTimestamp<Long>> store = driver.getTimestampedKeyValueStore("counts");
            List<String> seen = new ArrayList<>();
            try (KeyValueIterator<String, ValueAndTimestamp<Long>> all = store.all()) {
                all.forEachRemaining(next -> seen.add(next.key + "=" + next.value.value()));
            }
            assertThat(seen).containsExactly("a=2", "b=1");
            assertThat(store.getPosition()).isEqualTo(Position.emptyPosition().withComponent("words", 0, 2));

            QueryResult<Long> one =
                    store.query(KeyQuery.withKey("a"), PositionBound.at(store.getPosition()), new QueryConfig(true));
            assertThat(one.getResult()).isEqualTo(2);
            assertThat(one.getExecutionInfo()).isNotEmpty();
            QueryResult<KeyValueIterator<String, Long>> range = store.query(
                    RangeQuery.<String, Long>withLowerBound("b"), PositionBound.unbounded(), new QueryConfig(false));
            try (KeyValueIterator<String, Long> rest = range.getResult()) {
                assertThat(rest.next().key).isEqualTo("b");
                assertThat(rest.hasNext()).isFalse();
            }
            Position ahead = Position.emptyPosition().withComponent("words", 0, 99);
            assertThat(store.query(KeyQuery.withKey("a"), PositionBound.at(ahead), new QueryConfig(false))
                            .isFailure())
                    .isTrue();

            assertThat(driver.metrics().keySet()).anySatisfy(metric -> {
                assertThat(metric.group()).isEqualTo("stream-state-metrics");
                assertThat(metric.tags()).containsEntry("persist-state-id", "counts");
            });
        }
    }

    @Test
    void shouldSupplyTheKindThatTheDslAsksFor() {
        PersistDslStoreSuppliers suppliers = new PersistDslStoreSuppliers();

        assertThat(suppliers.keyValueStore(params(DslStoreFormat.PLAIN)).get())
                .isNotInstanceOf(TimestampedBytesStore.class)
                .isNotInstanceOf(HeadersBytesStore.class);
        assertThat(suppliers.keyValueStore(params(DslStoreFormat.TIMESTAMPED)).get())
                .isInstanceOf(TimestampedBytesStore.class);
        assertThat(suppliers.keyValueStore(params(DslStoreFormat.HEADERS)).get())
                .isInstanceOf(HeadersBytesStore.class);
    }

    private static DslKeyValueParams params(DslStoreFormat format) {
        return new DslKeyValueParams("counts", format);
    }

    @Test
    void shouldLeaveWindowsToRocksDb() {
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        settings.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, PersistDslStoreSuppliers.class);
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream("words")
                .groupByKey()
                .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofSeconds(1)))
                .count(Materialized.as("windows"));
        try (TopologyTestDriver driver = new TopologyTestDriver(builder.build(), settings)) {
            words(driver).pipeInput("a", "x", 0L);
            assertThat(driver.getWindowStore("windows").fetch("a", 0)).isNotNull();
            assertThat(Files.isDirectory(directory.resolve("app/0_0/windows"))).isTrue();
        }
    }

    @Test
    void shouldSayWhenTheTopologyIsMadeThatASettingIsWrong() {
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        settings.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, PersistDslStoreSuppliers.class);
        settings.put(PersistSettings.DURABILITY, "maybe");

        assertThatThrownBy(() -> new TopologyTestDriver(counting(Materialized.as("counts")), settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(PersistSettings.DURABILITY);
    }

    private Topology counting(Materialized<String, Long, KeyValueStore<Bytes, byte[]>> counts) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("words", Consumed.with(Serdes.String(), Serdes.String()))
                .groupByKey(Grouped.with(Serdes.String(), Serdes.String()))
                .count(counts);
        return builder.build(settings);
    }

    private static TestInputTopic<String, String> words(TopologyTestDriver driver) {
        return driver.createInputTopic("words", new StringSerializer(), new StringSerializer());
    }
}
