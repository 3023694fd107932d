package io.persist.kafka.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrialResultTest {

    /** Else a table of two rounds has the better rate and the worse pause of each engine. */
    @Test
    void shouldTakeTheMeanOfTheTwoInTheMiddle() {
        List<Map<String, Double>> rounds = List.of(
                Map.of("commands/s", 100.0, "longest pause ms", 8.0),
                Map.of("commands/s", 300.0, "longest pause ms", 2.0, "of one round", 1.0));

        assertThat(TrialResult.mediansOf(rounds)).isEqualTo(Map.of("commands/s", 200.0, "longest pause ms", 5.0));
    }
}
