package io.persist.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.test.InternalMockProcessorContext;

/** A task of Kafka as a store sees it: its directory, its settings, and a changelog that it may be restored from. */
final class Task {

    static final String STORE = "orders";
    static final TopicPartition CHANGELOG = new TopicPartition("app-orders-changelog", 0);

    private final Path directory;
    private final TaskId id;
    private final Properties settings = new Properties();
    private InternalMockProcessorContext<?, ?> context;

    private Task(Path directory, TaskId id, String guarantee) {
        this.directory = directory;
        this.id = id;
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        settings.put(PersistSettings.SEGMENT_LENGTH, 64 << 10);
    }

    static Task exactlyOnce(Path directory) {
        return new Task(directory, new TaskId(0, 0), StreamsConfig.EXACTLY_ONCE_V2);
    }

    static Task atLeastOnce(Path directory) {
        return new Task(directory, new TaskId(0, 0), StreamsConfig.AT_LEAST_ONCE);
    }

    /** The one of global stores, under exactly-once. */
    static Task global(Path directory) {
        return new Task(directory, new TaskId(-1, -1), StreamsConfig.EXACTLY_ONCE_V2);
    }

    Task with(String key, Object value) {
        settings.put(key, value);
        return this;
    }

    PersistKeyValueStore open() {
        return open((PersistKeyValueStore) PersistStores.keyValueStore(STORE).get());
    }

    <S extends KeyValueStore<Bytes, byte[]>> S open(S store) {
        context = new InternalMockProcessorContext<>(directory.toFile(), new StreamsConfig(settings)) {
            @Override
            public TaskId taskId() {
                return id;
            }
        };
        store.init(context, store);
        return store;
    }

    InternalMockProcessorContext<?, ?> context() {
        return context;
    }

    /** Applies these records of the changelog; a key without a value is a removal. */
    void restore(String... keysAndValues) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (String pair : keysAndValues) {
            String[] parts = pair.split("=");
            records.add(new ConsumerRecord<>(
                    CHANGELOG.topic(),
                    0,
                    records.size(),
                    parts[0].getBytes(UTF_8),
                    parts.length == 1 ? null : bytes(parts[1])));
        }
        context.restoreWithHeaders(STORE, records);
    }

    /** The files as a kill of the process now would leave them. */
    static Path afterKill(Path directory, Path target) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Path copy = target.resolve("killed-" + attempt);
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(directory.relativize(file).toString()));
                }
                return copy;
            } catch (NoSuchFileException | UncheckedIOException e) {
                // A segment that was being made has got its name meanwhile.
                assertThat(attempt).as("%s", e).isLessThan(100);
            }
        }
    }

    static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(UTF_8));
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** All of an iterator as "key=value", closed. */
    static List<String> all(KeyValueIterator<Bytes, byte[]> iterator) {
        List<String> all = new ArrayList<>();
        try (iterator) {
            while (iterator.hasNext()) {
                KeyValue<Bytes, byte[]> next = iterator.next();
                all.add(new String(next.key.get(), UTF_8) + "=" + new String(next.value, UTF_8));
            }
        }
        return all;
    }
}
