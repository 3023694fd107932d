package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.store.StoreContent;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.StoreThreadsTest.Kind;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that change what they have read, without a lock of their own. Each wish that came true did so as if they had
 * come true one after the other: no update is lost, and no two of them rely on what the other one changes.
 */
class OptimisticThreadsTest {

    private static final int ROUNDS = 400;
    private static final int COUNTS = 5000;
    private static final int ACCOUNTS = 4;
    private static final long AMOUNT = 100;

    /** So many gets that a commit looks at them in steps, between which others commit. */
    private static final int MANY = 100;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final RandomThreads threads = new RandomThreads();

    private static byte[] key(String name, int number) {
        return Texts.bytes(name + "-" + number);
    }

    private static byte[] value(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, number).array();
    }

    private static long number(byte @Nullable [] value) {
        return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }

    /** The sum stays, also for those who only read; no account is overdrawn though two together pay for it. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldKeepTheSumOfTransfers(Kind kind) {
        Seeds.run(1, seed -> {
            try (StoreLogger store = kind.open(directory)) {
                for (int i = 0; i < ACCOUNTS; i++) {
                    store.put(key("account", i), value(AMOUNT));
                }
                AtomicInteger refused = new AtomicInteger();
                threads.run(seed, (number, random) -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        while (!(random.nextInt(4) == 0 ? audit(store, random) : transfer(store, random))) {
                            refused.incrementAndGet();
                        }
                    }
                });
                long sum = 0;
                for (int i = 0; i < ACCOUNTS; i++) {
                    sum += number(StoreContent.bytes(store.get(key("account", i))));
                }
                assertThat(sum).as("after %s refusals", refused).isEqualTo(ACCOUNTS * AMOUNT);
            }
        });
    }

    /** Each value is taken once, by the thread that replaces or removes it: none is lost, and none is taken twice. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldTakeEachValueOnce(Kind kind) {
        Seeds.run(1, seed -> {
            try (StoreLogger store = kind.open(directory)) {
                byte[] key = key("taken", 0);
                AtomicLong numbers = new AtomicLong();
                Set<Long> taken = ConcurrentHashMap.newKeySet();
                threads.run(seed, (number, random) -> {
                    for (int i = 0; i < COUNTS; i++) {
                        ByteBuffer before = random.nextInt(3) == 0
                                ? store.getAndRemove(key)
                                : store.getAndPut(key, value(numbers.incrementAndGet()));
                        if (before != null) {
                            assertThat(taken.add(number(StoreContent.bytes(before))))
                                    .isTrue();
                        }
                    }
                });
                ByteBuffer last = store.getAndRemove(key);
                assertThat(taken.size() + (last == null ? 0 : 1)).isEqualTo((int) numbers.get());
            }
        });
    }

    /** Half of the time more is read that nobody changes. */
    private static void readMore(OptimisticTransaction transaction, Random random) {
        for (int i = random.nextInt(2) * MANY; i > 0; i--) {
            assertThat(transaction.contains(key("no account", i))).isFalse();
        }
    }

    private static boolean transfer(StoreLogger store, Random random) {
        byte[] from = key("account", random.nextInt(ACCOUNTS));
        byte[] to = key("account", random.nextInt(ACCOUNTS));
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            readMore(transaction, random);
            long amount = Math.min(random.nextInt(50), number(transaction.getBytes(from)));
            transaction.put(from, value(number(transaction.getBytes(from)) - amount));
            Thread.yield();
            transaction.put(to, value(number(transaction.getBytes(to)) + amount));
            return transaction.tryCommit();
        }
    }

    private static boolean audit(StoreLogger store, Random random) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            readMore(transaction, random);
            long sum = 0;
            for (int i = 0; i < ACCOUNTS; i++) {
                sum += number(transaction.getBytes(key("account", i)));
                Thread.yield();
            }
            boolean belongsTogether = transaction.tryCommit();
            if (belongsTogether && sum != ACCOUNTS * AMOUNT) {
                throw new AssertionError("the sum was " + sum);
            }
            return belongsTogether;
        }
    }

    /** On call: of two at most one may leave, which each decides by what the other one does. That is a write skew. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldNotLetBothLeaveOnWhatTheOtherDoes(Kind kind) {
        Seeds.run(1, seed -> {
            try (StoreLogger store = kind.open(directory)) {
                threads.run(seed, (number, random) -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        int pair = random.nextInt(3);
                        int one = random.nextInt(2);
                        try (OptimisticTransaction transaction = store.beginOptimistic()) {
                            boolean otherIsAway = transaction.get(key("away-" + pair, 1 - one)) != null;
                            Thread.yield();
                            if (otherIsAway || random.nextInt(3) == 0) {
                                transaction.remove(key("away-" + pair, one));
                            } else {
                                transaction.put(key("away-" + pair, one), value(1));
                            }
                            transaction.tryCommit();
                        }
                        try (StoreSnapshot snapshot = store.snapshot()) {
                            if (snapshot.contains(key("away-" + pair, 0))
                                    && snapshot.contains(key("away-" + pair, 1))) {
                                throw new AssertionError("both are away");
                            }
                        }
                    }
                });
            }
        });
    }

    /** A counter by compare-and-set counts each success once. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldCountEachCompareAndSetOnce(Kind kind) {
        byte[] key = Texts.bytes("counter");
        Seeds.run(1, seed -> {
            try (StoreLogger store = kind.open(directory)) {
                long before = number(StoreContent.bytes(store.get(key)));
                AtomicLong successes = new AtomicLong();
                threads.run(seed, (number, random) -> {
                    for (int i = 0; i < COUNTS; i++) {
                        byte[] seen = StoreContent.bytes(store.get(key));
                        if (store.compareAndSet(key, seen, value(number(seen) + 1))) {
                            successes.incrementAndGet();
                        }
                    }
                });
                long count = number(StoreContent.bytes(store.get(key))) - before;
                assertThat(count).isEqualTo(successes.get()).isPositive();
            }
        });
    }
}
