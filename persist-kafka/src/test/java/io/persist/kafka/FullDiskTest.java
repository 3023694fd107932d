package io.persist.kafka;

import static io.persist.kafka.Task.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.Test;

/** A disk that gets full: what Kafka is told, and what the store still has. */
class FullDiskTest {

    @Test
    void shouldSayThatTheDiskIsFullAndKeepWhatIsThere() {
        Path directory = Path.of("state", "100%");
        StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(64 << 10).build())
                .build();
        FaultyStorage disk = new FaultyStorage(new CrashableStorage()).message("No space left on device");
        StoreLogger log = StoreLogger.open(config, disk, new CrashableStorage());
        StoreHeader first = StoreHeader.first(ValueFormat.PLAIN);
        log.put(StoreHeader.key(), first.encode());
        OpenStore store = new OpenStore(
                log,
                first,
                PersistSettings.of(Map.of()),
                new StoreErrors("orders", directory),
                directory.resolve(".checkpoint"));
        store.put(bytes("a"), bytes("1"));
        store.commit(Map.of(Task.CHANGELOG, 1L), Position.emptyPosition());
        disk.failFrom(Verb.WRITE, 1);
        disk.failFrom(Verb.CREATE, 1);

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
}
