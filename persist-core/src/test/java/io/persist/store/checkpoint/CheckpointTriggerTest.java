package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointTriggerTest {

    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        // percent, minimum, log, checkpoint, due
        "100, 256, 255, 0, false",
        "100, 256, 256, 0, true",
        "100, 256, 256, 128, true",
        "100, 256, 256, 129, false",
        "100, 256, 257, 129, false",
        "100, 256, 258, 129, true",
        "10, 0, 109, 100, false",
        "10, 0, 110, 100, true",
        "1, 0, 101, 100, true",
        "1, 0, 100, 100, false",
        "1000, 0, 1099, 100, false",
        "1000, 0, 1100, 100, true",
        "100, 0, 0, 0, false",
        "100, 0, 1, 0, true",
        "0, 0, 9223372036854775807, 0, false",
        "1000, 0, 4611686018427387904, 1152921504606846976, false",
        "100, 0, 9223372036854775807, 1152921504606846976, true",
    })
    void shouldBeDueIfBothConditionsHold(int percent, long minimum, long log, long checkpoint, boolean due) {
        assertThat(new CheckpointTrigger(percent, minimum).isDue(log, checkpoint))
                .isEqualTo(due);
    }

    @Test
    void shouldCompareBytes() {
        CheckpointTrigger trigger = new CheckpointTrigger(100, 256 * MIB);
        assertThat(trigger.isDue(256 * MIB - 1, 0)).isFalse();
        assertThat(trigger.isDue(256 * MIB, 0)).isTrue();
        assertThat(trigger.isDue(5000 * MIB * 2 - 1, 5000 * MIB)).isFalse();
        assertThat(trigger.isDue(5000 * MIB * 2, 5000 * MIB)).isTrue();
    }

    @Test
    void shouldRefuseNegativeBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CheckpointTrigger(-1, 0))
                .withMessageContaining("percent=-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CheckpointTrigger(1, -1))
                .withMessageContaining("minLogBytes=-1");
    }
}
