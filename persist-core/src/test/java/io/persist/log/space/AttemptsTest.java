package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AttemptsTest {

    private static final IOException FULL = new IOException("no space");

    private final Attempts attempts = new Attempts();

    @Test
    void shouldTellNoFailureOfBefore() {
        attempts.ended(FULL);
        Attempts.Since since = attempts.since();
        assertThat(attempts.hasFailed()).isTrue();
        assertThat(since.failure()).isNull();
        assertThat(since.hasEnded()).isFalse();
    }

    @Test
    void shouldTellNoFailureOfOneUnderWay() {
        Attempts.Since since = attempts.since();
        attempts.ended(FULL);
        assertThat(since.failure()).isNull();
        assertThat(since.hasEnded()).isFalse();
    }

    @Test
    void shouldTellTheFailureOfOneThatBegan() {
        Attempts.Since since = attempts.since();
        attempts.ended(null);
        attempts.ended(FULL);
        assertThat(since.failure()).isSameAs(FULL);
        assertThat(since.hasEnded()).isTrue();
    }

    @Test
    void shouldTellOfTheLastOne() {
        Attempts.Since since = attempts.since();
        attempts.ended(FULL);
        attempts.ended(FULL);
        attempts.ended(null);
        assertThat(since.failure()).isNull();
        assertThat(since.hasEnded()).isTrue();
    }
}
