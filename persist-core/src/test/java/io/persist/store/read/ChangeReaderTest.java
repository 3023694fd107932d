package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.format.SegmentHeader;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where a reader of changes begins, also when compaction has taken some of them away. */
class ChangeReaderTest {

    private static final int COUNT = 300;

    private final CrashableStorage storage = new CrashableStorage();
    private final List<Long> ends = new ArrayList<>();

    private static StoreConfig config(WriteMode mode) {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(4096)
                .writeMode(mode)
                .build();
        return StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
    }

    /** Puts few keys many times; one at the beginning stays, and fills a segment so that it is not worth a move. */
    private StoreLogger written() {
        StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), storage, storage);
        put(store, "stays", "x".repeat(3900));
        for (int i = 1; i < COUNT; i++) {
            put(store, "key " + i % 10);
        }
        return store;
    }

    private void put(StoreLogger store, String key) {
        put(store, key, "a value of some length, " + ends.size());
    }

    private void put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(bytes(key), bytes(value));
        ends.add(transaction.commit());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void shouldStayBeforeATransactionThatCannotBeRead() {
        LogConfig log = config(WriteMode.MAPPED).log();
        try (Log written = Log.open(log, LogContent.TRANSACTIONS, storage)) {
            written.append(bytes("no transaction at all"), 0, 21);
        }
        Tailer tailer = Tailer.open(storage, TailerConfig.builder().anyContent().build());
        long start = tailer.nextPosition();
        try (ChangeReader changes = new ChangeReader(tailer, OldValueReader.alone(storage), end -> {})) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(changes::next).isInstanceOf(PersistException.class);
                assertThat(changes.nextPosition()).isEqualTo(start);
            }
        }
    }

    /** A consumer that keeps the position itself would go on behind changes that it has not seen. */
    @Test
    void shouldTellNoPositionInTheMiddleOfATransaction() {
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), storage, storage);
                ChangeReader changes = store.changes("consumer")) {
            Transaction transaction = store.begin();
            transaction.put(bytes("one"), bytes("1"));
            transaction.put(bytes("two"), bytes("2"));
            long end = transaction.commit();
            assertThat(changes.nextPosition()).isLessThan(end);
            assertThat(changes.next()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(changes::nextPosition)
                    .withMessageContaining("has more changes: keep the position after its last one");
            assertThatIllegalStateException()
                    .isThrownBy(changes::store)
                    .withMessageContaining("has more changes: store after its last one");
            assertThat(changes.next()).isTrue();
            assertThat(changes.nextPosition()).isEqualTo(end);
            assertThat(changes.next()).isFalse();
            assertThat(changes.nextPosition()).isEqualTo(end);
        }
    }

    @Test
    void shouldBeginAtACommitThatIsStillOnItsWay() {
        try (StoreLogger store = StoreLogger.open(config(WriteMode.FILE), storage, storage)) {
            assertBeginsAtEachCommit(store);
        }
        ends.clear();
        CrashableStorage other = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(
                config(WriteMode.FILE), DetachedConfig.builder().build(), other, other)) {
            assertBeginsAtEachCommit(store);
        }
    }

    private void assertBeginsAtEachCommit(StoreLogger store) {
        for (int i = 0; i < 30; i++) {
            put(store, "key " + i);
            try (ChangeReader changes = store.changes(ends.get(i))) {
                assertThat(changes.next()).isFalse();
            }
        }
    }

    /** The segments between the first and the last ones are vacated; then the first one goes too. */
    @Test
    void shouldRefuseToBeginWhereChangesAreGone() throws IOException {
        try (StoreLogger store = written()) {
            store.compact(Long.MAX_VALUE / 2);
            assertThat(LogFiles.headers(storage).get(0).isVacated()).isFalse();
            assertRefusesWhatIsGone(store);
            put(store, "stays", ""); // so that the first segment is empty
            store.compact(Long.MAX_VALUE / 2);
            assertThat(LogFiles.headers(storage).get(0).basePosition()).isPositive();
            assertRefusesWhatIsGone(store);
        }
    }

    private void assertRefusesWhatIsGone(StoreLogger store) throws IOException {
        long complete = complete();
        assertThat(complete).isPositive();
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(() -> store.changes(0))
                .withMessageContaining("position=0")
                .withMessageContaining("first=" + complete);
        for (long end : ends) {
            if (end < complete) {
                assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> store.changes(end));
            } else {
                store.changes(end).close();
            }
        }
    }

    /** A name that is new begins at the first change that is left, and misses none from there on. */
    @Test
    void shouldBeginBehindTheLastGap() throws IOException {
        try (StoreLogger store = written()) {
            store.compact(Long.MAX_VALUE / 2);
            long complete = complete();
            long expected = ends.stream().filter(end -> end > complete).count();
            assertThat(expected).isBetween(1L, COUNT - 1L);
            try (ChangeReader changes = store.changes("audit")) {
                long read = 0;
                while (changes.next()) {
                    read++;
                }
                assertThat(read).isEqualTo(expected);
            }
        }
    }

    /** It would never read that. */
    @Test
    void shouldNotHoldWhatLiesBeforeTheLastGap() throws IOException {
        try (StoreLogger store = written()) {
            store.compact(Long.MAX_VALUE / 2);
            try (ChangeReader changes = store.changes("audit")) {
                put(store, "stays", ""); // so that the first segment is empty
                store.compact(Long.MAX_VALUE / 2);
                assertThat(LogFiles.headers(storage).get(0).basePosition()).isPositive();
                assertThat(changes.next()).isTrue();
            }
        }
    }

    /** Another thread may close it while they are read. */
    @Test
    void shouldLeaveKeysAndValuesAsTheyAreWhenItIsClosed() {
        StoreConfig recording = StoreConfig.builder(config(WriteMode.MAPPED).log())
                .oldValues(OldValues.RECORD)
                .maxSpaceRatio(0)
                .build();
        try (StoreLogger store = StoreLogger.open(recording, storage, storage)) {
            put(store, "key", "old");
            put(store, "key", "new");
            ChangeReader changes = store.changes(ends.get(0));
            assertThat(changes.next()).isTrue();
            ByteBuffer key = changes.keyUntilNext();
            ByteBuffer value = changes.valueUntilNext();
            ByteBuffer oldValue = changes.oldValueUntilNext();
            changes.close();
            assertThat(Stream.of(key, value, oldValue).map(Texts::text)).containsExactly("key", "new", "old");
        }
    }

    private long complete() throws IOException {
        List<SegmentHeader> segments = LogFiles.headers(storage);
        long complete = segments.get(0).basePosition();
        for (SegmentHeader segment : segments) {
            complete = segment.isVacated() ? segment.endPosition() : complete;
        }
        return complete;
    }
}
