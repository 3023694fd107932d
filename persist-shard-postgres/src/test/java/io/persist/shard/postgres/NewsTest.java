package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class NewsTest {

    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);

    private final News news = new News();

    @Test
    void shouldWakeWhoWaits() throws Exception {
        AtomicBoolean isTold = new AtomicBoolean();
        Thread waiting = new Thread(() -> {
            try {
                isTold.set(news.await("k", 4, LONG_NS, 0, () -> {}));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waiting.start();
        while (waiting.getState() != State.TIMED_WAITING) {
            Thread.yield();
        }
        news.tell("other", 9);
        news.tell("k", 4);
        news.tell("k", 5);
        waiting.join(TimeUnit.NANOSECONDS.toMillis(LONG_NS) / 2);
        assertThat(waiting.isAlive()).isFalse();
        assertThat(isTold).isTrue();
    }

    @Test
    void shouldKnowTheNewestAndNotWaitForever() throws Exception {
        assertThat(news.await("k", -1, 0, 0, () -> {})).isFalse();
        assertThat(news.await("k", -1, 1_000, 0, () -> {})).isFalse();
        news.tell("k", 7);
        news.tell("k", 6); // another thread was faster to tell
        assertThat(news.await("k", 6, LONG_NS, 0, () -> {})).isTrue();
        assertThat(news.await("k", 7, 0, 0, () -> {})).isFalse();
        news.tellOfAGap();
        assertThat(news.await("k", 7, LONG_NS, 0, () -> {})).isFalse(); // it has to look
        assertThat(news.gaps()).isEqualTo(1);
    }

    /** A process hears of all shards of the database, and anybody may make up names. */
    @Test
    void shouldKeepSomeKeysOnly() {
        news.tell("first", 7);
        news.tell("again", 7);
        for (int i = 0; i < 9_998; i++) {
            news.tell("other" + i, 1);
        }
        news.tell("again", 8);
        assertThat(news.told("first").number()).isEqualTo(7);
        news.tell("one more", 1);
        assertThat(news.told("first")).isEqualTo(new News.Told(-1, 0));
        assertThat(news.told("again").number()).isEqualTo(8);
        assertThat(news.told("one more").number()).isEqualTo(1);
        assertThat(news.gaps()).as("no other thread has to look").isZero();
    }

    /** Between the look that finds it wrong and that moment the right one may have come. */
    @Test
    void shouldForgetWhatIsWrongUnlessMoreIsTold() throws Exception {
        news.tell("k", 1_000);
        News.Told wrong = news.told("k");
        news.tell("k", 8);
        news.forget("k", wrong);
        assertThat(news.await("k", 7, LONG_NS, 0, () -> {})).isTrue();
        news.forget("k", news.told("k"));
        assertThat(news.await("k", 7, 0, 0, () -> {})).isFalse();
        news.tell("k", 8);
        assertThat(news.await("k", 7, LONG_NS, 0, () -> {})).isTrue();
        assertThat(news.await("k", 8, 0, 0, () -> {})).isFalse();
    }
}
