package io.persist.kafka;

import static io.persist.kafka.Task.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that gets full: what Kafka is told, and what the store still has. */
class FullDiskTest {

    private final Path directory = Path.of("state", "100%");
    private final FaultyStorage disk = new FaultyStorage(new CrashableStorage()).message("No space left on device");
    private StoreLogger log;
    private OpenStore store;

    @BeforeEach
    void open() {
        StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(64 << 10).build())
                .build();
        log = StoreLogger.open(config, disk, new CrashableStorage());
        StoreHeader first = StoreHeader.first(ValueFormat.PLAIN);
        log.put(StoreHeader.key(), first.encode());
        store = new OpenStore(
                log,
                first,
                PersistSettings.of(Map.of()),
                new StoreErrors("orders", directory),
                directory.resolve(".checkpoint"));
        store.put(bytes("a"), bytes("1"));
        store.commit(Map.of(Task.CHANGELOG, 1L), Position.emptyPosition());
    }

    private void fill() {
        Await.until(
                "there is space for the first ones", () -> log.logStatistics().segmentsFilled() >= 2);
        disk.failFrom(Verb.WRITE, 1);
        disk.failFrom(Verb.CREATE, 1);
    }

    @Test
    void shouldSayThatTheDiskIsFullAndKeepWhatIsThere() {
        fill();

        int[] written = {0};
        assertThatThrownBy(() -> {
                    while (true) {
                        store.put(bytes("b" + written[0]), new byte[5000]);
                        written[0]++;
                    }
                })
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining("No space left")
                .hasMessageContaining("free space on this disk")
                .satisfies(e -> assertThat(String.format(e.getMessage(), "key")).contains("100%"));

        assertThat(written[0]).isPositive();
        assertThat(store.get(bytes("a"))).isEqualTo(bytes("1"));
        assertThat(store.get(bytes("b0"))).hasSize(5000);
        assertThat(store.size()).isEqualTo(1 + written[0]);
        disk.heal();
        store.put(bytes("c"), bytes("3"));
        store.close();
    }

    /** Kafka's next commit is about the first parts of a batch too, of which the last one was refused. */
    @Test
    void shouldCommitWhatABatchHasLeft() {
        fill();
        List<byte[]> batch =
                IntStream.range(0, 100).mapToObj(i -> bytes("b" + i)).toList();
        assertThatThrownBy(() -> store.write(batch, key -> key, key -> new byte[5000]))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining("No space left");
        assertThat(store.size()).isBetween(2L, 100L);
        assertThat(header().isUncommitted()).isTrue();

        disk.heal();
        store.commit(Map.of(Task.CHANGELOG, 2L), Position.emptyPosition());
        assertThat(header().offsets()).containsEntry(Task.CHANGELOG, 2L);
        store.commit(Map.of(Task.CHANGELOG, 2L), Position.emptyPosition());
        assertThat(header().isUncommitted()).isFalse();
        store.close();
    }

    private StoreHeader header() {
        return StoreHeader.decode(log.getBytes(StoreHeader.key()));
    }
}
