package io.persist.log.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.support.Await;
import io.persist.support.Seeds;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottleTest {

    private static final long MIB = 1 << 20;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private long now;
    private int parks;
    private volatile boolean isFree;

    private Throttle throttle(long bytesPerSecond) {
        return new Throttle(bytesPerSecond, () -> isFree, () -> now, ns -> {
            assertThat(ns).isPositive();
            parks++;
            now += ns;
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE - 5, Long.MIN_VALUE})
    void shouldTakeTheTimeThatTheBytesCost(long origin) {
        now = origin;
        Throttle throttle = throttle(64_000_000);
        for (int i = 0; i < 1000; i++) {
            throttle.spend(64_000);
        }
        assertThat(now - origin).isEqualTo(SECOND_NS - BURST_NS);
    }

    @Test
    void shouldTakeANewRateForWhatIsBeingWaitedFor() {
        Throttle[] changed = new Throttle[1];
        changed[0] = new Throttle(MIB, () -> false, () -> now, ns -> {
            now += ns;
            if (now >= SECOND_NS / 2) {
                changed[0].bytesPerSecond(10 * MIB);
            }
        });
        changed[0].spend(2 * MIB); // one half and the burst at the old rate, the rest ten times as fast
        assertThat(now).isBetween(6 * SECOND_NS / 10, 7 * SECOND_NS / 10);
        long before = now;
        changed[0].spend(10 * MIB);
        assertThat(now - before).isEqualTo(SECOND_NS);
        assertThatIllegalArgumentException().isThrownBy(() -> changed[0].bytesPerSecond(0));
    }

    /** Parks end early, and late: neither adds up. */
    @Test
    void shouldKeepToTheRateHoweverLongAParkLasts() {
        Seeds.run(50, seed -> {
            Random random = new Random(seed);
            now = random.nextLong();
            long origin = now;
            long rate = 1 + random.nextInt(1 << 30);
            Throttle throttle = new Throttle(
                    rate, () -> isFree, () -> now, ns -> now += (long) (ns * random.nextDouble() * 1.5) + 1);
            long spent = 0;
            long paid = 0;
            for (int i = 0; i < 1000; i++) {
                int bytes = (int) (random.nextInt(1 << 16) * (rate / (double) (1 << 30)));
                throttle.spend(bytes);
                spent += bytes;
                paid += (long) (bytes * ((double) SECOND_NS / rate));
                assertThat(now - origin).as("after %s bytes", spent).isGreaterThanOrEqualTo(paid - BURST_NS);
            }
            assertThat(now - origin).isLessThanOrEqualTo(paid + TimeUnit.MILLISECONDS.toNanos(6));
        });
    }

    @Test
    void shouldNotWaitForWhatIsBelowTheRate() {
        Throttle throttle = throttle(MIB);
        for (int i = 0; i < 1000; i++) {
            throttle.spend(1024);
            now += SECOND_NS / 1000;
        }
        assertThat(parks).isZero();
    }

    @Test
    void shouldNotSaveUpMoreThanABurst() {
        Throttle throttle = throttle(MIB);
        now += 1000 * SECOND_NS;
        long before = now;
        throttle.spend(MIB);
        assertThat(now - before).isEqualTo(SECOND_NS - BURST_NS);
    }

    @Test
    void shouldNotWaitWithoutABound() {
        Throttle throttle = throttle(Long.MAX_VALUE);
        for (int i = 0; i < 1000; i++) {
            throttle.spend(1 << 30);
        }
        assertThat(parks).isZero();
    }

    /** Park 0: before the first one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 98})
    void shouldWaitThoughTheThreadIsInterrupted(int park) {
        boolean[] canPark = {true};
        Throttle throttle = new Throttle(MIB, () -> isFree, () -> now, ns -> {
            canPark[0] &= !Thread.currentThread().isInterrupted();
            now += ns;
            if (++parks == park) {
                Thread.currentThread().interrupt();
            }
        });
        if (park == 0) {
            Thread.currentThread().interrupt();
        }
        try {
            throttle.spend(MIB);
            assertThat(now).isEqualTo(SECOND_NS - BURST_NS);
            assertThat(parks).isEqualTo(98);
            assertThat(canPark[0]).isTrue();
        } finally {
            assertThat(Thread.interrupted()).as("it is kept for later").isTrue();
        }
    }

    @Test
    void shouldWaitOnlyWhileItHasToBePaid() {
        Throttle throttle = new Throttle(1, () -> isFree, () -> now, ns -> {
            parks++;
            now += ns;
            isFree = parks == 3;
        });
        throttle.spend(Long.MAX_VALUE);
        assertThat(parks).isEqualTo(3);
        throttle.spend(Long.MAX_VALUE);
        assertThat(parks).isEqualTo(3);
    }

    @Test
    void shouldLetAThreadGoThatWaits() throws InterruptedException {
        Throttle throttle = new Throttle(1, () -> isFree);
        Thread waiting = new Thread(() -> throttle.spend(1_000_000));
        waiting.start();
        Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        isFree = true;
        waiting.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(waiting.isAlive()).isFalse();
    }

    @Test
    void shouldRefuseARateBelowOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Throttle(0, () -> isFree))
                .withMessageContaining("bytesPerSecond=0");
    }
}
