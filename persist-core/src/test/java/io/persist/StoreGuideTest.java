package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.GuideTest.Order;
import io.persist.GuideTest.OrderCodec;
import io.persist.error.RetiredException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.ChangeType;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreEntry;
import io.persist.store.StoreStatistics;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import io.persist.store.transaction.WriteBatch;
import io.persist.support.Await;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/store.md shows, run. {@link GuideSnippetsTest} compares the two texts, as those of {@link GuideTest}. */
@Timeout(60)
class StoreGuideTest {

    @TempDir
    Path directory;

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final ReentrantLock lock = new ReentrantLock();
    private final byte[] alice = "account/alice".getBytes(UTF_8);
    private final byte[] bob = "account/bob".getBytes(UTF_8);

    private LogConfig log() {
        return LogConfig.builder(directory).segmentLength(64 << 10).build();
    }

    private StoreLogger open() {
        return StoreLogger.open(StoreConfig.builder(log()).maxSpaceRatio(0).build());
    }

    private static byte[] amount(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private void put(StoreLogger store, byte[] key, long value) {
        try (Transaction transaction = store.begin()) {
            transaction.put(key, amount(value));
            transaction.commit();
        }
    }

    private static String text(ByteBuffer bytes) {
        return UTF_8.decode(bytes).toString();
    }

    @Test
    void shouldOpenAndCommit() {
        // snippet: store-open
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(1 << 20)
                .durability(Durability.FLUSHED)
                .build();
        StoreConfig config = StoreConfig.builder(log).build();
        StoreLogger store = StoreLogger.open(config);
        // end
        try (store) {
            // snippet: store-transaction
            try (Transaction transaction = store.begin()) {
                transaction.put(alice, amount(70));
                transaction.put(bob, amount(130));
                transaction.remove("order/17".getBytes(UTF_8));
                transaction.commit(Durability.SYNCED); // all three, or none of them
            } // without a commit: rolled back
            // end
            // snippet: store-transaction-range
            try (Transaction transaction = store.begin()) {
                transaction.removeRange(KeyRange.prefix("order/".getBytes(UTF_8)));
                transaction.put("order/count".getBytes(UTF_8), amount(0)); // put after it, so it stays
                StoreEntry first = transaction.ceilingEntry("order/".getBytes(UTF_8)); // order/count
                transaction.commit(); // the range is gone and the count is there, at one moment
                seen.add(first == null ? "none" : text(ByteBuffer.wrap(first.key())));
            }
            // end
            assertThat(seen).containsExactly("order/count");
            seen.clear();
            assertThat(store.remove("order/count".getBytes(UTF_8))).isTrue();
            // snippet: store-own-writes
            Transaction transaction = store.begin();
            transaction.put(alice, amount(60));
            ByteBuffer own = transaction.get(alice); // 60
            ByteBuffer committed = store.get(alice); // 70: nobody else sees it yet
            try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                while (scan.next()) {
                    seen.add(text(scan.key()) + ": " + scan.value().getLong()); // alice 60, bob 130
                }
            }
            transaction.rollback();
            // end
            assertThat(seen).containsExactly("account/alice: 60", "account/bob: 130");
            assertThat(own).isNotNull();
            assertThat(committed).isNotNull();
            assertThat(read(store, alice)).isEqualTo(70);
        }
        try (StoreLogger again = StoreLogger.open(config)) {
            assertThat(read(again, bob)).isEqualTo(130);
        }
    }

    // snippet: store-get
    long read(StoreReads store, byte[] account) { // a StoreLogger, a StoreSnapshot or a Transaction
        ByteBuffer value = store.get(account); // a copy: it stays what it is
        return value == null ? 0 : value.getLong(value.position());
    }
    // end

    // snippet: store-batch
    void putAll(StoreLogger store, Map<String, byte[]> values) {
        Transaction transaction = store.begin();
        try {
            for (Map.Entry<String, byte[]> entry : values.entrySet()) {
                byte[] key = entry.getKey().getBytes(UTF_8);
                if (!transaction.fits(key.length, entry.getValue().length)) { // or by bytes(), maxBytes() and changes()
                    transaction.commit();
                    transaction = store.begin();
                }
                transaction.put(key, entry.getValue());
            }
            transaction.commit();
        } finally {
            transaction.close(); // rolls back what an error has left open
        }
    }
    // end

    @Test
    void shouldCutABatch() {
        try (StoreLogger store = open()) {
            Map<String, byte[]> values = new LinkedHashMap<>();
            for (int i = 0; i < 5; i++) {
                values.put("batch/" + i, new byte[20_000]);
            }
            putAll(store, values);
            assertThat(store.size()).isEqualTo(5);
            assertThat(store.logStatistics().records()).isEqualTo(2);
        }
    }

    @Test
    void shouldWriteABatchThatAnotherThreadHasFilled() throws Exception {
        try (StoreLogger store = open()) {
            FutureTask<WriteBatch> filling = new FutureTask<>(() -> {
                // snippet: store-write-batch
                WriteBatch batch = new WriteBatch(store.maxBytes()); // of no thread and no store
                batch.put(alice, amount(70));
                batch.put(bob, amount(130));
                batch.remove("order/17".getBytes(UTF_8));
                // end
                return batch;
            });
            new Thread(filling).start();
            WriteBatch batch = filling.get();
            // snippet: store-write
            store.write(batch, Durability.SYNCED); // all three, or none of them, as one transaction
            batch.clear(); // keeps its memory
            // end
            assertThat(value(store.get(bob))).isEqualTo(130);
        }
    }

    @Test
    void shouldKeepTheOrderOfNumbersInKeys() {
        try (StoreLogger store = open()) {
            store.put(ByteBuffer.allocate(Long.BYTES).putLong(256).array(), amount(1));
            long number = 7;
            // snippet: store-number
            byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(number).array(); // negatives come last
            store.put(key, amount(5));
            try (StoreScan scan = store.scan(KeyRange.from(key), Direction.FORWARD)) {
                while (scan.next()) {
                    seen.add("number " + scan.key().order(ByteOrder.BIG_ENDIAN).getLong());
                }
            }
            // end
            assertThat(seen).containsExactly("number 7", "number 256");
        }
    }

    // snippet: store-lock
    boolean transfer(StoreLogger store, byte[] from, byte[] to, long amount) throws InterruptedException {
        long end;
        lock.lock(); // between the reading and the commit nobody else may change these accounts
        try (Transaction transaction = store.begin()) {
            transaction.put(from, amount(read(store, from) - amount));
            transaction.put(to, amount(read(store, to) + amount));
            end = transaction.commit(Durability.BUFFERED);
        } finally {
            lock.unlock();
        }
        return store.await(end, Durability.SYNCED, Duration.ofMinutes(1)); // outside of the lock: syncs are shared
    }
    // end

    @Test
    void shouldChangeSingleKeys() {
        try (StoreLogger store = open()) {
            // snippet: store-single
            store.put(alice, amount(100)); // with the durability of the configuration
            store.put(bob, amount(50), Durability.SYNCED);
            boolean wasThere = store.remove("order/17".getBytes(UTF_8));
            boolean isThere = store.contains(bob);
            boolean first = store.compareAndSet("leader".getBytes(UTF_8), null, "me".getBytes(UTF_8)); // null: no value
            ByteBuffer replaced = store.getAndPut(bob, amount(60)); // 50: what was there, null if nothing was
            ByteBuffer taken = store.getAndRemove(bob); // 60: of many threads one gets it
            // end
            assertThat(replaced).isEqualTo(ByteBuffer.wrap(amount(50)));
            assertThat(taken).isEqualTo(ByteBuffer.wrap(amount(60)));
            store.put(bob, amount(50));
            assertThat(wasThere).isFalse();
            assertThat(isThere && first).isTrue();
            // snippet: store-neighbours
            StoreEntry next = store.higherEntry(alice); // or lowerEntry, floorEntry, ceilingEntry
            StoreEntry last = store.lastEntry(); // or firstEntry
            if (next != null && last != null) {
                seen.add(text(ByteBuffer.wrap(next.key())) + ", " + text(ByteBuffer.wrap(last.key())));
            }
            // end
            assertThat(seen).containsExactly("account/bob, leader");
            put(store, "timer/08:00/a".getBytes(UTF_8), 1);
            put(store, "timer/08:30/b".getBytes(UTF_8), 2);
            put(store, "timer/09:30/c".getBytes(UTF_8), 3);
            workOff(store, "timer/09:00".getBytes(UTF_8), timer -> {
                store.put("timer/08:15/d".getBytes(UTF_8), amount(4)); // as another thread does
                return new String(timer, UTF_8).replace("timer", "ready").getBytes(UTF_8);
            });
            assertThat(store.contains("ready/08:30/b".getBytes(UTF_8))).isTrue();
            assertThat(store.contains("timer/08:30/b".getBytes(UTF_8))).isFalse();
            assertThat(store.contains("timer/09:30/c".getBytes(UTF_8))).isTrue();
            assertThat(store.contains("timer/08:15/d".getBytes(UTF_8))).isTrue();
            KeyRange timers = KeyRange.prefix("timer/".getBytes(UTF_8));
            assertThat(claim(store, timers, 1)).containsExactly("timer/08:15/d".getBytes(UTF_8));
            assertThat(claim(store, timers, 2)).containsExactly("timer/09:30/c".getBytes(UTF_8));
            // snippet: store-range
            boolean wasAny = store.removeRange(KeyRange.prefix("order/".getBytes(UTF_8)));
            // end
            assertThat(wasAny).isFalse();
            assertThat(withdraw(store, alice, bob, 151)).isFalse();
            assertThat(withdraw(store, alice, bob, 150)).isTrue();
            assertThat(read(store, alice)).isEqualTo(-50);
        }
    }

    private void workOff(StoreLogger store, byte[] now, UnaryOperator<byte[]> ready) {
        // snippet: store-work-off
        KeyRange due = KeyRange.prefix("timer/".getBytes(UTF_8)).intersection(KeyRange.below(now));
        try (Transaction transaction = store.begin();
                StoreScan scan = transaction.scan(due, Direction.FORWARD)) {
            while (scan.next()) {
                byte[] timer = scan.keyBytes();
                transaction.put(ready.apply(timer), scan.valueBytes());
                transaction.remove(timer); // each that was seen, and not removeRange(due)
            }
            transaction.commit();
        }
        // end
    }

    private static long number(@Nullable ByteBuffer value) {
        return value == null ? 0 : value.getLong();
    }

    // snippet: store-claim
    List<byte[]> claim(StoreLogger store, KeyRange due, int most) {
        while (true) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                List<byte[]> timers = new ArrayList<>();
                try (StoreScan scan = transaction.scan(due, Direction.FORWARD)) {
                    while (timers.size() < most && scan.next()) {
                        timers.add(scan.keyBytes());
                    }
                }
                timers.forEach(transaction::remove);
                if (transaction.tryCommit()) {
                    return timers; // no other thread has one of them, and there were none before them
                }
            }
        }
    }
    // end

    // snippet: store-optimistic
    boolean withdraw(StoreLogger store, byte[] from, byte[] to, long amount) {
        while (true) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                long balance = number(transaction.get(from)) + number(transaction.get(to)); // both count
                if (balance < amount) {
                    return false;
                }
                transaction.put(from, amount(number(transaction.get(from)) - amount));
                if (transaction.tryCommit(Durability.SYNCED)) {
                    return true; // nobody has changed either of them meanwhile
                }
            }
        }
    }
    // end

    @Test
    void shouldKeepThreadsApart() throws Exception {
        try (StoreLogger store = open()) {
            put(store, alice, 100);
            Callable<Boolean> work = () -> {
                boolean areSafe = true;
                for (int i = 0; i < 10; i++) {
                    areSafe &= transfer(store, alice, bob, 1);
                }
                return areSafe;
            };
            FutureTask<Boolean> other = new FutureTask<>(work);
            new Thread(other).start();
            assertThat(work.call() && other.get()).isTrue();
            assertThat(read(store, alice)).isEqualTo(80);
            assertThat(read(store, bob)).isEqualTo(20);
            assertThat(store.syncedPosition()).isEqualTo(store.position());
        }
    }

    @Test
    void shouldKeepObjects() {
        byte[] key = "order/7".getBytes(UTF_8);
        try (StoreLogger store = open()) {
            // snippet: store-objects
            OrderCodec codec = new OrderCodec();
            store.put(key, new Order(7, 100), codec);
            Order order = store.get(key, codec); // null if there is none
            // end
            assertThat(order).isEqualTo(new Order(7, 100));
            assertThat(store.get("order/8".getBytes(UTF_8), codec)).isNull();
        }
    }

    @Test
    void shouldScan() {
        try (StoreLogger store = open()) {
            put(store, alice, 70);
            put(store, bob, 130);
            put(store, "order/17".getBytes(UTF_8), 1);
            // snippet: store-scan
            KeyRange accounts = KeyRange.prefix("account/".getBytes(UTF_8));
            try (StoreScan scan = store.scan(accounts, Direction.FORWARD)) {
                while (scan.next()) {
                    seen.add(text(scan.key()) + ": " + scan.value().getLong());
                }
            }
            // end
            assertThat(seen).containsExactly("account/alice: 70", "account/bob: 130");
            // snippet: store-ranges
            List<KeyRange> ranges = List.of(
                    KeyRange.all(),
                    KeyRange.between(alice, bob), // alice is in it, bob is not
                    KeyRange.from(bob), // and all after bob
                    KeyRange.below(bob), // without bob
                    KeyRange.closed(alice, bob), // both are in it
                    KeyRange.after(alice), // all after alice
                    KeyRange.through(bob), // up to bob, and bob
                    KeyRange.prefix("order/".getBytes(UTF_8)),
                    KeyRange.prefix("account/".getBytes(UTF_8)).intersection(KeyRange.after(alice)));
            // end
            List<Integer> counts = new ArrayList<>();
            for (KeyRange range : ranges) {
                counts.add(count(store, range));
            }
            assertThat(counts).containsExactly(3, 1, 2, 1, 2, 2, 2, 1, 1);
            // snippet: store-scan-change
            try (StoreScan scan = store.scan(KeyRange.all(), Direction.BACKWARD)) {
                while (scan.next()) {
                    byte[] key = scan.keyBytes();
                    try (Transaction transaction = store.begin()) {
                        transaction.remove(key); // the scan goes on over the keys of its beginning
                        transaction.commit();
                    }
                }
            }
            // end
            assertThat(store.size()).isZero();
            assertThat(store.statistics().openSnapshots()).isZero();
        }
    }

    private static int count(StoreLogger store, KeyRange range) {
        int keys = 0;
        try (StoreScan scan = store.scan(range, Direction.FORWARD)) {
            while (scan.next()) {
                keys++;
            }
        }
        return keys;
    }

    @Test
    void shouldReadASnapshotInAnotherThread() throws InterruptedException {
        try (StoreLogger store = open()) {
            put(store, alice, 70);
            // snippet: store-snapshot
            StoreSnapshot snapshot = store.snapshot(); // bounded time, however large the store is
            Thread report = new Thread(() -> {
                try (snapshot;
                        StoreScan scan = snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
                    while (scan.next()) {
                        seen.add(text(scan.key()));
                    }
                }
            });
            report.start(); // commits go on, and are not in it
            // end
            put(store, bob, 1);
            report.join();
            assertThat(seen).containsExactly("account/alice");
        }
    }

    @Test
    void shouldCaptureChanges() throws InterruptedException {
        StoreConfig config =
                StoreConfig.builder(log()).oldValues(OldValues.RECORD).build();
        try (StoreLogger store = StoreLogger.open(config)) {
            put(store, alice, 70);
            long position = store.position();
            put(store, alice, 60);
            // snippet: store-changes
            try (ChangeReader changes = store.changes(position)) { // what a commit, or a snapshot, has told
                while (changes.next()) {
                    String what = text(changes.key());
                    if (changes.type() == ChangeType.PUT) {
                        what += " = " + changes.value().getLong();
                    }
                    ByteBuffer old = changes.oldValue(); // with oldValues(OldValues.RECORD)
                    seen.add(what + (old == null ? ", new" : ", was " + old.getLong()));
                }
            }
            // end
            assertThat(seen).containsExactly("account/alice = 60, was 70");
            seen.clear();
            // snippet: store-changes-named
            try (ChangeReader changes = store.changes("replica")) {
                while (changes.next()) {
                    apply(changes);
                    if (changes.endsTransaction()) {
                        changes.store(); // after a restart it goes on here; costs up to two syncs, so not each time
                    }
                }
            }
            // end
            assertThat(seen).containsExactly("PUT account/alice", "PUT account/alice");
            seen.clear();
            // snippet: store-changes-kept
            try (ChangeReader changes = store.changes(position)) {
                while (changes.next()) {
                    apply(changes);
                }
                if (store.await(changes.nextPosition(), Durability.SYNCED, Duration.ofMinutes(1))) {
                    seen.add("until " + changes.nextPosition()); // the consumer may keep this position now
                }
            }
            // end
            assertThat(seen).containsExactly("PUT account/alice", "until " + store.position());
            assertThat(store.syncedPosition()).isEqualTo(store.position());
        }
    }

    private void apply(ChangeReader changes) {
        seen.add(changes.type() + " " + text(changes.key()));
    }

    // snippet: store-changes-begin
    ChangeReader follow(StoreLogger store, long position) {
        try {
            return store.changes(position);
        } catch (RetiredException e) {
            try (StoreSnapshot snapshot = store.snapshot()) {
                copyAll(snapshot); // the state, in place of the changes that are gone
                return store.changes(snapshot.position()); // and what comes after it
            }
        }
    }
    // end

    @Test
    void shouldCaptureChangesElsewhere() {
        StoreConfig config = StoreConfig.builder(log()).build();
        try (StoreLogger store = StoreLogger.open(config)) {
            put(store, alice, 70);
            // snippet: store-changes-elsewhere
            try (ChangeReader changes = ChangeReader.open(directory, "replica")) { // of the log: no lock, no index
                while (changes.next()) {
                    apply(changes);
                    if (changes.endsTransaction()) {
                        changes.store(); // compaction in the writing process leaves what comes after
                    }
                }
            }
            // end
            assertThat(seen).containsExactly("PUT account/alice");
        }
    }

    private void copyAll(StoreSnapshot snapshot) {
        try (StoreScan scan = snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                seen.add("copied " + text(scan.key()));
            }
        }
    }

    @Test
    void shouldCheckpointCompactAndBeginAnew() {
        byte[] large = new byte[1000];
        try (StoreLogger store = open()) {
            for (int i = 0; i < 500; i++) {
                try (Transaction transaction = store.begin()) {
                    transaction.put(i % 2 == 0 ? alice : bob, large);
                    transaction.commit();
                }
            }
            // snippet: store-checkpoint
            long bytes = store.checkpoint(); // the next opening replays only what comes after
            // end
            assertThat(bytes).isPositive();
            // snippet: store-compact
            long given = store.compact(1L << 30); // copies about a GiB at most; returns bytes of segments given back
            // end
            assertThat(given).isGreaterThan(300_000);
            byte[] person = "account/carol".getBytes(UTF_8);
            put(store, person, 1);
            // snippet: erase
            store.remove(person, Durability.SYNCED);
            long position = store.rewrite(); // copies all live values
            StoreStatistics.Compaction left = store.statistics().compaction();
            if (left.waitingSegments() + left.damagedSegments() + left.unmovableSegments() == 0) {
                seen.add("nothing is left before position " + position);
            }
            // end
            assertThat(seen).containsExactly("nothing is left before position " + position);
            seen.clear();
            try (ChangeReader changes = follow(store, 0)) {
                assertThat(seen).containsExactly("copied account/alice", "copied account/bob");
                put(store, alice, 1);
                assertThat(changes.next()).isTrue();
                assertThat(text(changes.key())).isEqualTo("account/alice");
            }
            // snippet: store-statistics
            StoreStatistics statistics = store.statistics();
            seen.add(statistics.keys() + " keys, " + statistics.indexBytesPerKey() + " bytes of memory each");
            seen.add(statistics.spaceRatio() + " bytes on disk per byte that is needed");
            // end
            assertThat(statistics.keys()).isEqualTo(2);
            assertThat(statistics.compaction().vacatedSegments()).isPositive();
        }
        // snippet: store-recovery
        try (StoreLogger store = open()) {
            seen.add(store.recovery().describe()); // a line for the application's log
        }
        // end
        assertThat(seen).last().asString().contains("2 keys").contains("checkpoint checkpoint-");
    }

    @Test
    void shouldShowAView() {
        StoreConfig config = StoreConfig.builder(log()).build();
        try (StoreLogger store = StoreLogger.open(config)) {
            put(store, alice, 70);
            // snippet: store-view
            try (StoreView view = StoreView.open(config)) { // the same directories
                ByteBuffer value = view.snapshot().get(alice);
                seen.add(view.snapshot().size() + " keys, alice has one: " + (value != null));
            }
            // end
            assertThat(seen).containsExactly("1 keys, alice has one: true");
        }
    }

    @Test
    void shouldCatchUpWithAView() {
        StoreConfig config = StoreConfig.builder(log()).build();
        try (StoreLogger store = StoreLogger.open(config);
                StoreView view = StoreView.open(config)) {
            put(store, alice, 70);
            // snippet: store-view-catch-up
            if (view.catchUp()) { // as often as it is to be fresh
                seen.add(view.snapshot().size() + " keys after "
                        + view.snapshot().position() + " bytes of the log");
            }
            // end
            assertThat(seen).hasSize(1).first().asString().startsWith("1 keys after ");
            assertThat(view.catchUp()).isFalse();
        }
    }

    @Test
    void shouldCommitDetached() {
        // snippet: store-async
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(1 << 20)
                .syncInterval(Duration.ofMillis(10)) // what a power cut takes: some 10 ms
                .build();
        StoreConfig config = StoreConfig.builder(log).build();
        // end
        // snippet: store-detached
        StoreLogger store = StoreLogger.open(
                config, DetachedConfig.builder().queueDepth(4096).build());
        // end
        try (store) {
            put(store, alice, 70);
            assertThat(value(store.get(alice))).isEqualTo(70);
        }
    }

    @Test
    void shouldCommitWithin() {
        try (StoreLogger store = open()) {
            // snippet: store-within
            long end;
            try (Transaction transaction = store.begin()) {
                transaction.put(alice, amount(70));
                end = transaction.commitWithin(Duration.ofMillis(5)); // on the device in at most 5 ms; returns at once
            }
            boolean isSafe = store.syncedPosition() >= end; // to be asked again later, or be told by listen
            // end
            Await.until("it is synced", () -> store.syncedPosition() >= end);
            seen.add("safe at once: " + isSafe);
        }
    }

    @Test
    void shouldTuneWhileItRuns() {
        try (StoreLogger store = open()) {
            // snippet: store-tune
            store.tune(store.tuning()
                    .withCheckpointMinLogBytes(64 << 20)
                    .withCheckpointBytesPerSecond(16 << 20)
                    .withSyncInterval(Duration.ofMillis(10)));
            // end
            assertThat(store.tuning().checkpointBytesPerSecond()).isEqualTo(16 << 20);
        }
    }

    private static long value(@Nullable ByteBuffer value) {
        return Objects.requireNonNull(value).getLong(value.position());
    }
}
