package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.IndexFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.engine.ReadStore;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A view of a store goes on to what is committed by now; that it is right then, the models of the store say. */
class StoreViewTest {

    private static final int MOST = Integer.MAX_VALUE;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4096).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    /** Its files are closed, although nobody has the view. */
    @Test
    void shouldLeaveNothingOpenIfThereIsNoSnapshot() {
        open().close();
        assertThatIllegalStateException()
                .isThrownBy(() -> new StoreView(() -> {
                    ReadStore store = ReadStore.open(storage, storage);
                    store.state().close();
                    return store;
                }));
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldShowWhatIsCommittedByNow() {
        try (StoreLogger store = open();
                StoreView view = viewOf(storage)) {
            assertThat(view.catchUp()).isFalse();
            put(store, "a", "one");
            StoreSnapshot empty = view.snapshot();
            assertThat(empty.size()).isZero();
            assertThat(view.catchUp()).isTrue();
            assertThat(value(view, "a")).isEqualTo("one");
            assertThat(view.snapshot().position()).isEqualTo(store.position());
            assertThat(view.liveBytes()).isEqualTo(store.statistics().liveBytes());
            StoreSnapshot first = view.snapshot();
            assertThat(view.catchUp()).isFalse();
            assertThat(view.snapshot()).isSameAs(first);
            store.removeRange(KeyRange.all());
            put(store, "b", "two");
            assertThat(value(view, "a")).as("not before it is told to").isEqualTo("one");
            assertThat(view.catchUp()).isTrue();
            assertThat(value(view, "a")).isNull();
            assertThat(value(view, "b")).isEqualTo("two");
            assertThat(view.recovery().replay().transactions())
                    .as("opened only once")
                    .isZero();
        }
    }

    @Test
    void shouldCloseWhatItShowedBefore() {
        try (StoreLogger store = open()) {
            put(store, "a", "one");
            StoreView view = viewOf(storage);
            StoreSnapshot older = view.snapshot();
            try (StoreScan scan = older.scan(KeyRange.all(), Direction.FORWARD)) {
                put(store, "a", "two");
                assertThat(view.catchUp()).isTrue();
                assertThatIllegalStateException().isThrownBy(scan::next).withMessageContaining("snapshot is closed");
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> older.get(key("a")))
                    .withMessageContaining("snapshot is closed");
            view.close();
            view.close();
            assertThatIllegalStateException().isThrownBy(view::catchUp).withMessage("view is closed");
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldGiveBackTheSegmentsThatCompactionHasTakenAway() {
        try (StoreLogger store = open()) {
            overwrite(store, 200);
            try (StoreView view = viewOf(storage)) {
                long before = view.spaceBytes();
                assertThat(before).isEqualTo(store.statistics().spaceBytes());
                overwrite(store, 1);
                view.catchUp();
                store.compact(MOST);
                store.compact(MOST);
                long handles = storage.openHandles();
                assertThat(value(view, "key 3")).as("in a segment that is gone").startsWith("value 0");
                assertThat(view.catchUp()).isTrue();
                assertThat(value(view, "key 3")).startsWith("value 0");
                assertThat(view.spaceBytes())
                        .isLessThan(before / 2)
                        .isEqualTo(store.statistics().spaceBytes());
                assertThat(view.recovery().replay().transactions())
                        .as("opened only once")
                        .isEqualTo(1000);
                assertThat(storage.openHandles()).isLessThan((int) handles);
            }
        }
    }

    /** The writer has been another process since, and was killed once. */
    @Test
    void shouldGoOnOverTheLivesOfTheStore() {
        StoreLogger killed = open();
        put(killed, "a", "one");
        try (StoreView view = viewOf(storage)) {
            for (int life = 1; life < 4; life++) {
                killed.close();
                try (StoreLogger store = open()) {
                    overwrite(store, 20);
                    put(store, "a", "life " + life);
                    store.checkpoint();
                }
                assertThat(view.catchUp()).isTrue();
                assertThat(value(view, "a")).isEqualTo("life " + life);
                assertThat(view.catchUp()).isFalse();
            }
            assertThat(view.recovery().replay().transactions())
                    .as("opened only once")
                    .isEqualTo(1);
        }
    }

    /** Whatever call to the storage fails, and from which one on. */
    @Test
    void shouldShowWhatItShowedIfItCannotCatchUp() {
        int failures = 0;
        for (Verb verb : new Verb[] {Verb.LIST, Verb.OPEN, Verb.READ, Verb.MAP}) {
            for (int call = 1; failsAt(verb, call); call++) {
                failures++;
            }
        }
        assertThat(failures).isGreaterThan(10);
    }

    private boolean failsAt(Verb verb, int call) {
        CrashableStorage own = new CrashableStorage();
        FaultyStorage faulty = new FaultyStorage(own);
        try (StoreLogger store = StoreLogger.open(config, own, own)) {
            overwrite(store, 10);
            try (StoreView view = viewOf(faulty)) {
                List<Long> numbers = numbers(view);
                overwrite(store, 14);
                put(store, "a", "new");
                faulty.failFrom(verb, call);
                boolean isRefused = false;
                try {
                    view.catchUp();
                } catch (PersistException refused) {
                    isRefused = true;
                    assertThat(refused).as("%s %s", verb, call).hasMessageContaining("Input/output error");
                    faulty.heal();
                    assertThat(numbers(view)).as("%s %s", verb, call).isEqualTo(numbers);
                    assertThat(value(view, "a")).isNull();
                    assertThat(value(view, "key 3")).isEqualTo("value 9, which takes some space");
                    assertThat(view.catchUp()).isTrue();
                }
                int injected = faulty.injected();
                faulty.heal();
                view.catchUp();
                assertThat(value(view, "a")).isEqualTo("new");
                assertThat(value(view, "key 3")).isEqualTo("value 13, which takes some space");
                return isRefused || injected > 0;
            }
        }
    }

    private static List<Long> numbers(StoreView view) {
        return List.of(
                view.snapshot().position(),
                view.snapshot().size(),
                view.liveBytes(),
                view.spaceBytes(),
                (long) view.segments(),
                (long) view.vacatedSegments(),
                view.indexUsedBytes());
    }

    @Test
    void shouldNotGoOnWithAnotherStore() throws IOException {
        try (StoreLogger store = open()) {
            put(store, "a", "one");
        }
        try (StoreView view = viewOf(storage)) {
            for (String name : storage.list()) {
                storage.delete(name);
            }
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(view::catchUp)
                    .withMessageContaining("there is no log and no store");
            try (StoreLogger store = open()) {
                overwrite(store, 1);
                assertThatExceptionOfType(LogIOException.class)
                        .isThrownBy(view::catchUp)
                        .withMessage("there is another store now, with the id " + store.logId() + " in place of "
                                + view.logId() + "; open a new view of it");
            }
            assertThat(value(view, "a")).isEqualTo("one");
        }
    }

    /** The files are others then, and those of before are still mapped. */
    @Test
    void shouldShowABackupThatTookThePlaceOfTheLog(@TempDir Path directory, @TempDir Path backup) throws IOException {
        StoreConfig onDisk = StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(1 << 16).build())
                .build();
        try (StoreLogger store = StoreLogger.open(onDisk)) {
            put(store, "a", "in the backup");
        }
        copyAll(directory, backup);
        try (StoreLogger store = StoreLogger.open(onDisk)) {
            put(store, "a", "lost");
            put(store, "b", "lost");
        }
        try (StoreView view = StoreView.open(onDisk)) {
            long position = view.snapshot().position();
            copyAll(backup, directory);
            assertThat(view.catchUp()).isTrue();
            assertThat(value(view, "a")).isEqualTo("in the backup");
            assertThat(value(view, "b")).isNull();
            assertThat(view.snapshot().position()).isLessThan(position);
            assertThat(view.catchUp()).isFalse();
            try (StoreLogger store = StoreLogger.open(onDisk)) {
                put(store, "c", "new");
            }
            assertThat(view.catchUp()).isTrue();
            assertThat(value(view, "c")).isEqualTo("new");
        }
    }

    /** As a restore into the emptied directory does. */
    private static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(to)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** With memory for a part of the nodes that change, it begins again from the newest checkpoint. */
    @Test
    void shouldDoWithTheMemoryForWhatChangesBetweenCheckpoints(@TempDir Path directory) {
        LogConfig log = LogConfig.builder(directory).segmentLength(1 << 20).build();
        StoreConfig roomy =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        StoreConfig scarce = StoreConfig.builder(log).indexMemoryBytes(1 << 20).build();
        try (StoreLogger store = StoreLogger.open(roomy)) {
            int keys = 60_000;
            load(store, 0, keys);
            store.checkpoint();
            try (StoreView view = StoreView.open(scarce)) {
                StoreRecovery first = view.recovery();
                load(store, 1, keys);
                StoreSnapshot before = view.snapshot();
                assertThatExceptionOfType(IndexFullException.class).isThrownBy(view::catchUp);
                assertThat(view.snapshot()).isSameAs(before);
                assertThat(value(view, "key 777")).isEqualTo("round 0");
                store.checkpoint();
                assertThat(view.catchUp()).isTrue();
                assertThat(value(view, "key 777")).isEqualTo("round 1");
                assertThat(view.recovery()).isNotSameAs(first);
            }
        }
    }

    private static void load(StoreLogger store, int round, int keys) {
        for (int i = 0; i < keys; i += 1000) {
            Transaction transaction = store.begin();
            for (int key = i; key < i + 1000; key++) {
                transaction.put(key("key " + key), ("round " + round).getBytes(UTF_8));
            }
            transaction.commit();
        }
    }

    private static void overwrite(StoreLogger store, int times) {
        for (int i = 0; i < times; i++) {
            for (int key = 0; key < 5; key++) {
                put(store, "key " + key, "value " + i + ", which takes some space");
            }
        }
    }

    private static String value(StoreView view, String key) {
        byte[] value = view.snapshot().getBytes(key(key));
        return value == null ? null : new String(value, UTF_8);
    }

    private static void put(StoreLogger store, String key, String value) {
        store.put(key(key), value.getBytes(UTF_8));
    }

    private static byte[] key(String text) {
        return text.getBytes(UTF_8);
    }

    private StoreLogger open() {
        return StoreLogger.open(config, storage, storage);
    }

    private static StoreView viewOf(Storage storage) {
        return StoreView.open(storage, storage);
    }
}
