package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What is made of several rounds. */
class RoundsTest {

    static void add(Rounds rounds, String engine, int round, long perSecond) {
        Trial trial = new Trial(engine, Mode.BUFFERED, round, 0, 1, 1, 1, 1, 256, 1, "");
        rounds.add(trial, TrialResult.ofRate(perSecond, 1_000_000_000, Map.of()));
    }

    @Test
    void shouldCompareWithinARound() {
        Rounds rounds = new Rounds();
        add(rounds, "persist", 1, 100);
        add(rounds, "persist", 2, 1000);
        add(rounds, "persist", 3, 10);
        add(rounds, "chronicle", 1, 50);
        add(rounds, "chronicle", 2, 200);
        add(rounds, "chronicle", 3, 4);

        assertThat(rounds.median(Mode.BUFFERED, "chronicle", Metric.RATE)).hasValue(50);
        assertThat(rounds.medianRatio(Mode.BUFFERED, "chronicle", Metric.RATE)).hasValue(0.4);
        assertThat(rounds.medianRatio(Mode.BUFFERED, "persist", Metric.RATE)).hasValue(1);
    }

    @Test
    void shouldLeaveOutRoundsOfWhichOneIsMissing() {
        Rounds rounds = new Rounds();
        add(rounds, "persist", 2, 100);
        add(rounds, "chronicle", 1, 7);
        add(rounds, "chronicle", 2, 50);

        assertThat(rounds.medianRatio(Mode.BUFFERED, "chronicle", Metric.RATE)).hasValue(0.5);
        assertThat(rounds.medianRatio(Mode.BUFFERED, "sqlite", Metric.RATE)).isEqualTo(OptionalDouble.empty());
        assertThat(rounds.of(Mode.BUFFERED, "chronicle")).hasSize(2);
        assertThat(rounds.of(Mode.SYNC, "chronicle")).isEmpty();
    }
}
