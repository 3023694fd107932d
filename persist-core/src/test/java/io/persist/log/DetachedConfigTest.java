package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DetachedConfigTest {

    @Test
    void shouldHaveTheDefaultsThatItsMethodsSay() {
        DetachedConfig config = DetachedConfig.builder().build();
        assertThat(config.queueDepth()).isEqualTo(1024);
        assertThat(config.waitStrategy()).isEqualTo(WaitStrategy.BLOCKING);
        assertThat(config.fullTimeout()).isEqualTo(DetachedConfig.FOREVER);
        assertThat(config.threadFactory()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 4", "5, 8", "1000, 1024", "1025, 2048", "16385, 32768", "32768, 32768"})
    void shouldRoundTheDepthUpToAPowerOfTwo(int wanted, int depth) {
        assertThat(DetachedConfig.builder().queueDepth(wanted).build().queueDepth())
                .isEqualTo(depth);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 32_769, 65_536, 1 << 30, (1 << 30) + 1, Integer.MAX_VALUE})
    void shouldRefuseADepthOutOfBounds(int depth) {
        DetachedConfig.Builder builder = DetachedConfig.builder().queueDepth(depth);
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("queueDepth=" + depth + ", min=1, max=32768");
    }

    @Test
    void shouldTakeTimeoutsUpToADay() {
        DetachedConfig.Builder builder = DetachedConfig.builder();
        assertThat(builder.waitWhenFull(Duration.ZERO).build().fullTimeout()).isZero();
        assertThat(builder.waitWhenFull(Duration.ofDays(1)).build().fullTimeout())
                .isEqualTo(Duration.ofDays(1));
        assertThat(builder.failWhenFull().build().fullTimeout()).isZero();
        assertThat(builder.blockWhenFull().build().fullTimeout()).isEqualTo(DetachedConfig.FOREVER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT24H1S", "PT2562047788015215H"})
    void shouldRefuseTimeoutsOutOfBounds(String timeout) {
        Duration duration = Duration.parse(timeout);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DetachedConfig.builder().waitWhenFull(duration))
                .withMessage("waitWhenFull=" + duration + ", min=PT0S, max=PT24H");
    }
}
