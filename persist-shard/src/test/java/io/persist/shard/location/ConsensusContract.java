package io.persist.shard.location;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every consensus has to do: an implementation has a test that extends this one. */
public abstract class ConsensusContract {

    private static final Runnable WANTED = () -> {};

    /** A handle of the place of this test. */
    protected abstract Consensus open() throws IOException;

    /** Whether what is there stays when all handles are closed. */
    protected abstract boolean survives();

    private static Version version(long number, String text) {
        return new Version(number, text.getBytes(UTF_8));
    }

    private static List<String> texts(List<Version> versions) {
        return versions.stream().map(ConsensusContract::text).toList();
    }

    private static String text(Version version) {
        return version == null ? "none" : version.number() + new String(version.data(), UTF_8);
    }

    @Test
    void shouldBeEmptyAtFirst() throws IOException {
        try (Consensus consensus = open()) {
            assertThat(consensus.head("k")).isNull();
            assertThat(consensus.scan("k", 0, 10)).isEmpty();
            assertThat(consensus.keys()).isEmpty();
            assertThatThrownBy(() -> consensus.truncate("k", 0)).isInstanceOf(IllegalArgumentException.class);
            assertThat(consensus.compareAndSet("k", 5, version(6, "x"))).isFalse();
            assertThat(consensus.head("k")).isNull();
        }
    }

    /**
     * Asks {@code consensus} for keys without a version in each way there is, and looks that nothing is kept of them.
     *
     * @param field of the map in which it has what it knows of keys
     */
    static void assertKeepsNothingOfKeysThatHaveNoVersion(Consensus consensus, String field) throws Exception {
        consensus.compareAndSet("k", Consensus.NONE, version(0, "a"));
        for (int i = 0; i < 10; i++) {
            String key = "no" + i;
            assertThat(consensus.head(key)).isNull();
            assertThat(consensus.scan(key, 0, 10)).isEmpty();
            assertThat(consensus.scan(key, -1, 10)).isEmpty();
            assertThat(consensus.compareAndSet(key, 5, version(6, "x"))).isFalse();
            assertThatThrownBy(() -> consensus.truncate(key, 0)).isInstanceOf(IllegalArgumentException.class);
            consensus.awaitChange(key, Consensus.NONE, Duration.ZERO, WANTED);
        }
        Field known = consensus.getClass().getDeclaredField(field);
        known.setAccessible(true);
        assertThat((Map<?, ?>) known.get(consensus)).hasSize(1);
    }

    @Test
    void shouldSetByComparison() throws IOException {
        try (Consensus one = open();
                Consensus two = open()) {
            assertThat(one.compareAndSet("k", Consensus.NONE, version(5, "a"))).isTrue();
            assertThat(text(two.head("k"))).isEqualTo("5a");
            assertThat(texts(two.scan("k", 0, 10))).containsExactly("5a");
            assertThat(texts(two.scan("k", 5, 10))).containsExactly("5a");
            assertThat(two.scan("k", 6, 10)).isEmpty();
            assertThat(two.compareAndSet("k", Consensus.NONE, version(6, "b"))).isFalse();
            assertThat(two.compareAndSet("k", 7, version(8, "b"))).isFalse();
            assertThat(two.compareAndSet("k", 3, version(6, "b"))).isFalse();
            assertThat(text(one.head("k"))).isEqualTo("5a");
            assertThat(two.compareAndSet("k", 5, version(10, "b"))).isTrue();
            assertThat(texts(one.scan("k", 0, 10))).containsExactly("5a", "10b");
            assertThat(texts(one.scan("k", 0, 1))).containsExactly("5a");
            assertThat(texts(one.scan("k", 6, 10))).containsExactly("10b");
        }
    }

    @Test
    void shouldRefuseWhatDoesNotGrow() throws IOException {
        try (Consensus consensus = open()) {
            consensus.compareAndSet("k", Consensus.NONE, version(5, "a"));
            for (long number : new long[] {0, 4, 5}) {
                assertThatThrownBy(() -> consensus.compareAndSet("k", 5, version(number, "b")))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> version(-1, "b")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> consensus.compareAndSet("k", -2, version(1, "b")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> consensus.compareAndSet("no key", Consensus.NONE, version(1, "b")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(consensus.compareAndSet("k", 5, version(Long.MAX_VALUE, "last")))
                    .isTrue();
            assertThat(text(consensus.head("k"))).isEqualTo(Long.MAX_VALUE + "last");
        }
    }

    @Test
    void shouldTruncate() throws IOException {
        try (Consensus one = open();
                Consensus two = open()) {
            one.compareAndSet("k", Consensus.NONE, version(5, "a"));
            assertThat(one.truncate("k", 0)).isZero();
            assertThat(one.truncate("k", 5)).isZero();
            assertThatThrownBy(() -> one.truncate("k", 6)).isInstanceOf(IllegalArgumentException.class);
            one.compareAndSet("k", 5, version(6, "b"));
            one.compareAndSet("k", 6, version(7, "c"));
            assertThat(two.truncate("k", 7)).isEqualTo(2);
            assertThat(texts(one.scan("k", 0, 10))).containsExactly("7c");
            assertThat(text(one.head("k"))).isEqualTo("7c");
            assertThat(one.truncate("k", 7)).isZero();
            for (long number : new long[] {-1, Long.MIN_VALUE}) {
                assertThat(one.truncate("k", number)).isZero();
            }
            assertThat(texts(one.scan("k", 0, 10))).containsExactly("7c");
        }
    }

    @Test
    void shouldKeepKeysApart() throws IOException {
        try (Consensus consensus = open()) {
            consensus.compareAndSet("k", Consensus.NONE, version(1, "a"));
            consensus.compareAndSet("k1", Consensus.NONE, version(7, "b"));
            consensus.compareAndSet("K", Consensus.NONE, version(9, "c"));
            assertThat(consensus.keys()).containsExactlyInAnyOrder("k", "k1", "K");
            assertThat(consensus.truncate("k1", 7)).isZero();
            assertThat(texts(consensus.scan("k", 0, 10))).containsExactly("1a");
            assertThat(texts(consensus.scan("K", 0, 10))).containsExactly("9c");
        }
    }

    @Test
    void shouldHaveItStillWhenOpenedAgain() throws IOException {
        try (Consensus consensus = open()) {
            for (int i = 0; i < 10; i++) {
                consensus.compareAndSet("k", i - 1, version(i, "a"));
            }
            consensus.compareAndSet("other", Consensus.NONE, version(3, "b"));
            consensus.truncate("k", 8);
        }
        try (Consensus consensus = open()) {
            if (survives()) {
                assertThat(texts(consensus.scan("k", 0, 10))).containsExactly("8a", "9a");
                assertThat(text(consensus.head("k"))).isEqualTo("9a");
                assertThat(text(consensus.head("other"))).isEqualTo("3b");
                assertThat(consensus.compareAndSet("k", 8, version(10, "x"))).isFalse();
                assertThat(consensus.compareAndSet("k", 9, version(10, "x"))).isTrue();
            } else {
                assertThat(consensus.head("k")).isNull();
            }
        }
    }

    /** Each version is made by one thread, and seen by the next. */
    @Test
    void shouldLetOneOfManyWin() throws Exception {
        int threads = 4;
        int versions = 100;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (Consensus consensus = open()) {
            List<Future<List<Long>>> won = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Callable<List<Long>> race = () -> race(consensus, versions);
                won.add(executor.submit(race));
            }
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> one : won) {
                all.addAll(one.get());
            }
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, versions).boxed().toList());
        } finally {
            executor.shutdown();
        }
    }

    private static List<Long> race(Consensus consensus, int versions) {
        List<Long> won = new ArrayList<>();
        while (true) {
            Version head = consensus.head("k");
            long next = head == null ? 0 : head.number() + 1;
            if (next == versions) {
                return won;
            }
            if (consensus.compareAndSet("k", next - 1, version(next, "x"))) {
                won.add(next);
            }
        }
    }

    @Test
    void shouldTellWhoWaits() throws Exception {
        try (Consensus consensus = open()) {
            consensus.awaitChange("k", -1, Duration.ZERO, WANTED);
            Thread waiting = new Thread(() -> {
                try {
                    while (consensus.head("k") == null) {
                        consensus.awaitChange("k", Consensus.NONE, Duration.ofMinutes(5), WANTED);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            waiting.start();
            consensus.compareAndSet("k", Consensus.NONE, version(0, "a"));
            waiting.join(Duration.ofMinutes(1).toMillis());
            assertThat(waiting.isAlive()).isFalse();
            consensus.awaitChange("k", Consensus.NONE, Duration.ofMinutes(1), WANTED); // it is there already
        }
    }

    /** Of one that is so long over that the time since then is no number, too. */
    @Test
    @Timeout(60)
    void shouldNotWaitForATimeThatIsOver() throws Exception {
        List<Duration> times =
                List.of(Duration.ofNanos(-1), Duration.ofNanos(Long.MIN_VALUE), Duration.ofSeconds(Long.MIN_VALUE));
        try (Consensus consensus = open()) {
            consensus.compareAndSet("k", Consensus.NONE, version(0, "a"));
            for (Duration over : times) {
                consensus.awaitChange("k", 0, over, WANTED);
                consensus.awaitChange("other", Consensus.NONE, over, WANTED);
            }
        }
    }

    @Test
    void shouldEndTheWaitOfWhomItAsksInVain() throws Exception {
        try (Consensus consensus = open()) {
            AtomicInteger asked = new AtomicInteger();
            Runnable closedThen = () -> {
                if (asked.incrementAndGet() == 2) {
                    throw new IllegalStateException("closed");
                }
            };
            assertThatIllegalStateException()
                    .isThrownBy(() -> consensus.awaitChange("k", Consensus.NONE, Duration.ofMinutes(2), closedThen))
                    .withMessage("closed");
        }
    }
}
