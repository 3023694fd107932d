package io.persist.store.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Where compaction has taken records away, nothing goes on as if they had never been. */
class StoreGapTest {

    private static final int MOST = Integer.MAX_VALUE;

    /** With it a segment is full, and so it stays. */
    private static final String LARGE = "x".repeat(3860);

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage stale = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4096).build())
            .maxSpaceRatio(0)
            .build();

    @Test
    void shouldRefuseACheckpointWhoseLogWasCompacted() {
        try (StoreLogger store = open(stale)) {
            put(store, "gone later", "");
            put(store, "large", LARGE);
            store.checkpoint();
        }
        try (StoreLogger store = open(storage)) {
            put(store, "large 2", LARGE); // so the log seems to go on behind the checkpoint
            remove(store, "gone later");
            overwrite(store);
            store.compact(MOST);
            assertThat(store.statistics().compaction().vacatedSegments()).isPositive();
        }
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> open(stale))
                .withMessageContaining("no checkpoint of the store can be used");
        try (StoreLogger store = open(storage)) {
            assertThat(store.get("gone later".getBytes(UTF_8))).isNull();
        }
    }

    @Test
    void shouldNotShowALogWithoutItsBeginningAsAllChanges() throws IOException {
        try (StoreLogger store = open(storage)) {
            long first = put(store, "key", "value");
            overwrite(store);
            store.compact(MOST);
            assertThat(storage.list()).doesNotContain("00000000000000000000.log");
            assertRetired(store, 0);
            assertRetired(store, first);
        }
    }

    @Test
    void shouldRefuseToGoOnInAVacatedSegment() {
        try (StoreLogger store = open(storage)) {
            put(store, "large", LARGE);
            long inside = overwrite(store);
            overwrite(store);
            store.compact(MOST);
            assertRetired(store, 0);
            assertRetired(store, inside);
            long end = store.position();
            put(store, "key", "value");
            try (ChangeReader changes = store.changes(end)) {
                assertThat(changes.next()).isTrue();
                assertThat(changes.next()).isFalse();
            }
        }
    }

    /** The writer compacts before each of the view's looks at the log in turn, until there is none left. */
    @Test
    void shouldNotMissWhatIsCompactedWhileAViewIsOpened() {
        int looks = 0;
        while (isCompactedBeforeLook(looks + 1)) {
            looks++;
        }
        assertThat(looks).isGreaterThan(5);
    }

    private boolean isCompactedBeforeLook(int look) {
        CrashableStorage own = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(config, own, own)) {
            put(store, "gone later", "");
            put(store, "large", LARGE);
            store.checkpoint();
            put(store, "large 2", LARGE);
            overwrite(store, 100);
            AtomicInteger looksLeft = new AtomicInteger(look);
            Storage watched = watched(own, StoreGapTest::opensSegment, () -> {
                if (looksLeft.decrementAndGet() == 0) {
                    remove(store, "gone later");
                    overwrite(store, 45); // not beyond the segments that the view knows
                    store.compact(MOST);
                    put(store, "last", "");
                }
            });
            try (StoreView view = StoreView.open(watched, watched)) {
                boolean isAfter = view.snapshot().get("last".getBytes(UTF_8)) != null;
                boolean isThere = view.snapshot().get("gone later".getBytes(UTF_8)) != null;
                assertThat(isThere).as("look " + look).isNotEqualTo(isAfter);
            }
            return looksLeft.get() <= 0;
        }
    }

    /** The same while a view that was opened before catches up, and what it has to read is taken away. */
    @Test
    void shouldNotMissWhatIsCompactedWhileAViewCatchesUp() {
        int looks = 0;
        Consumer<StoreLogger> before = store -> {
            overwrite(store, 50);
            remove(store, "gone"); // in a segment that the view has not opened
            overwrite(store, 50);
        };
        while (isCompactedDuringCatchUp(looks + 1, before, store -> overwrite(store, 100))) {
            looks++;
        }
        assertThat(looks).isGreaterThan(5);
    }

    /** The same if only what it has read before is taken away, and moved behind the end that it goes to. */
    @Test
    void shouldKeepWhatIsMovedWhileAViewCatchesUp() {
        int looks = 0;
        Consumer<StoreLogger> before = store -> {
            remove(store, "gone");
            put(store, "large 2", LARGE);
        };
        while (isCompactedDuringCatchUp(looks + 1, before, store -> {})) {
            looks++;
        }
        assertThat(looks).isGreaterThan(5);
    }

    private boolean isCompactedDuringCatchUp(int look, Consumer<StoreLogger> before, Consumer<StoreLogger> meanwhile) {
        CrashableStorage own = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(config, own, own)) {
            put(store, "early", "");
            put(store, "gone", "");
            put(store, "gone later", "");
            overwrite(store, 100); // so this is moved
            put(store, "large", LARGE);
            AtomicInteger looksLeft = new AtomicInteger(MOST);
            Storage watched = watched(own, StoreGapTest::isLook, () -> {
                if (looksLeft.decrementAndGet() == 0) {
                    remove(store, "gone later");
                    meanwhile.accept(store);
                    store.compact(MOST);
                    put(store, "last", "");
                }
            });
            try (StoreView view = StoreView.open(watched, watched)) {
                before.accept(store);
                looksLeft.set(look);
                assertThat(view.catchUp()).isTrue();
                boolean isCompacted = looksLeft.get() <= 0;
                assertIsOneMoment(view);
                view.catchUp();
                assertIsOneMoment(view);
                return isCompacted;
            }
        }
    }

    /** The segments that are needed no more are taken away after the last commit. */
    @Test
    void shouldLetGoOfWhatIsTakenAwayWhenNothingElseIsNew() {
        CrashableStorage own = new CrashableStorage();
        AtomicReference<StoreView> toCatchUp = new AtomicReference<>();
        Storage watched = watched(own, StoreGapTest::takesSegmentAway, () -> {
            StoreView view = toCatchUp.getAndSet(null);
            if (view != null) {
                assertThat(view.catchUp()).isTrue();
            }
        });
        try (StoreLogger store = StoreLogger.open(config, watched, watched)) {
            overwrite(store);
            try (StoreView view = StoreView.open(own, own)) {
                toCatchUp.set(view);
                store.compact(MOST);
                assertThat(toCatchUp).as("nothing was taken away").hasNullValue();
                int before = own.openHandles();
                StoreSnapshot shown = view.snapshot();
                assertThat(view.catchUp()).isFalse();
                assertThat(view.snapshot()).isSameAs(shown);
                assertThat(view.spaceBytes()).isEqualTo(store.statistics().spaceBytes());
                assertThat(own.openHandles()).isLessThan(before);
                assertThat(shown.getBytes("key 3".getBytes(UTF_8))).isNotNull();
            }
        }
    }

    private static boolean takesSegmentAway(String call, Object[] arguments) {
        return (call.equals("delete") || call.equals("rename"))
                && String.valueOf(arguments[0]).endsWith(".log");
    }

    private static void assertIsOneMoment(StoreView view) {
        boolean isAfter = view.snapshot().get("last".getBytes(UTF_8)) != null;
        boolean isThere = view.snapshot().get("gone later".getBytes(UTF_8)) != null;
        assertThat(isThere).isNotEqualTo(isAfter);
        assertThat(view.snapshot().get("gone".getBytes(UTF_8))).isNull();
        for (String key : List.of("early", "key 3", "large")) {
            assertThat(view.snapshot().getBytes(key.getBytes(UTF_8))).as(key).isNotNull();
        }
    }

    private static boolean isLook(String call, Object[] arguments) {
        return call.equals("list") || opensSegment(call, arguments);
    }

    /** The writer replaces all checkpoints before each of the view's looks for them, and the log's files stay. */
    @Test
    void shouldFindTheCheckpointsThatAreWrittenWhileAViewIsOpened() {
        int looks = 0;
        while (isReplacedBeforeLook(looks + 1)) {
            looks++;
        }
        assertThat(looks).isGreaterThan(2);
    }

    private boolean isReplacedBeforeLook(int look) {
        CrashableStorage log = new CrashableStorage();
        CrashableStorage checkpoints = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(config, log, checkpoints)) {
            overwrite(store);
            store.compact(MOST);
            put(store, "key", "value");
            AtomicInteger looksLeft = new AtomicInteger(look);
            Storage watched = watched(checkpoints, (call, arguments) -> call.equals("list"), () -> {
                if (looksLeft.decrementAndGet() == 0) {
                    put(store, "last", "");
                    store.compact(0);
                    store.compact(0);
                }
            });
            try (StoreView view = StoreView.open(log, watched)) {
                assertThat(view.snapshot().get("key".getBytes(UTF_8)))
                        .as("look " + look)
                        .isNotNull();
            }
            return looksLeft.get() <= 0;
        }
    }

    private static boolean opensSegment(String call, Object[] arguments) {
        return call.equals("open") && String.valueOf(arguments[0]).endsWith(".log");
    }

    /** The same storage, that tells before what is a look. */
    private static Storage watched(Storage storage, BiPredicate<String, Object[]> isLook, Runnable beforeLook) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (isLook.test(method.getName(), arguments)) {
                beforeLook.run();
            }
            try {
                return method.invoke(storage, arguments);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        };
        return (Storage)
                Proxy.newProxyInstance(Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, handler);
    }

    private static void remove(StoreLogger store, String key) {
        Transaction transaction = store.begin();
        transaction.remove(key.getBytes(UTF_8));
        transaction.commit();
    }

    private static void assertRetired(StoreLogger store, long position) {
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(() -> store.changes(position))
                .withMessageContaining("position=" + position + ",");
    }

    /** Fills some segments with values of which few are left; returns a position in the middle of one. */
    private static long overwrite(StoreLogger store) {
        return overwrite(store, 200);
    }

    private static long overwrite(StoreLogger store, int times) {
        long inside = 0;
        for (int i = 0; i < times; i++) {
            long end = put(store, "key " + i % 5, "a value that takes some space " + i);
            inside = i == 30 ? end : inside;
        }
        return inside;
    }

    private static long put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
        return transaction.commit();
    }

    private StoreLogger open(CrashableStorage checkpoints) {
        return StoreLogger.open(config, storage, checkpoints);
    }
}
