package io.persist.kafka;

import static io.persist.kafka.Task.CHANGELOG;
import static io.persist.kafka.Task.afterKill;
import static io.persist.kafka.Task.all;
import static io.persist.kafka.Task.bytes;
import static io.persist.kafka.Task.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.format.checkpoint.CheckpointName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.query.FailureReason;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.internals.PositionSerde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store has after it was closed, or its process was killed, and is opened again. */
class RestartTest {

    private static final String CHECKPOINTS = "glob:**" + CheckpointName.SUFFIX;

    @TempDir
    Path directory;

    @TempDir
    Path copy;

    @Test
    void shouldHaveRecordsOffsetsAndPositionAfterACleanRestart() {
        Task task = Task.exactlyOnce(directory);
        PersistKeyValueStore store = task.open();
        task.context().setRecordContext(new ProcessorRecordContext(0, 41, 0, "input", new RecordHeaders()));
        store.put(key("a"), bytes("1"));
        store.putAll(List.of(KeyValue.pair(key("b"), bytes("2")), KeyValue.pair(key("c"), null)));
        store.commit(Map.of(CHANGELOG, 17L));
        store.close();

        PersistKeyValueStore again = task.open();
        assertThat(all(again.all())).containsExactly("a=1", "b=2");
        assertThat(again.committedOffset(CHANGELOG)).isEqualTo(17);
        assertThat(again.getPosition()).isEqualTo(Position.emptyPosition().withComponent("input", 0, 41));
        again.close();
    }

    /** All offsets and the position are one record, which one segment of 64 KiB has to hold. */
    @Test
    void shouldCommitThePositionInATopicOfManyPartitions() {
        Task task = Task.global(directory);
        PersistKeyValueStore store = task.open();
        store.put(key("a"), bytes("1"));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (int partition = 0; partition < 1000; partition++) {
            store.getPosition().withComponent("input", partition, 41);
            offsets.put(new TopicPartition("input", partition), 42L);
        }
        store.commit(offsets);
        store.close();

        PersistKeyValueStore again = task.open();
        assertThat(again.getPosition()).isEqualTo(store.getPosition());
        assertThat(again.getPosition().getPartitionPositions("input")).hasSize(1000);
        assertThat(again.committedOffset(new TopicPartition("input", 999))).isEqualTo(42);
        again.close();
    }

    /** Kafka's array is longer than the position in it, and was once written as a whole. */
    @Test
    void shouldReadAPositionThatZerosFollow() {
        Position position =
                Position.emptyPosition().withComponent("input", 0, 41).withComponent("input", 7, 3);
        byte[] longer = PositionSerde.serialize(position).array();
        StoreHeader header = new StoreHeader(ValueFormat.PLAIN, false, Map.of(CHANGELOG, 17L), ByteBuffer.wrap(longer));

        StoreHeader decoded = StoreHeader.decode(header.encode());

        assertThat(decoded.decodePosition()).isEqualTo(position);
        StoreHeader again = decoded.committed(Map.of(), position);
        assertThat(again.position().remaining()).isLessThan(longer.length);
        assertThat(StoreHeader.decode(again.encode()).decodePosition()).isEqualTo(position);
    }

    /** Kafka deletes the directory of a store that it closes unclean under exactly-once, and inits the same object. */
    @Test
    void shouldForgetThePositionWithTheDirectory() throws IOException {
        Task task = Task.exactlyOnce(directory);
        PersistKeyValueStore store = task.open();
        task.context().setRecordContext(new ProcessorRecordContext(0, 1000, 0, "input", new RecordHeaders()));
        store.put(key("a"), bytes("1"));
        assertThat(store.getPosition()).isEqualTo(Position.emptyPosition().withComponent("input", 0, 1000));
        store.close();
        try (Stream<Path> files = Files.walk(directory.resolve(store.name()))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }

        task.open(store);
        assertThat(store.getPosition()).isEqualTo(Position.emptyPosition());
        PositionBound bound = PositionBound.at(Position.emptyPosition().withComponent("input", 0, 1000));
        QueryResult<byte[]> result = store.query(KeyQuery.withKey(key("a")), bound, new QueryConfig(false));
        assertThat(result.isFailure()).isTrue();
        assertThat(result.getFailureReason()).isEqualTo(FailureReason.NOT_UP_TO_BOUND);
        task.context().setRecordContext(new ProcessorRecordContext(0, 7, 0, "input", new RecordHeaders()));
        store.put(key("a"), bytes("2"));
        assertThat(store.getPosition()).isEqualTo(Position.emptyPosition().withComponent("input", 0, 7));
        store.close();
    }

    @Test
    void shouldKeepOffsetsAsKafkaAsks() {
        TopicPartition second = new TopicPartition("other", 1);
        Task task = Task.exactlyOnce(directory);
        PersistKeyValueStore store = task.open();
        assertThat(store.committedOffset(CHANGELOG)).isNull();

        store.commit(Map.of(CHANGELOG, 1L, second, 2L));
        store.commit(Map.of(second, 3L));
        assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);
        assertThat(store.committedOffset(second)).isEqualTo(3);

        store.commit(Collections.singletonMap(second, null));
        assertThat(store.committedOffset(second)).isNull();
        assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);

        store.commit(Map.of());
        assertThat(store.committedOffset(CHANGELOG)).isNull();
        store.close();

        PersistKeyValueStore again = task.open();
        assertThat(again.committedOffset(CHANGELOG)).isNull();
        again.close();
    }

    @Test
    void shouldBeRestoredWholeUnderExactlyOnceIfKilledAfterAnUncommittedWrite() throws IOException {
        PersistKeyValueStore store = Task.exactlyOnce(directory).open();
        store.put(key("a"), bytes("committed"));
        store.commit(Map.of(CHANGELOG, 1L));
        store.delete(key("none")); // a write for Kafka
        Path killed = afterKill(directory, copy);
        store.close();

        for (int i = 0; i < 2; i++) { // not forgotten by the first look
            assertThatThrownBy(() -> Task.exactlyOnce(killed).open())
                    .isInstanceOfSatisfying(
                            TaskCorruptedException.class,
                            e -> assertThat(e.corruptedTasks()).isEqualTo(Set.of(new TaskId(0, 0))))
                    .hasStackTraceContaining("may have what Kafka has aborted");
        }
        assertThatThrownBy(() -> Task.exactlyOnce(directory).open()).isInstanceOf(TaskCorruptedException.class);
    }

    /** Kafka opens it twice before it deletes it, for one task after the other. */
    @Test
    void shouldWriteNoCheckpointOfAStoreThatKafkaDeletes() throws IOException {
        PersistKeyValueStore store = withLongFiles(directory).open();
        for (int i = 0; i < 20; i++) {
            store.put(key("key" + i), new byte[1 << 20]); // more than a close leaves to be replayed
        }
        Path killed = afterKill(directory, copy);
        store.close();
        assertThat(directory.resolve(store.name())).isDirectoryContaining(CHECKPOINTS);

        assertThatThrownBy(() -> withLongFiles(killed).open()).isInstanceOf(TaskCorruptedException.class);
        assertThat(killed.resolve(store.name())).isDirectoryNotContaining(CHECKPOINTS);
    }

    private static Task withLongFiles(Path directory) {
        return Task.exactlyOnce(directory).with(PersistSettings.SEGMENT_LENGTH, 4 << 20);
    }

    /** When a transaction has failed, Kafka commits to the store, closes it, and deletes the state of the task. */
    @Test
    void shouldBeRestoredWholeUnderExactlyOnceIfKilledWhileKafkaGivesTheTaskUp() throws IOException {
        PersistKeyValueStore store = Task.exactlyOnce(directory).open();
        store.put(key("a"), bytes("committed"));
        store.commit(Map.of(CHANGELOG, 1L));
        store.put(key("a"), bytes("aborted"));
        store.commit(Map.of(CHANGELOG, 2L));
        Path killed = afterKill(directory, copy);
        store.close();

        assertThatThrownBy(() -> Task.exactlyOnce(killed).open()).isInstanceOf(TaskCorruptedException.class);
    }

    /** A task that becomes a standby: Kafka commits, restores what the new owner writes, and commits at times. */
    @Test
    void shouldGoOnUnderExactlyOnceIfKilledOnceKafkaHasDoneMoreThanACommit() throws IOException {
        PersistKeyValueStore store = Task.exactlyOnce(directory).open();
        store.put(key("a"), bytes("1"));
        store.commit(Map.of(CHANGELOG, 1L));
        store.commit(Map.of(CHANGELOG, 1L));
        Path twice = afterKill(directory, copy);
        store.close();

        PersistKeyValueStore again = Task.exactlyOnce(twice).open();
        assertThat(all(again.all())).containsExactly("a=1");
        assertThat(again.committedOffset(CHANGELOG)).isEqualTo(1);
        again.close();
    }

    /** Kafka commits to a store without changelog too, but without an offset, and deletes it when it is refused. */
    @Test
    void shouldSayThatAStoreWithoutChangelogIsLostUnderExactlyOnceIfKilledAfterAnUncommittedWrite() throws IOException {
        PersistKeyValueStore store = Task.exactlyOnce(directory).open();
        store.put(key("a"), bytes("1"));
        store.commit(Map.of());
        store.close();
        store = Task.exactlyOnce(directory).open();
        Path committed = afterKill(directory, Files.createDirectory(copy.resolve("committed")));
        store.put(key("b"), bytes("2"));
        Path killed = afterKill(directory, Files.createDirectory(copy.resolve("killed")));
        store.close();

        PersistKeyValueStore again = Task.exactlyOnce(committed).open();
        assertThat(all(again.all())).containsExactly("a=1");
        again.close();
        assertThatThrownBy(() -> Task.exactlyOnce(killed).open())
                .isInstanceOf(TaskCorruptedException.class)
                .hasStackTraceContaining("restores it from its changelog; without one its state is lost");
        PersistKeyValueStore atLeastOnce = Task.atLeastOnce(killed).open();
        assertThat(all(atLeastOnce.all())).containsExactly("a=1", "b=2");
        atLeastOnce.close();
    }

    @Test
    void shouldGoOnUnderExactlyOnceIfKilledAfterACommitOrWhileRestoring() throws IOException {
        Task task = Task.exactlyOnce(directory);
        PersistKeyValueStore store = task.open();
        store.put(key("a"), bytes("1"));
        store.commit(Map.of(CHANGELOG, 1L));
        task.restore("b=2", "a", "c=3"); // as a standby goes on
        Path killed = afterKill(directory, copy);
        store.close();

        PersistKeyValueStore again = Task.exactlyOnce(killed).open();
        assertThat(all(again.all())).containsExactly("b=2", "c=3");
        assertThat(again.committedOffset(CHANGELOG)).isEqualTo(1); // restored again: with the same result
        again.close();
    }

    @Test
    void shouldHaveAllWritesUnderAtLeastOnceIfKilled() throws IOException {
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();
        store.put(key("a"), bytes("1"));
        store.commit(Map.of(CHANGELOG, 1L));
        store.put(key("b"), bytes("2"));
        Path killed = afterKill(directory, copy);
        store.close();

        PersistKeyValueStore again = Task.atLeastOnce(killed).open();
        assertThat(all(again.all())).containsExactly("a=1", "b=2");
        assertThat(again.committedOffset(CHANGELOG)).isEqualTo(1);
        again.close();
        assertThatThrownBy(() -> Task.exactlyOnce(killed).open()).isInstanceOf(TaskCorruptedException.class);
    }

    @Test
    void shouldWriteNothingForACommitWithoutChanges() {
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();
        store.put(key("a"), bytes("1"));
        store.commit(Map.of(CHANGELOG, 1L));
        store.commit(Map.of(CHANGELOG, 1L)); // says that the first was meant
        long before = store.logPosition();
        store.commit(Map.of(CHANGELOG, 1L));

        assertThat(store.logPosition()).isEqualTo(before);
        store.commit(Map.of(CHANGELOG, 2L));
        assertThat(store.logPosition()).isGreaterThan(before);
        store.close();
    }

    @Test
    void shouldRestoreInTransactionsOfManyRecords() {
        Task task = Task.atLeastOnce(directory);
        PersistKeyValueStore store = task.open();
        long before = store.logPosition();
        String[] records = new String[1000];
        for (int i = 0; i < records.length; i++) {
            records[i] = String.format("k%03d=v", i);
        }
        task.restore(records);

        assertThat(store.approximateNumEntries()).isEqualTo(1000);
        assertThat(store.logPosition() - before).isLessThan(1000 * 45); // 32 each, and one frame
        store.close();
    }
}
