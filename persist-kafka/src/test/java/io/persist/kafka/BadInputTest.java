package io.persist.kafka;

import static io.persist.kafka.Task.CHANGELOG;
import static io.persist.kafka.Task.STORE;
import static io.persist.kafka.Task.bytes;
import static io.persist.kafka.Task.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State directories and records that a store refuses, and that it says where and why, and what to do. */
class BadInputTest {

    private static final String DELETE = "delete this directory";

    @TempDir
    Path directory;

    @Test
    void shouldRefuseTheStateOfRocksDb() {
        Task.atLeastOnce(directory)
                .open(Stores.persistentKeyValueStore(STORE).get())
                .close();

        refuses(Task.atLeastOnce(directory), "RocksDB has written the state", directory.toString(), DELETE);
        refuses(Task.exactlyOnce(directory), "RocksDB has written the state");
    }

    @Test
    void shouldRefuseFilesOfRocksDbInItsDirectory() throws IOException {
        Path segments = Files.createDirectories(directory.resolve(STORE).resolve(STORE + ".0"));
        refuses(Task.atLeastOnce(directory), "files of RocksDB", DELETE);
        Files.delete(segments);
        Files.createFile(directory.resolve(STORE).resolve("CURRENT"));
        refuses(Task.atLeastOnce(directory), "files of RocksDB", DELETE);
    }

    @Test
    void shouldRefuseOffsetsThatAnotherEngineLeft() throws IOException {
        Path old = Files.writeString(directory.resolve(".checkpoint"), "0\n1\n" + CHANGELOG.topic() + " 0 5\n");
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();

        assertThatThrownBy(() -> store.commit(Map.of(CHANGELOG, 5L)))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining(old.toString())
                .hasMessageContaining("empty");
        assertThat(store.committedOffset(CHANGELOG)).isNull();

        store.put(key("a"), bytes("1"));
        store.commit(Map.of(CHANGELOG, 5L));
        assertThat(store.committedOffset(CHANGELOG)).isEqualTo(5);
        store.close();
    }

    @Test
    void shouldRefuseAStoreOfAnotherFormat() {
        Task.atLeastOnce(directory).open().close();

        assertThatThrownBy(() -> Task.atLeastOnce(directory)
                        .open(PersistStores.timestampedKeyValueStore(STORE).get()))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining("it is a key-value store, and the topology has a timestamped key-value store")
                .hasMessageContaining(DELETE);
    }

    @Test
    void shouldRefuseAStoreThatIsNotOfKafka() {
        try (StoreLogger other = openLog()) {
            other.put(bytes("key"), bytes("value"));
        }
        refuses(Task.atLeastOnce(directory), "Kafka did not write it", DELETE);
    }

    @Test
    void shouldRefuseAHeaderOfANewerVersionOrOneThatIsCut() {
        Task.atLeastOnce(directory).open().close();
        byte[] header;
        try (StoreLogger log = openLog()) {
            header = log.getBytes(StoreHeader.key());
            header[0] = 2;
            log.put(StoreHeader.key(), header);
        }
        refuses(
                Task.atLeastOnce(directory),
                "a newer version of Persist wrote it: version=2",
                "run the version that wrote it; or stop the instance, " + DELETE);
        try (StoreLogger log = openLog()) {
            log.put(StoreHeader.key(), new byte[] {1, 0, 0, 0});
        }
        refuses(Task.atLeastOnce(directory), "is not whole", DELETE);
    }

    @Test
    void shouldRefuseAPositionThatKafkaCannotReadAndLeaveNothingOpen() {
        Task.atLeastOnce(directory).open().close();
        try (StoreLogger log = openLog()) {
            StoreHeader header = StoreHeader.decode(log.getBytes(StoreHeader.key()));
            ByteBuffer position = ByteBuffer.allocate(header.position().remaining())
                    .put(header.position().duplicate())
                    .put(0, (byte) 99) // its version
                    .flip();
            log.put(StoreHeader.key(), new StoreHeader(header.format(), false, header.offsets(), position).encode());
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            refuses(Task.atLeastOnce(directory), "cannot read the position", directory.toString(), DELETE);
        }
    }

    @Test
    void shouldRefuseALogOfANewerVersion() throws IOException {
        Task.atLeastOnce(directory).open().close();
        ByteBuffer version = ByteBuffer.wrap(new byte[] {9, 0, 0, 0});
        damage(segment(), 8, version);

        refuses(Task.atLeastOnce(directory), "cannot be opened", directory.toString());
    }

    @Test
    void shouldRefuseDamageOrHaveKafkaRestore() throws IOException {
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();
        for (int i = 0; i < 2000; i++) {
            store.put(key("key" + i), bytes("value " + i));
        }
        store.commit(Map.of(CHANGELOG, 1L));
        store.close();
        damage(segment(), 8192, ByteBuffer.wrap(new byte[256]));

        refuses(Task.atLeastOnce(directory), "corrupt", directory.toString(), DELETE);
        assertThatThrownBy(() -> Task.exactlyOnce(directory).open())
                .isInstanceOf(TaskCorruptedException.class)
                .hasStackTraceContaining("corrupt")
                .hasStackTraceContaining("without one its state is lost");
        refuses(
                Task.global(directory),
                "corrupt",
                directory.toString(),
                DELETE); // Kafka knows what to do of this alone
    }

    @Test
    void shouldNotServeADamagedValue() throws IOException {
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();
        store.put(key("good"), bytes("value"));
        store.put(key("bad"), bytes("a value of which a byte is turned"));
        Path file = segment();
        int at = indexOf(Files.readAllBytes(file), bytes("is turned"));
        damage(file, at, ByteBuffer.wrap(new byte[] {'%'}));

        assertThat(store.get(key("good"))).isEqualTo(bytes("value"));
        assertThatThrownBy(() -> store.get(key("bad")))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining("corrupt")
                .hasMessageContaining(DELETE);
        assertThatThrownBy(() -> Task.all(store.all())).isInstanceOf(ProcessorStateException.class);
        store.close();
    }

    @Test
    void shouldRefuseADirectoryThatAnotherInstanceHas() {
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();

        refuses(Task.atLeastOnce(directory), "another instance has it open", "state.dir", directory.toString());
        store.close();
    }

    /** Kafka does not close what it could not init, and may try it again. */
    @Test
    void shouldLeaveNothingOpenThatCouldNotBeInitialized() {
        Task task = Task.atLeastOnce(directory);
        task.open().close();
        StateStoreContext noMetrics = spy(task.context());
        doThrow(new IllegalStateException("no metrics")).when(noMetrics).metrics();
        StateStoreContext noStores = spy(task.context());
        doThrow(new IllegalStateException("no more stores")).when(noStores).register(any(), any());
        for (StateStoreContext broken : List.of(noMetrics, noStores)) {
            var store =
                    (PersistKeyValueStore) PersistStores.keyValueStore(STORE).get();
            assertThatThrownBy(() -> store.init(broken, store)).hasMessageStartingWith("no m");
            assertThat(store.isOpen()).isFalse();
        }
        assertThat(task.context().metrics().metrics().keySet())
                .extracting(MetricName::name)
                .doesNotContain("index-memory-bytes");
        task.open().close();
    }

    @Test
    void shouldRefuseRecordsThatAreTooLongAndGoOn() {
        PersistKeyValueStore store = Task.atLeastOnce(directory).open();

        assertThatThrownBy(() -> store.put(key("a"), new byte[64 << 10]))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining(PersistSettings.SEGMENT_LENGTH);
        store.put(key("b"), bytes("1"));
        assertThatThrownBy(() -> store.put(key("a"), new byte[64 << 10]))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining(PersistSettings.SEGMENT_LENGTH);
        assertThatThrownBy(() -> store.put(key("k".repeat(1024)), bytes("1")))
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining("key.length=1024, min=0, max=1023");
        assertThat(Task.all(store.all())).containsExactly("b=1");
        store.close();
    }

    @ParameterizedTest
    @CsvSource({
        "persist.segment.length, 12, from 65536 to 1073741824",
        "persist.segment.length, 70000, a multiple of 4096",
        "persist.segment.length, much, from 65536 to 1073741824",
        "persist.durability, always, '[buffered, flushed, synced]'",
        "persist.max.space.ratio, 1, from 1.1 to 100",
        "persist.max.space.ratio, two, from 1.1 to 100",
        "persist.compaction.bytes.per.second, 0, from 1048576",
        "persist.checkpoint.min.log.bytes, -1, from 0"
    })
    void shouldNameSettingValueAndRange(String setting, String value, String range) {
        Task task = Task.atLeastOnce(directory).with(setting, value);

        assertThatThrownBy(task::open)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(setting)
                .hasMessageContaining(value)
                .hasMessageContaining(range);
        assertThatThrownBy(() -> new PersistDslStoreSuppliers().configure(Map.of(setting, value)))
                .isInstanceOf(ConfigException.class);
        assertThat(directory).isEmptyDirectory();
    }

    private void refuses(Task task, String... says) {
        assertThatThrownBy(task::open)
                .isInstanceOf(ProcessorStateException.class)
                .hasMessageContaining(STORE)
                .hasMessageContainingAll(says);
    }

    private StoreLogger openLog() {
        LogConfig log = LogConfig.builder(directory.resolve(STORE))
                .segmentLength(64 << 10)
                .build();
        return StoreLogger.open(StoreConfig.builder(log).build());
    }

    /** The first file of the log. */
    private Path segment() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(STORE))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void damage(Path file, long at, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(bytes, at);
        }
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int at = 0; at <= bytes.length - part.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("not there");
    }

    @ParameterizedTest
    @CsvSource({
        "persist.segmnt.length, persist.segment.length",
        "persist.compaction.bytes, persist.compaction.bytes.per.second",
        "persist.Durability, persist.durability"
    })
    void shouldNameASettingThatThereIsNotAndTheNearest(String wrong, String nearest) {
        Task task = Task.atLeastOnce(directory).with(wrong, "65536");

        assertThatThrownBy(task::open)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("65536 for configuration " + wrong)
                .hasMessageContaining("the nearest one is " + nearest + ",");
        assertThat(directory.resolve(STORE)).doesNotExist();
    }
}
