package io.persist.kafka;

import static io.persist.kafka.Task.bytes;
import static io.persist.kafka.Task.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.utils.LogCaptureAppender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of the index: who is told before there is none. */
class IndexMemoryTest {

    private static final int LIMIT = 4 << 20;

    @TempDir
    Path directory;

    @Test
    void shouldWarnBeforeTheIndexesHaveAllMemory() {
        IndexMemory memory = new IndexMemory();
        OpenStore first = open(memory, "first");
        OpenStore second = open(memory, "second");
        try (LogCaptureAppender log = LogCaptureAppender.createAndRegister(IndexMemory.class)) {
            int keys = 0;
            while (log.getMessages().isEmpty()) {
                assertThat(keys).as("keys without a warning").isLessThan(1_000_000);
                OpenStore store = keys % 8192 < 4096 ? first : second;
                store.put(bytes(String.format("%09d", keys++)), bytes("value"));
            }
            assertThat(log.getMessages())
                    .singleElement()
                    .asString()
                    .contains("The indexes of 2 state stores")
                    .contains("of the " + LIMIT + " bytes")
                    .contains("-XX:MaxDirectMemorySize");
            assertThat(memory.ratio()).isBetween(0.8, 1.0);
            assertThat(memory.bytesOf(first) + memory.bytesOf(second)).isEqualTo((long) (memory.ratio() * LIMIT));

            first.put(bytes("more"), bytes("value"));
            first.close();
            assertThat(memory.bytesOf(first)).isZero();
            assertThat(memory.ratio()).isLessThan(0.8);
            second.close();
            assertThat(log.getMessages()).hasSize(1);
        }
    }

    /** One store has all, and gives some to the other one; it is not looked at meanwhile. */
    @Test
    void shouldNotCountTwiceWhatOneHasGivenToAnother() {
        IndexMemory memory = new IndexMemory();
        OpenStore first = open(memory, "first");
        OpenStore second = open(memory, "second");
        memory.has(first, having(LIMIT));
        memory.has(second, having(LIMIT / 2));
        assertThat(memory.ratio()).isEqualTo(1);
        memory.has(first, having(LIMIT / 2));
        assertThat(memory.ratio()).isEqualTo(1);
        second.close();
        assertThat(memory.ratio()).isEqualTo(0.5);
        first.close();
    }

    /** Each key may change a part of the index of its own: the memory for all of these at once is not there. */
    @Test
    void shouldDivideABatchThatTheIndexHasNoMemoryForAtOnce() {
        OpenStore store = open(new IndexMemory(), "divided");
        List<Map.Entry<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            batch.add(Map.entry(bytes("k" + i), bytes("first")));
        }
        store.restore(batch, Map.Entry::getKey, Map.Entry::getValue);
        assertThat(store.get(bytes("k0"))).isEqualTo(bytes("first"));
        assertThat(store.get(bytes("k999"))).isEqualTo(bytes("first"));

        batch.add(Map.entry(bytes("k0"), bytes("last"))); // the last one of a key holds
        store.write(batch, Map.Entry::getKey, Map.Entry::getValue);
        assertThat(store.get(bytes("k0"))).isEqualTo(bytes("last"));
        assertThat(store.get(bytes("k999"))).isEqualTo(bytes("first"));
        assertThat(store.size()).isEqualTo(1_000);
        store.close();
    }

    private static StoreStatistics.Index having(long bytes) {
        return new StoreStatistics.Index(bytes, bytes, LIMIT, 0, 0, 0, 0, 0, 0);
    }

    private OpenStore open(IndexMemory memory, String name) {
        return open(memory, name, LIMIT);
    }

    private OpenStore open(IndexMemory memory, String name, int limitBytes) {
        LogConfig log = LogConfig.builder(directory.resolve(name))
                .segmentLength(1 << 20)
                .build();
        StoreConfig config =
                StoreConfig.builder(log).indexMemoryBytes(limitBytes).build();
        StoreHeader header = StoreHeader.first(ValueFormat.PLAIN);
        return new OpenStore(
                StoreLogger.open(config, new CrashableStorage(), new CrashableStorage()),
                header,
                PersistSettings.of(Map.of()),
                new StoreErrors(name, directory),
                directory.resolve(".checkpoint"),
                memory);
    }

    @Test
    void shouldHaveGaugesUntilItIsClosed() {
        Task task = Task.atLeastOnce(directory);
        PersistKeyValueStore store = task.open();
        store.put(key("a"), bytes("1"));

        assertThat(gauge(task, "index-memory-bytes")).isGreaterThanOrEqualTo(1 << 20);
        assertThat(gauge(task, "index-memory-ratio")).isGreaterThan(0);
        store.close();
        assertThat(task.context().metrics().metrics().keySet())
                .noneMatch(name -> name.name().startsWith("index-memory"));
    }

    private static double gauge(Task task, String name) {
        Metric metric = task.context().metrics().metrics().values().stream()
                .filter(each -> each.metricName().name().equals(name))
                .filter(each -> Task.STORE.equals(each.metricName().tags().get("persist-state-id")))
                .findFirst()
                .orElseThrow();
        assertThat(metric.metricName().group()).isEqualTo("stream-state-metrics");
        assertThat(metric.metricName().tags()).containsEntry("task-id", "0_0");
        return (double) metric.metricValue();
    }
}
