package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreEntry;
import io.persist.store.Texts;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.StoreThreadsTest.Kind;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that change what they have found by scans, while compaction moves values. Each wish that came true did so as
 * if they had come true one after the other, also where they rely on what there is not.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class OptimisticScanThreadsTest {

    private static final int ROUNDS = 300;
    private static final int LIMIT = 3;
    private static final int TIMERS = 800;

    /** A commit looks at a scan of so many without the lock. */
    private static final int MANY = 2 * ReadSet.MOST_UNDER_LOCK;

    private static final int ACCOUNTS = 6;
    private static final long AMOUNT = 100;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final RandomThreads threads = new RandomThreads();

    private static KeyRange prefix(String prefix) {
        return KeyRange.prefix(Texts.bytes(prefix));
    }

    private static List<byte[]> keys(StoreReads reads, KeyRange range, int most) {
        List<byte[]> keys = new ArrayList<>();
        try (StoreScan scan = reads.scan(range, Direction.FORWARD)) {
            while (keys.size() < most && scan.next()) {
                keys.add(scan.keyBytes());
            }
        }
        return keys;
    }

    /** Two that count and then put must not both do so: a key that has come in the range is a conflict. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldKeepTheLimitOfARange(Kind kind) {
        Seeds.run(1, seed -> {
            try (StoreLogger store = kind.open(directory)) {
                threads.run(seed, (thread, random) -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        try (OptimisticTransaction transaction = store.beginOptimistic()) {
                            List<byte[]> slots = keys(transaction, prefix("slot/"), Integer.MAX_VALUE);
                            Thread.yield();
                            if (slots.size() < LIMIT) {
                                transaction.put(Texts.bytes("slot/" + random.nextInt(1000)), new byte[300]);
                            } else {
                                transaction.remove(slots.get(random.nextInt(slots.size())));
                            }
                            transaction.tryCommit();
                        }
                        try (StoreSnapshot snapshot = store.snapshot()) {
                            if (keys(snapshot, prefix("slot/"), Integer.MAX_VALUE)
                                            .size()
                                    > LIMIT) {
                                throw new AssertionError("more than " + LIMIT);
                            }
                        }
                    }
                });
            }
        });
    }

    private static byte[] timer(int due, int number) {
        return Texts.bytes("timer/" + (10_000 + due) + "/" + number);
    }

    /** A workflow engine: whoever finds due timers claims the first ones; each is claimed once, and none is missed. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldClaimEachDueTimerOnce(Kind kind) {
        Seeds.run(1, seed -> {
            Set<String> claimed = ConcurrentHashMap.newKeySet();
            AtomicInteger now = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            try (StoreLogger store = kind.open(directory)) {
                store.removeRange(KeyRange.all());
                threads.run(seed, (thread, random) -> {
                    if (thread == 0) {
                        for (int i = 0; i < TIMERS; i++) {
                            store.put(timer(now.get() + random.nextInt(20), i), new byte[random.nextInt(300)]);
                            now.addAndGet(random.nextInt(2));
                        }
                        now.set(5_000);
                    }
                    while (claimed.size() < TIMERS && !threads.hasFailed()) {
                        KeyRange due = prefix("timer/").intersection(KeyRange.below(timer(now.get(), 0)));
                        try (OptimisticTransaction transaction = store.beginOptimistic()) {
                            List<byte[]> first = keys(transaction, due, 1 + random.nextInt(4));
                            first.forEach(transaction::remove);
                            Thread.yield();
                            if (!transaction.tryCommit()) {
                                refused.incrementAndGet();
                            } else {
                                first.forEach(key ->
                                        assertThat(claimed.add(new String(key))).isTrue());
                            }
                        }
                    }
                });
                assertThat(claimed).as("after %s refusals", refused).hasSize(TIMERS);
                assertThat(store.size()).isZero();
            }
        });
    }

    private static byte[] amount(long amount) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, amount).array();
    }

    private static long amount(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    private static long sum(StoreReads reads, String prefix) {
        long sum = 0;
        try (StoreScan scan = reads.scan(prefix(prefix), Direction.BACKWARD)) {
            while (scan.next()) {
                sum += amount(scan.valueBytes());
            }
        }
        return sum;
    }

    /** Of two halves, which are of two moments until the commit says that they are not; few keys, or very many. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldKeepTheSumOfAccountsThatComeAndGo(Kind kind) {
        Seeds.run(2, seed -> {
            try (StoreLogger store = kind.open(directory)) {
                store.removeRange(KeyRange.all());
                for (int i = 0; i < ACCOUNTS; i++) {
                    store.put(Texts.bytes((i % 2 == 0 ? "a/" : "b/") + i), amount(AMOUNT));
                }
                fill(store, seed % 2 == 0 ? MANY : 0);
                AtomicInteger audits = new AtomicInteger();
                AtomicInteger transfers = new AtomicInteger();
                threads.run(seed, (thread, random) -> {
                    while (transfers.get() < ROUNDS && !threads.hasFailed()) {
                        if (thread == 0) {
                            audits.addAndGet(audit(store) ? 1 : 0);
                        } else {
                            transfers.addAndGet(transfer(store, random) ? 1 : 0);
                        }
                    }
                });
                assertThat(audit(store)).as("%s audits before", audits).isTrue();
            }
        });
    }

    private static void fill(StoreLogger store, int count) {
        for (int i = 0; i < count; i++) {
            store.put(Texts.bytes("a/filler/" + i), amount(0));
        }
    }

    private static boolean audit(StoreLogger store) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            long sum = sum(transaction, "b/");
            Thread.yield();
            sum += sum(transaction, "a/");
            boolean belongsTogether = transaction.tryCommit();
            if (belongsTogether && sum != ACCOUNTS * AMOUNT) {
                throw new AssertionError("the sum was " + sum);
            }
            return belongsTogether;
        }
    }

    /** All of an account goes to a new one of the other half. */
    private static boolean transfer(StoreLogger store, Random random) {
        boolean isFromA = random.nextBoolean();
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            StoreEntry from = transaction.floorEntry(Texts.bytes((isFromA ? "a/" : "b/") + random.nextInt(10)));
            if (from == null || from.key()[0] != (isFromA ? 'a' : 'b')) {
                return false;
            }
            byte[] to = Texts.bytes((isFromA ? "b/" : "a/") + random.nextInt(10));
            byte[] there = transaction.getBytes(to);
            transaction.remove(from.key());
            transaction.put(to, amount(amount(from.value()) + (there == null ? 0 : amount(there))));
            return transaction.tryCommit();
        }
    }
}
