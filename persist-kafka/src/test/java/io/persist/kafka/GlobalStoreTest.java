package io.persist.kafka;

import static io.persist.kafka.Task.STORE;
import static io.persist.kafka.Task.bytes;
import static io.persist.kafka.Task.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Global stores under exactly-once in Kafka's test driver. Its topics are empty at each start, so the records that Kafka
 * would read again are sent again.
 */
class GlobalStoreTest {

    @TempDir
    Path directory;

    @TempDir
    Path copy;

    @Test
    void shouldCountNoRecordTwiceIfKilledAfterAWrite() throws IOException {
        Path killed;
        try (TopologyTestDriver driver = start(directory)) {
            send(driver, "a", "a");
            killed = Task.afterKill(directory, copy);
        }
        try (TopologyTestDriver driver = start(killed)) {
            assertThat(counted(driver, "a")).isNull(); // so Kafka begins with the first record
            send(driver, "a", "a", "a");
            assertThat(counted(driver, "a")).isEqualTo(3);
        }
    }

    @Test
    void shouldGoOnAfterACleanStop() throws IOException {
        PersistKeyValueStore store = Task.global(global()).open();
        store.put(key("a"), Serdes.Long().serializer().serialize("", 2L));
        store.commit(Map.of(new TopicPartition("events", 0), 2L));
        store.close();

        try (TopologyTestDriver driver = start(directory)) {
            send(driver, "a");
            assertThat(counted(driver, "a")).isEqualTo(3);
        }
    }

    /** Kafka deletes all global state for what it calls a ProcessorStateException. */
    @Test
    void shouldLeaveStateWithWhichNothingIsWrong() throws IOException {
        PersistKeyValueStore tool = Task.global(global()).open();
        tool.put(key("a"), bytes("1"));

        assertThatThrownBy(() -> start(directory))
                .isInstanceOf(StreamsException.class)
                .hasMessageContaining("another instance has it open");

        tool.put(key("b"), bytes("2"));
        tool.close();
        assertThat(global().resolve(STORE)).isDirectoryContaining("glob:**.log");
    }

    /** Where Kafka keeps the state of global stores. */
    private Path global() throws IOException {
        return Files.createDirectories(directory.resolve("app").resolve("global"));
    }

    private static TopologyTestDriver start(Path stateDirectory) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        settings.put(PersistSettings.SEGMENT_LENGTH, 64 << 10);
        StreamsBuilder builder = new StreamsBuilder();
        builder.addGlobalStore(
                Stores.keyValueStoreBuilder(PersistStores.keyValueStore(STORE), Serdes.String(), Serdes.Long())
                        .withLoggingDisabled(),
                "events",
                Consumed.with(Serdes.String(), Serdes.String()),
                Count::new);
        return new TopologyTestDriver(builder.build(), settings);
    }

    private static void send(TopologyTestDriver driver, String... keys) {
        TestInputTopic<String, String> events =
                driver.createInputTopic("events", new StringSerializer(), new StringSerializer());
        for (String key : keys) {
            events.pipeInput(key, "x");
        }
    }

    private static Long counted(TopologyTestDriver driver, String key) {
        return driver.<String, Long>getKeyValueStore(STORE).get(key);
    }

    private static final class Count implements Processor<String, String, Void, Void> {

        private KeyValueStore<String, Long> counts;

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            counts = context.getStateStore(STORE);
        }

        @Override
        public void process(Record<String, String> event) {
            Long before = counts.get(event.key());
            counts.put(event.key(), before == null ? 1L : before + 1);
        }
    }
}
