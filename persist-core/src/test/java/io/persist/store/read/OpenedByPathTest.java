package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.LogLockedException;
import io.persist.error.RetiredException;
import io.persist.log.LogConfig;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.LogCursors;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader of changes that is opened by the directory of a store's log, which somebody else has open, or nobody. */
class OpenedByPathTest {

    private static final int MOST = Integer.MAX_VALUE;

    /** With it a segment is full, and so it stays. */
    private static final String LARGE = "x".repeat(3860);

    private static final TailerConfig DEFAULTS = TailerConfig.defaults();

    private final CrashableStorage storage = new CrashableStorage();

    private static StoreConfig config(Path directory, WriteMode mode) {
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(Texts.SEGMENT_LENGTH)
                .writeMode(mode)
                .build();
        return StoreConfig.builder(log)
                .oldValues(OldValues.RECORD)
                .maxSpaceRatio(0)
                .build();
    }

    private StoreLogger open() {
        return StoreLogger.open(config(Path.of("store"), WriteMode.MAPPED), storage, storage);
    }

    private ChangeReader reader(long position) {
        return ChangeReader.open(storage, position, DEFAULTS);
    }

    private static void assertShows(ChangeReader changes, String key, String value) {
        assertThat(changes.next()).isTrue();
        assertThat(Texts.text(changes.key())).isEqualTo(key);
        assertThat(Texts.text(changes.value())).isEqualTo(value);
    }

    @Test
    void shouldFollowAStoreOverItsLives(@TempDir Path directory) {
        StoreConfig config = config(directory, WriteMode.MAPPED);
        try (ChangeReader early = ChangeReader.open(directory, 0);
                ChangeReader named = ChangeReader.open(directory, "replica")) {
            assertThat(early.next()).as("there is no log yet").isFalse();
            assertThat(named.next()).isFalse();
            for (int life = 0; life < 3; life++) {
                try (StoreLogger store = StoreLogger.open(config)) {
                    Texts.put(store, "key", "life " + life);
                    assertShows(early, "key", "life " + life);
                    assertShows(named, "key", "life " + life);
                    assertThat(early.next()).isFalse();
                    assertThat(early.nextPosition()).isEqualTo(store.position()).isEqualTo(named.store());
                    assertThat(early.logId()).isEqualTo(store.logId());
                }
            }
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> ChangeReader.open(directory, "replica", DEFAULTS));
        }
        try (ChangeReader named = ChangeReader.open(directory, "replica", DEFAULTS);
                ChangeReader from = ChangeReader.open(directory, named.nextPosition(), DEFAULTS);
                StoreLogger store = StoreLogger.open(config)) {
            Texts.put(store, "key", "afterwards");
            assertShows(named, "key", "afterwards");
            assertShows(from, "key", "afterwards");
        }
    }

    @Test
    void shouldHoldNothingWithoutAName() {
        try (StoreLogger store = open()) {
            Texts.fill(store, 5, 300);
            try (ChangeReader changes = reader(0)) {
                assertThat(changes.next()).isTrue();
                assertThat(new LogCursors(storage).list()).isEmpty();
                assertThat(store.compact(MOST)).isPositive();
                assertThatIllegalStateException()
                        .isThrownBy(changes::store)
                        .withMessage("this reader has no name; open it with one to store its position");
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** What its cursor has not passed is there, in each life of the store, until it is removed. */
    @Test
    void shouldHoldByItsNameWhenItIsNotOpen() {
        try (StoreLogger store = open();
                ChangeReader named = ChangeReader.open(storage, "replica", DEFAULTS)) {
            Texts.fill(store, 5, 50);
            while (named.next()) {
                named.store();
            }
        }
        for (int life = 0; life < 3; life++) {
            try (StoreLogger store = open()) {
                Texts.fill(store, 5, 50);
                store.compact(MOST);
                assertThat(store.statistics().compaction().waitingSegments()).isPositive();
            }
        }
        try (ChangeReader named = ChangeReader.open(storage, "replica", DEFAULTS)) {
            for (int i = 0; i < 150; i++) {
                assertShows(named, "key-" + i % 5, "a value that takes some space: " + i % 50);
            }
            assertThat(named.next()).isFalse();
        }
        new LogCursors(storage).remove("replica");
        try (StoreLogger store = open()) {
            assertThat(store.compact(MOST)).isPositive();
        }
    }

    @Test
    void shouldBeginWithANewNameAtTheOldestChangeThatIsThere() {
        try (StoreLogger store = open()) {
            Texts.put(store, "large", LARGE);
            Texts.fill(store, 5, 200);
            store.compact(MOST);
            assertThat(store.statistics().compaction().vacatedSegments()).isPositive();
            Texts.fill(store, 5, 7);
            try (ChangeReader own = store.changes("own");
                    ChangeReader others = ChangeReader.open(storage, "others", DEFAULTS)) {
                int shown = 0;
                while (own.next()) {
                    assertShows(others, Texts.text(own.key()), Texts.text(own.value()));
                    assertThat(others.position()).isEqualTo(own.position());
                    shown++;
                }
                assertThat(others.next()).isFalse();
                assertThat(shown).isBetween(7, 150);
            }
        }
    }

    /** The position of a view, and that of a commit, need not be synced yet. */
    @Test
    void shouldBeginWhereNothingIsSyncedYet() {
        TailerConfig synced = TailerConfig.builder().readScope(ReadScope.SYNCED).build();
        try (StoreLogger store = open()) {
            Texts.put(store, "a", "one");
            store.sync();
            Texts.put(store, "b", "two");
            try (StoreView view = StoreView.open(storage, storage);
                    ChangeReader changes =
                            ChangeReader.open(storage, view.snapshot().position(), synced);
                    ChangeReader own = store.changes(store.position(), synced)) {
                Texts.put(store, "c", "three");
                assertThat(changes.next()).as("not synced").isFalse();
                assertThat(own.next()).isFalse();
                store.sync();
                assertShows(changes, "c", "three");
                assertShows(own, "c", "three");
            }
        }
    }

    /** It keeps a few segments mapped, and not all that it has ever read an old value from. */
    @Test
    void shouldReadOldValuesAndKeepFewSegments() {
        int keys = 400;
        try (StoreLogger store = open()) {
            for (int round = 0; round < 3; round++) {
                Texts.fill(store, keys, keys);
            }
            assertThat(store.position()).isGreaterThan(20 * Texts.SEGMENT_LENGTH);
        }
        try (ChangeReader changes = reader(0)) { // alone, as a store opens files in the background
            int before = storage.openHandles();
            for (int i = 0; i < 3 * keys; i++) {
                assertThat(changes.next()).isTrue();
                assertThat(Texts.text(changes.oldValue()))
                        .isEqualTo(i < keys ? null : "a value that takes some space: " + i % keys);
            }
            // A mapping for each, and an idle file; and the segment that it reads changes from.
            assertThat(storage.openHandles() - before).isLessThanOrEqualTo(2 * RecentSegments.MOST + 3);
        }
        try (StoreLogger store = open()) {
            Texts.put(store, "key-0", "new");
            try (ChangeReader named = ChangeReader.open(storage, "replica", DEFAULTS)) {
                int gone = 0;
                store.compact(MOST);
                while (named.next()) {
                    try {
                        named.oldValue();
                    } catch (RetiredException takenAway) {
                        gone++;
                    }
                }
                assertThat(gone).as("none: it holds them").isZero();
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldTellThatAnOldValueIsGone() {
        try (StoreLogger store = open()) {
            Texts.put(store, "key", "old");
            Texts.fill(store, 5, 100);
            Texts.put(store, "large", LARGE);
            long last = store.position();
            Texts.put(store, "key", "new");
            Texts.put(store, "large 2", LARGE);
            store.compact(MOST);
            try (ChangeReader changes = reader(last)) {
                assertShows(changes, "key", "new");
                assertThatExceptionOfType(RetiredException.class).isThrownBy(changes::oldValue);
                assertThat(Texts.text(changes.value())).isEqualTo("new");
                assertShows(changes, "large 2", LARGE);
                assertThat(changes.oldValue()).isNull();
            }
        }
    }
}
