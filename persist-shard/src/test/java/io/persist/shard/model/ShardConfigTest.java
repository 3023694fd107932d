package io.persist.shard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The settings of a client are checked where they are made. */
class ShardConfigTest {

    @Test
    void shouldTakeLeasesOfAMillisecondAndMore() {
        for (Duration time : List.of(Duration.ofMillis(1), Duration.ofDays(36_500))) {
            ShardConfig config =
                    ShardConfig.builder().readerLease(time).writerLease(time).build();
            assertThat(List.of(config.readerLease(), config.writerLease())).containsOnly(time);
        }
    }

    @Test
    void shouldRefuseLeasesThatAreNoNumberOfMilliseconds() {
        List<Duration> wrong = List.of(
                Duration.ofMillis(-1),
                Duration.ZERO,
                Duration.ofMillis(1).minusNanos(1),
                Duration.ofDays(36_500).plusNanos(1),
                ChronoUnit.FOREVER.getDuration());
        ShardConfig.Builder builder = ShardConfig.builder();
        for (Duration time : wrong) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.readerLease(time))
                    .withMessage("readerLease=" + time + ": 1 ms to 36,500 days");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.writerLease(time))
                    .withMessage("writerLease=" + time + ": 1 ms to 36,500 days");
        }
    }
}
