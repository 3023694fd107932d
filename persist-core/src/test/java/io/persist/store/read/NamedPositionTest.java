package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.StoreLogger;
import io.persist.error.RetiredException;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.LogCursors;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reader of changes with a name, for a consumer that keeps with its results how far they have come. */
class NamedPositionTest {

    private static final String NAME = "replica";
    private static final TailerConfig DEFAULTS = TailerConfig.defaults();

    private final CrashableStorage storage = new CrashableStorage();

    /** Who opens the reader. */
    private enum By {
        THE_STORE {
            @Override
            ChangeReader open(StoreLogger store, CrashableStorage storage, long position) {
                return store.changes(NAME, position, DEFAULTS);
            }
        },
        ITS_FILES {
            @Override
            ChangeReader open(StoreLogger store, CrashableStorage storage, long position) {
                return ChangeReader.open(storage, NAME, position, DEFAULTS);
            }
        };

        abstract ChangeReader open(StoreLogger store, CrashableStorage storage, long position);
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private static List<String> rest(ChangeReader changes) {
        List<String> keys = new ArrayList<>();
        while (changes.next()) {
            keys.add(Texts.text(changes.key()));
        }
        return keys;
    }

    private long cursor() {
        return new LogCursors(storage).list().get(0).position();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoOnAtThePositionAndStoreOnlyWhenItIsTold(By by) {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "a", "1");
            long behindA = store.position();
            Texts.put(store, "b", "2");
            try (ChangeReader changes = by.open(store, storage, 0)) {
                assertThat(rest(changes)).containsExactly("a", "b");
            }
            long start = cursor();
            assertThat(start).isLessThan(behindA);
            try (ChangeReader changes = by.open(store, storage, behindA)) {
                assertThat(cursor()).isEqualTo(start);
                assertThat(rest(changes)).containsExactly("b");
                assertThat(changes.store()).isEqualTo(store.position()).isEqualTo(cursor());
            }
            Texts.put(store, "c", "3");
            long end = store.position();
            try (ChangeReader changes = by.open(store, storage, end)) {
                assertThat(rest(changes)).isEmpty();
                Texts.put(store, "d", "4");
                assertThat(rest(changes)).containsExactly("d");
            }
        }
    }

    /** A consumer that has lost its results, or has got older ones back, must not go on at the cursor. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseAPositionWithChangesBeforeTheCursor(By by) {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "a", "1");
            long behindA = store.position();
            Texts.put(store, "b", "2");
            try (ChangeReader changes = by.open(store, storage, 0)) {
                rest(changes);
                changes.store();
            }
            for (long position : new long[] {0, behindA}) {
                assertThatExceptionOfType(RetiredException.class)
                        .isThrownBy(() -> by.open(store, storage, position).close())
                        .withMessageContaining("changes before the cursor are not held any more: position=" + position
                                + ", cursor=" + store.position());
            }
            by.open(store, storage, store.position()).close();
        }
    }

    /** The cursor is stored where the reader stands, which may be behind a seal, and behind what compaction has moved. */
    @ParameterizedTest
    @EnumSource
    void shouldGoOnWhereOnlyMovesAndSealsAreBeforeTheCursor(By by) {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "stays", "x");
            Texts.fill(store, 5, 200);
            long kept = store.position();
            store.compact(Long.MAX_VALUE); // it has no reader yet
            assertThat(store.position()).as("behind what was moved").isGreaterThan(kept);
            try (ChangeReader changes = by.open(store, storage, kept)) {
                assertThat(changes.next()).isFalse();
                assertThat(changes.store()).isGreaterThan(kept);
            }
            Texts.put(store, "new", "y");
            try (ChangeReader changes = by.open(store, storage, kept)) {
                assertThat(rest(changes)).containsExactly("new");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsNoPositionOfTheLog(By by) {
        try (StoreLogger store = Texts.open(storage)) {
            long begin = Texts.put(store, "a", "1");
            Transaction transaction = store.begin();
            transaction.put(Texts.bytes("b"), Texts.bytes("2"));
            transaction.put(Texts.bytes("c"), Texts.bytes("3"));
            long end = transaction.commit();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> by.open(store, storage, -1))
                    .withMessageContaining("position=-1");
            assertThatIllegalArgumentException()
                    .as("inside a transaction")
                    .isThrownBy(() -> by.open(store, storage, begin + 8))
                    .withMessageContaining("no transaction ends here: position=" + (begin + 8))
                    .withMessageContaining("read the store's state by a snapshot");
            assertThatIllegalArgumentException()
                    .as("as of a log that was longer")
                    .isThrownBy(() -> by.open(store, storage, end + 800))
                    .withMessageContaining(
                            "position is beyond the end of the log: position=" + (end + 800) + ", end=" + end)
                    .withMessageContaining("read the store's state by a snapshot");
        }
    }

    /** The name is there then, and holds what the copy of the state needs next. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhereChangesAreGoneAndHoldWhatIsToCome(By by) {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "stays", "x");
            long early = store.position();
            Texts.fill(store, 5, 200);
            store.compact(Long.MAX_VALUE);
            for (long position : new long[] {0, early}) {
                assertThatExceptionOfType(RetiredException.class)
                        .isThrownBy(() -> by.open(store, storage, position).close())
                        .withMessageContaining("changes are gone: position=" + position);
            }
            long state = store.position();
            Texts.fill(store, 5, 200);
            store.compact(Long.MAX_VALUE);
            try (ChangeReader changes = by.open(store, storage, state)) {
                assertThat(rest(changes)).hasSize(200);
            }
        }
    }

    @Test
    void shouldBeginAtACommitThatIsStillOnItsWay() {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(Texts.SEGMENT_LENGTH)
                .writeMode(WriteMode.FILE)
                .build();
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build(), storage, storage)) {
            long end = Texts.put(store, "a", "1");
            try (ChangeReader changes = store.changes(NAME, end, DEFAULTS)) {
                assertThat(changes.next()).isFalse();
                assertThat(changes.nextPosition()).isEqualTo(end);
            }
        }
    }
}
