package io.persist.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.HeardNotices;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedFailureTest {

    private static final String WARNING = "WARNING of memory";
    private static final String INFO = "INFO memory works again";

    private long nowNs = Long.MAX_VALUE - 1; // a clock of ns may begin anywhere
    private final RepeatedFailure failure = new RepeatedFailure(Notices.STORE, "memory works again", () -> nowNs);

    private List<String> heard(Runnable action) {
        return HeardNotices.during("memory", action).stream()
                .map(notice -> notice.level() + " " + notice.text())
                .toList();
    }

    private void fail(Object part) {
        failure.failed(part, () -> "of memory");
    }

    @Test
    void shouldSayTheFirstOneAndThenOneInAMinute() {
        assertThat(heard(() -> fail(this))).containsExactly(WARNING);
        nowNs += RepeatedFailure.PAUSE_NS - 1;
        assertThat(heard(() -> fail(this))).isEmpty();
        nowNs += 1;
        assertThat(heard(() -> {
                    fail(this);
                    fail(this);
                }))
                .containsExactly(WARNING);
    }

    @Test
    void shouldSayThatItWorksAgain() {
        assertThat(heard(() -> failure.worked(this))).isEmpty();
        fail(this);
        assertThat(heard(() -> {
                    failure.worked(this);
                    failure.worked(this);
                }))
                .containsExactly(INFO);
    }

    /** As on a disk that is full now and then: each time has its end, and there are two lines in a minute. */
    @Test
    void shouldNotSayTheEndOfWhatWasNotSaid() {
        fail(this);
        failure.worked(this);
        assertThat(heard(() -> {
                    fail(this);
                    failure.worked(this);
                }))
                .isEmpty();
        nowNs += RepeatedFailure.PAUSE_NS;
        assertThat(heard(() -> {
                    fail(this);
                    failure.worked(this);
                }))
                .containsExactly(WARNING, INFO);
    }

    @Test
    void shouldWorkAgainWhenAllPartsDo() {
        fail("one");
        fail("two");
        assertThat(heard(() -> failure.worked("one"))).isEmpty();
        assertThat(heard(() -> failure.worked("two"))).containsExactly(INFO);
    }
}
