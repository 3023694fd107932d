package io.persist.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances that take over from each other, move, and are restored, on a real broker. */
class InstancesTest {

    private static final int RECORDS = 3000;
    private static final int KEYS = 500;

    /** Each instance leaves by itself. One that is missed, for want of a CPU, would have to process records again. */
    private static final int SESSION_MS = 60_000;

    private static Broker broker;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    @Tag("nightly")
    void shouldFailOverToAStandbyWithoutRestoringWhatItHas() throws Exception {
        broker.createTopics(1, "standby-in", "standby-out");
        Map<String, Integer> standby = Map.of(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1);
        Instance first = new Instance("standby", directory.resolve("first"), standby);
        first.start();
        send("standby");
        Instance second = new Instance("standby", directory.resolve("second"), standby);
        second.standbyIsAt(RECORDS);
        second.start();
        assertThat(second.caughtUp.await(1, TimeUnit.MINUTES))
                .as("the standby has caught up")
                .isTrue();

        first.close();
        assertThat(second.state()).isEqualTo(expected());
        assertThat(second.restored).containsExactly("start " + RECORDS + " to " + RECORDS, "end 0");
        second.close();
    }

    @Test
    void shouldGoOnWhereItsDirectoryIsMovedToAndElseTellKafkasListenerWhatIsRestored() throws Exception {
        broker.createTopics(1, "moved-in", "moved-out");
        Instance before = new Instance("moved", directory.resolve("before"), Map.of());
        before.start();
        send("moved");
        before.close();
        Files.move(directory.resolve("before"), directory.resolve("after"));

        Instance after = new Instance("moved", directory.resolve("after"), Map.of());
        after.start();
        assertThat(after.state()).isEqualTo(expected());
        assertThat(after.restored).containsExactly("start " + RECORDS + " to " + RECORDS, "end 0");
        after.close();
        assertThat(directory.resolve("before")).doesNotExist();

        Instance empty = new Instance("moved", directory.resolve("empty"), Map.of());
        empty.start();
        assertThat(empty.state()).isEqualTo(expected());
        List<String> told = List.copyOf(empty.restored);
        assertThat(told.get(0)).isEqualTo("start 0 to " + RECORDS);
        assertThat(told.get(told.size() - 1)).isEqualTo("end " + RECORDS);
        List<Long> batches = told.subList(1, told.size() - 1).stream()
                .map(each -> Long.parseLong(each.substring("batch ".length())))
                .toList();
        assertThat(batches).hasSizeLessThanOrEqualTo(RECORDS / 100);
        assertThat(batches.stream().mapToLong(Long::longValue).sum()).isEqualTo(RECORDS);
        empty.close();
    }

    private static void send(String name) {
        broker.send(
                name + "-in",
                IntStream.range(0, RECORDS)
                        .mapToObj(i -> Map.entry("key" + i % KEYS, "=" + i))
                        .toList());
        broker.readUntil(name + "-out", all -> all.size() >= RECORDS);
    }

    private static Map<String, Long> expected() {
        Map<String, Long> state = new TreeMap<>();
        IntStream.range(0, RECORDS).forEach(i -> state.put("key" + i % KEYS, (long) i));
        return state;
    }

    /** One of an application, and what Kafka's listeners are told of its store. */
    private static final class Instance implements StateRestoreListener, StandbyUpdateListener {

        final List<String> restored = new ArrayList<>();
        final CountDownLatch caughtUp = new CountDownLatch(1);
        private final LinkedBlockingQueue<State> states = new LinkedBlockingQueue<>();
        private final KafkaStreams streams;
        private long wanted = Long.MAX_VALUE;

        Instance(String name, Path directory, Map<String, ?> more) {
            Map<String, Object> settings = new TreeMap<>(more);
            settings.put(StreamsConfig.mainConsumerPrefix("session.timeout.ms"), SESSION_MS);
            settings.put(StreamsConfig.consumerPrefix("max.poll.records"), 1000);
            settings.put(StreamsConfig.producerPrefix("linger.ms"), 0);
            settings.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, 0);
            streams = LedgerApp.make(broker.bootstrapServers(), directory, StreamsConfig.AT_LEAST_ONCE, name, settings);
            streams.setGlobalStateRestoreListener(this);
            streams.setStandbyUpdateListener(this);
            streams.setStateListener((now, before) -> states.add(now));
        }

        /** The standby has caught up when it has so many records. */
        void standbyIsAt(long records) {
            wanted = records;
        }

        void start() throws InterruptedException {
            streams.start();
            State now = null;
            while (now != State.RUNNING) {
                now = states.poll(1, TimeUnit.MINUTES);
                assertThat(now).as("state").isNotNull().isNotEqualTo(State.ERROR);
            }
        }

        /** Of a store, as soon as it can be asked. */
        Map<String, Long> state() throws InterruptedException {
            Map<String, Long> state = new TreeMap<>();
            ReadOnlyKeyValueStore<String, Long> store = store();
            try (KeyValueIterator<String, Long> all = store.all()) {
                all.forEachRemaining(next -> state.put(next.key, next.value));
            }
            return state;
        }

        private ReadOnlyKeyValueStore<String, Long> store() throws InterruptedException {
            while (true) {
                if (streams.state() == State.RUNNING
                        && !streams.metadataForLocalThreads().isEmpty()
                        && streams.metadataForLocalThreads().stream()
                                .anyMatch(thread -> !thread.activeTasks().isEmpty())) {
                    return streams.store(
                            StoreQueryParameters.fromNameAndType(LedgerApp.STORE, QueryableStoreTypes.keyValueStore()));
                }
                assertThat(states.poll(1, TimeUnit.MINUTES)).as("state").isNotNull();
            }
        }

        void close() {
            assertThat(streams.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)))
                    .isTrue();
        }

        @Override
        public void onRestoreStart(TopicPartition partition, String store, long from, long to) {
            restored.add("start " + from + " to " + to);
        }

        @Override
        public void onBatchRestored(TopicPartition partition, String store, long end, long records) {
            restored.add("batch " + records);
        }

        @Override
        public void onRestoreEnd(TopicPartition partition, String store, long records) {
            restored.add("end " + records);
        }

        @Override
        public void onUpdateStart(TopicPartition partition, String store, long from) {}

        @Override
        public void onBatchLoaded(
                TopicPartition partition, String store, TaskId task, long offset, long records, long end) {
            if (offset + 1 >= wanted) {
                caughtUp.countDown();
            }
        }

        @Override
        public void onUpdateSuspended(
                TopicPartition partition, String store, long offset, long end, SuspendReason reason) {}
    }
}
