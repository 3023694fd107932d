package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LocationException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said of a call that was repeated in vain. */
class RetriesTest {

    private final DeterminateException refused = new DeterminateException("refused", null);
    private final IndeterminateException unanswered = new IndeterminateException("no answer", null);

    /** The last attempt's thread is interrupted, so there is no other one. */
    private static void failWith(LocationException... failures) {
        Iterator<LocationException> left = List.of(failures).iterator();
        Object unused = Retries.of(Duration.ofHours(1), () -> {
            LocationException failed = left.next();
            if (!left.hasNext()) {
                Thread.currentThread().interrupt();
            }
            throw failed;
        });
    }

    @AfterEach
    void shouldHaveStayedInterrupted() {
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldSayThatItDidNotHappenIfNoAttemptMayHave() {
        assertThatThrownBy(() -> failWith(refused, refused)).isSameAs(refused);
    }

    @Test
    void shouldSayThatItMayHaveHappenedIfTheLastAttemptMay() {
        assertThatThrownBy(() -> failWith(refused, unanswered)).isSameAs(unanswered);
    }

    /** The last refusal says nothing of the attempt before it. */
    @Test
    void shouldSayThatItMayHaveHappenedIfAnEarlierAttemptMay() {
        assertThatThrownBy(() -> failWith(unanswered, refused))
                .isInstanceOf(IndeterminateException.class)
                .hasMessage("an earlier attempt may have happened: refused")
                .hasCause(refused);
    }
}
