package io.persist.store.engine;

import static io.persist.store.Texts.bytes;
import static io.persist.store.Texts.get;
import static io.persist.store.Texts.put;
import static io.persist.store.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.error.RetiredException;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.Buffers;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.agrona.DirectBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a caller does wrong is refused with a message that says what, and harms nothing. */
class StoreBadInputTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreLogger store = Texts.open(storage);

    @AfterEach
    void close() {
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private static void refusedAsArgument(String message, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(message);
    }

    private static void refusedInState(String message, List<ThrowingCallable> calls) {
        for (ThrowingCallable call : calls) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining(message);
        }
    }

    @Test
    void shouldRefuseWhatIsNoKeyAndKeepTheTransaction() {
        Transaction transaction = store.begin();
        transaction.put(bytes("a"), bytes("one"));
        for (byte[] key : List.of(new byte[0], new byte[1025])) {
            String length = "length=" + key.length;
            DirectBuffer buffer = Buffers.direct(key);
            refusedAsArgument("key." + length, () -> transaction.put(key, bytes("x")));
            refusedAsArgument("key." + length, () -> transaction.put(key, ByteBuffer.allocate(1)));
            refusedAsArgument("key." + length, () -> transaction.put(buffer, 0, key.length, buffer, 0, 0));
            refusedAsArgument("key." + length, () -> transaction.put(key, 7, (number, output) -> output.write(number)));
            refusedAsArgument("key." + length, () -> transaction.remove(key));
            refusedAsArgument("key." + length, () -> transaction.remove(buffer, 0, key.length));
            refusedAsArgument(length, () -> transaction.get(key));
            refusedAsArgument(length, () -> store.get(key));
            refusedAsArgument(length, () -> store.get(buffer, 0, key.length));
            refusedAsArgument(length, () -> store.get(key, ByteBuffer::getInt));
            try (StoreSnapshot snapshot = store.snapshot()) {
                refusedAsArgument(length, () -> snapshot.get(key));
            }
        }
        transaction.put(new byte[1024], bytes("two"));
        transaction.commit();
        assertThat(get(store, "a")).isEqualTo("one");
        assertThat(text(store.get(new byte[1024]))).isEqualTo("two");
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void shouldRefuseRangesThatAreNotThere() {
        Transaction transaction = store.begin();
        transaction.put(bytes("a"), bytes("x".repeat(900)));
        DirectBuffer buffer = Buffers.direct(new byte[8]);
        List<ThrowingCallable> calls = List.of(
                () -> transaction.put(bytes("b"), new byte[8], 0, 9),
                () -> transaction.put(bytes("b"), new byte[8], 4, -800),
                () -> transaction.put(bytes("b"), new byte[8], -1, 4),
                () -> transaction.put(buffer, 0, 9, buffer, 0, 8),
                () -> transaction.put(buffer, 0, 8, buffer, 4, 5),
                () -> transaction.put(buffer, 0, 8, buffer, 4, -800),
                () -> transaction.remove(buffer, 7, 2));
        for (ThrowingCallable call : calls) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call);
        }
        transaction.commit();
        assertThat(Texts.state(store)).hasSize(1).containsEntry("a", "x".repeat(900));
    }

    @Test
    void shouldRefuseWhatDoesNotFitASegmentAndKeepTheRest() {
        Transaction transaction = store.begin();
        refusedAsArgument("value.length=4096", () -> transaction.put(bytes("k"), new byte[4096]));
        refusedAsArgument("value.length=4096", () -> transaction.put(bytes("k"), ByteBuffer.allocate(4096)));
        for (int i = 0; i < 3; i++) {
            transaction.put(bytes("key-" + i), bytes("v".repeat(1000)));
        }
        refusedAsArgument("commit more often, or use larger segments", () -> {
            transaction.put(bytes("key-3"), bytes("w".repeat(1000)));
        });
        refusedAsArgument("value.length=1000", () -> transaction.put(bytes("key-0"), bytes("w".repeat(1000))));
        assertThat(text(transaction.get(bytes("key-0")))).isEqualTo("v".repeat(1000));
        assertThat(transaction.get(bytes("key-3"))).isNull();
        transaction.put(bytes("key-1"), bytes("still fits"));
        transaction.commit();
        assertThat(Texts.state(store)).hasSize(3).containsEntry("key-1", "still fits");
    }

    @Test
    void shouldTakeAnEmptyValueForAValue() {
        Transaction transaction = store.begin();
        transaction.put(bytes("k"), new byte[0]);
        assertThat(text(transaction.get(bytes("k")))).isEmpty();
        transaction.commit();
        assertThat(get(store, "k")).isEmpty();
        assertThat(get(store, "other")).isNull();
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void shouldRefuseChangesOutsideOfATransaction() {
        Transaction transaction = store.begin();
        assertThat(transaction.isOpen()).isTrue();
        refusedInState("commit or roll it back first", List.of(store::begin));
        transaction.rollback();
        List<ThrowingCallable> calls = List.of(
                transaction::commit,
                () -> transaction.commit(Durability.SYNCED),
                transaction::rollback,
                () -> transaction.put(bytes("k"), bytes("v")),
                () -> transaction.put(bytes("k"), ByteBuffer.allocate(3)),
                () -> transaction.put(bytes("k"), 7, (number, output) -> output.write(number)),
                () -> transaction.remove(bytes("k")),
                () -> transaction.get(bytes("k")));
        refusedInState("this transaction has ended", calls);
        assertThat(transaction.isOpen()).isFalse();
        store.begin().commit();
        refusedInState("this transaction has ended", calls);
        transaction.close();
        assertThat(store.size()).isZero();
    }

    @Test
    void shouldRefuseEverythingOnceItIsClosed() {
        put(store, "a", "one");
        Transaction transaction = store.begin();
        transaction.put(bytes("b"), bytes("two"));
        store.close();
        refusedInState(
                "store is closed",
                List.of(
                        store::begin,
                        () -> transaction.put(bytes("c"), bytes("three")),
                        () -> transaction.remove(bytes("c")),
                        () -> transaction.get(bytes("b")),
                        transaction::commit,
                        () -> store.get(bytes("a")),
                        () -> store.get(Buffers.direct(bytes("a")), 0, 1),
                        () -> store.get(bytes("a"), ByteBuffer::getInt),
                        store::size,
                        store::snapshot,
                        () -> store.scan(KeyRange.all(), Direction.FORWARD),
                        () -> store.changes(0),
                        () -> store.changes("reader"),
                        store::flush,
                        store::sync,
                        store::position,
                        () -> store.await(1, Durability.SYNCED, Duration.ofSeconds(1)),
                        () -> store.reached(1, Durability.SYNCED),
                        store::checkpoint,
                        () -> store.compact(1),
                        store::statistics));
        refusedInState("logger is closed", List.of(store::tailer));
        transaction.rollback();
        store.close();
        try (StoreLogger again = Texts.open(storage)) {
            assertThat(Texts.state(again)).hasSize(1).containsEntry("a", "one");
        }
    }

    @Test
    void shouldKeepNoSnapshotForAScanWithoutARangeOrDirection() {
        Transaction transaction = store.begin();
        List<ThrowingCallable> calls = List.of(
                () -> store.scan(null, Direction.FORWARD),
                () -> store.scan(KeyRange.all(), null),
                () -> transaction.scan(null, Direction.FORWARD),
                () -> transaction.scan(KeyRange.all(), null));
        for (ThrowingCallable call : calls) {
            assertThatExceptionOfType(NullPointerException.class).isThrownBy(call);
        }
        assertThat(store.statistics().openSnapshots()).isZero();
    }

    @Test
    void shouldRefuseWhatIsClosedItself() {
        put(store, "a", "one");
        StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD);
        refusedInState("call next first", List.of(scan::key, scan::value));
        assertThat(scan.next()).isTrue();
        assertThat(text(scan.value())).isEqualTo("one");
        scan.close();
        scan.close();
        refusedInState("scan is closed", List.of(scan::next, scan::key, scan::value));
        StoreSnapshot snapshot = store.snapshot();
        StoreScan within = snapshot.scan(KeyRange.all(), Direction.FORWARD);
        snapshot.close();
        snapshot.close();
        refusedInState(
                "snapshot is closed",
                List.of(
                        () -> snapshot.get(bytes("a")),
                        () -> snapshot.scan(KeyRange.all(), Direction.FORWARD),
                        snapshot::size,
                        within::next));
        assertThat(snapshot.position()).isEqualTo(store.position());
        within.close();
        ChangeReader changes = store.changes(0);
        refusedInState("call next first", List.of(changes::key, changes::value, changes::type, changes::oldValue));
        assertThat(changes.next()).isTrue();
        changes.close();
        changes.close();
        refusedInState(
                "change reader is closed",
                List.of(
                        changes::next,
                        changes::key,
                        changes::value,
                        changes::oldValue,
                        changes::type,
                        changes::store,
                        changes::endsTransaction));
        assertThat(store.statistics().openSnapshots()).isZero();
    }

    /** Who forgets to close them has them ended with the store; what they had mapped goes when they are closed. */
    @Test
    void shouldEndWhatIsOpenWhenItIsClosed() {
        put(store, "a", "one");
        put(store, "b", "two");
        StoreScan untouched = store.scan(KeyRange.all(), Direction.FORWARD);
        StoreSnapshot snapshot = store.snapshot();
        StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD);
        assertThat(scan.next()).isTrue();
        assertThat(text(scan.value())).isEqualTo("one");
        ChangeReader changes = store.changes(0);
        store.close();
        refusedInState(
                "snapshot is closed, or its store is",
                List.of(
                        scan::next,
                        scan::key,
                        scan::value,
                        untouched::next,
                        snapshot::size,
                        () -> snapshot.get(bytes("a"))));
        scan.close();
        changes.close();
        assertThat(storage.openHandles()).as("of a scan that had read nothing").isZero();
        untouched.close();
        snapshot.close();
        assertThat(storage.openHandles()).isZero();
    }

    /** The changes can still be read, but old values are the store's. */
    @Test
    void shouldNotMapAnythingForAChangeReaderThatOutlivesIt() {
        CrashableStorage own = new CrashableStorage();
        StoreConfig config = StoreConfig.builder(Texts.config().log())
                .oldValues(OldValues.RECORD)
                .build();
        ChangeReader changes;
        try (StoreLogger recording = StoreLogger.open(config, own, own)) {
            put(recording, "a", "one");
            put(recording, "a", "two");
            changes = recording.changes(0);
        }
        assertThat(changes.next() && changes.next()).isTrue();
        assertThat(text(changes.value())).isEqualTo("two");
        refusedInState("closed", List.of(changes::oldValue));
        changes.close();
        assertThat(own.openHandles()).isZero();
    }

    /** Also when nothing in the log shows any more that there was something before its first segment. */
    @Test
    void shouldRefuseChangesThatCompactionHasTakenAway() {
        Texts.fill(store, 5, 300);
        store.compact(1 << 20);
        assertThat(storage.list()).doesNotContain("00000000000000000000.log");
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(() -> store.changes(0))
                .withMessageContaining("read the store's state by a snapshot, and the changes from its position on");
        try (ChangeReader changes = store.changes(store.position())) {
            put(store, "a", "one");
            assertThat(changes.next()).isTrue();
            assertThat(text(changes.key())).isEqualTo("a");
        }
    }

    @Test
    void shouldRefuseChangesFromWhereNoTransactionEnds() {
        long end = put(store, "a", "one");
        for (long position : new long[] {-1, end - 8, end + 8, Long.MAX_VALUE}) {
            refusedAsArgument("position=" + position, () -> store.changes(position));
        }
        assertThat(store.statistics().keys()).isEqualTo(1);
    }

    /** The position of a consumer that has more than a store after a power cut, or one that was restored. */
    @Test
    void shouldSayThatTheLogHasGoneBackBeforeAPosition() {
        long end = put(store, "a", "one");
        refusedAsArgument(
                "position is beyond the end of the log: position=" + (end + 8) + ", end=" + end,
                () -> store.changes(end + 8));
        refusedAsArgument("no transaction ends here: position=" + (end - 8), () -> store.changes(end - 8));
    }

    @Test
    void shouldSayWhichReaderLacksAName() {
        put(store, "a", "one");
        try (ChangeReader changes = store.changes(0)) {
            assertThat(changes.next()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(changes::store)
                    .withMessage("this reader has no name; open it with one to store its position");
        }
    }
}
