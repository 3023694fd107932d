package io.persist.kafka;

import static io.persist.kafka.Task.all;
import static io.persist.kafka.Task.bytes;
import static io.persist.kafka.Task.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka's own tests of a store do not ask. */
class StoreTest {

    @TempDir
    Path directory;

    private Task task;
    private PersistKeyValueStore store;

    @BeforeEach
    void open() {
        task = Task.atLeastOnce(directory);
        store = task.open();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldKeepWhatWasThereWhenAnIteratorWasOpened() {
        store.putAll(List.of(pair("a", "1"), pair("b", "2"), pair("c", "3")));

        try (KeyValueIterator<Bytes, byte[]> iterator = store.all()) {
            store.delete(key("b"));
            store.put(key("bb"), bytes("new"));
            store.put(key("c"), bytes("33"));

            assertThat(iterator.peekNextKey()).isEqualTo(key("a"));
            assertThat(all(iterator)).containsExactly("a=1", "b=2", "c=3");
        }
        assertThat(all(store.all())).containsExactly("a=1", "bb=new", "c=33");
        assertThat(store.approximateNumEntries()).isEqualTo(3);
    }

    @Test
    void shouldDeleteWhileItScans() {
        for (int i = 0; i < 500; i++) {
            store.put(key(String.format("timer/%03d", i)), bytes("x"));
        }
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> due = store.range(key("timer/"), key("timer/399"))) {
            while (due.hasNext()) {
                assertThat(store.delete(due.next().key)).isEqualTo(bytes("x"));
                seen++;
            }
        }
        assertThat(seen).isEqualTo(400);
        assertThat(store.approximateNumEntries()).isEqualTo(100);
    }

    @Test
    void shouldCloseIteratorsWithTheStore() {
        store.put(key("a"), bytes("1"));
        KeyValueIterator<Bytes, byte[]> iterator = store.all();

        store.close();
        store.close();

        assertThatThrownBy(iterator::hasNext)
                .isInstanceOf(InvalidStateStoreException.class)
                .hasMessage("the iterator is closed");
        assertThatThrownBy(() -> store.get(key("a"))).isInstanceOf(InvalidStateStoreException.class);
        assertThatThrownBy(() -> store.put(key("a"), null)).isInstanceOf(InvalidStateStoreException.class);
        assertThatThrownBy(store::all).isInstanceOf(InvalidStateStoreException.class);
        assertThat(store.isOpen()).isFalse();
        iterator.close();
    }

    @Test
    void shouldTellWhenAnIteratorHasNoMore() {
        try (KeyValueIterator<Bytes, byte[]> none = store.all()) {
            assertThat(none.hasNext()).isFalse();
            assertThatThrownBy(none::next).isInstanceOf(NoSuchElementException.class);
            assertThatThrownBy(none::peekNextKey).isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void shouldOrderKeysOfAllLengthsAndEndsThatNoKeyCanHave() {
        Bytes longest = Bytes.wrap(filled(UserKeys.MAX_LENGTH, 'm'));
        Bytes beyond = Bytes.wrap(filled(UserKeys.MAX_LENGTH + 700, 'm'));
        store.put(key(""), bytes("empty"));
        store.put(Bytes.wrap(new byte[] {(byte) 0xFF, (byte) 0xFF}), bytes("last"));
        store.put(longest, bytes("longest"));

        assertThat(values(store.all())).containsExactly("empty", "longest", "last");
        assertThat(values(store.reverseAll())).containsExactly("last", "longest", "empty");
        assertThat(values(store.range(longest, longest))).containsExactly("longest");
        assertThat(values(store.range(beyond, null))).containsExactly("last");
        assertThat(values(store.reverseRange(null, beyond))).containsExactly("longest", "empty");
        assertThat(values(store.prefixScan("mm", new StringSerializer()))).containsExactly("longest");
        assertThat(values(store.prefixScan(new String(beyond.get()), new StringSerializer())))
                .isEmpty();
        assertThat(store.get(beyond)).isNull();
    }

    @Test
    void shouldDivideABatchThatNoTransactionHasRoomFor() {
        byte[] value = filled(5000, 'v');
        List<KeyValue<Bytes, byte[]>> batch = IntStream.range(0, 40)
                .mapToObj(i -> KeyValue.pair(key("k" + i), value))
                .toList();

        store.putAll(batch);

        assertThat(store.approximateNumEntries()).isEqualTo(40);
        assertThat(store.get(key("k39"))).isEqualTo(value);
    }

    @Test
    void shouldRefuseABatchAsAWholeHoweverLateInItAValueIsTooLong() {
        List<KeyValue<Bytes, byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            batch.add(KeyValue.pair(key("k" + i), filled(5000, 'v')));
        }
        batch.add(KeyValue.pair(key("long"), new byte[64 << 10]));

        assertThatThrownBy(() -> store.putAll(batch))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining("key.length=4, value.length=65536, transaction.max=")
                .hasMessageContaining(PersistSettings.SEGMENT_LENGTH);

        assertThat(store.approximateNumEntries()).isZero();
        assertThat(all(store.all())).isEmpty();
    }

    /** The index is read from the checkpoint as far as it is needed. */
    @Test
    void shouldSayEachTimeWhyAnIteratorCannotGoOn() throws IOException {
        for (int i = 0; i < 2000; i++) {
            store.put(key("key" + i), bytes("value"));
        }
        store.close();
        LogConfig config = LogConfig.builder(directory.resolve(store.name()))
                .segmentLength(64 << 10)
                .build();
        try (StoreLogger log = StoreLogger.open(StoreConfig.builder(config).build())) {
            log.checkpoint();
        }
        try (Stream<Path> files = Files.list(directory.resolve(store.name()))) {
            Path checkpoint = files.filter(file -> file.toString().endsWith(CheckpointName.SUFFIX))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            try (FileChannel channel = FileChannel.open(checkpoint, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[512]), CheckpointDirectory.nodeOffset(1) + 100);
            }
        }
        store = task.open();

        try (KeyValueIterator<Bytes, byte[]> iterator = store.all()) {
            int failures = 0;
            for (int step = 0; step < 2000; step++) { // reading values ahead fails once, before the keys come to an end
                try {
                    iterator.next();
                } catch (StreamsException e) {
                    failures++;
                    assertThat(e)
                            .isInstanceOf(ProcessorStateException.class)
                            .hasMessageContaining("wrong checksum of node")
                            .hasMessageContaining("delete this directory");
                }
            }
            assertThat(failures).isGreaterThan(2);
        }
    }

    @Test
    void shouldTakeAnEmptyValueForAValue() {
        store.put(key("a"), new byte[0]);

        assertThat(store.get(key("a"))).isEmpty();
        assertThat(store.putIfAbsent(key("a"), bytes("1"))).isEmpty();
        assertThat(store.delete(key("none"))).isNull();
    }

    /** Another engine may have had it, and the changelog has its removal. */
    @Test
    void shouldRemoveAKeyThatIsTooLongToBeThere() {
        String longKey = "k".repeat(1024);
        store.put(key(longKey), null);
        store.put(key("a"), bytes("1"));
        store.put(key(longKey), null);
        assertThat(store.delete(key(longKey))).isNull();
        store.putAll(List.of(pair("b", "2"), KeyValue.pair(key(longKey), null)));
        task.restore(longKey, "c=3");

        assertThat(all(store.all())).containsExactly("a=1", "b=2", "c=3");
    }

    private static List<String> values(KeyValueIterator<Bytes, byte[]> iterator) {
        return all(iterator).stream()
                .map(pair -> pair.substring(pair.indexOf('=') + 1))
                .toList();
    }

    private static byte[] filled(int length, char with) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private static KeyValue<Bytes, byte[]> pair(String key, String value) {
        return KeyValue.pair(key(key), bytes(value));
    }
}
