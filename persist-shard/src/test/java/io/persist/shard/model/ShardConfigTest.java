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
            ShardConfig config = ShardConfig.builder()
                    .readerLease(time)
                    .writerLease(time)
                    .upkeep(ShardConfig.Upkeep.BY_CALL)
                    .build();
            assertThat(List.of(config.readerLease(), config.writerLease())).containsOnly(time);
        }
    }

    /** Others would end the lease of a handle that lives. */
    @Test
    void shouldRefuseLeasesThatEndBeforeTheyAreRenewed() {
        Duration shortest = Duration.ofSeconds(5);
        ShardConfig config = ShardConfig.builder()
                .readerLease(shortest)
                .writerLease(shortest)
                .build();
        assertThat(config.upkeep()).isEqualTo(ShardConfig.Upkeep.BACKGROUND);
        ShardConfig.Builder reader = ShardConfig.builder().readerLease(shortest.minusMillis(1));
        ShardConfig.Builder writer = ShardConfig.builder().writerLease(shortest.minusMillis(1));
        String why = "=PT4.999S: it is renewed each second, so 5 s or more, or Upkeep.BY_CALL and calls of maintain()";
        assertThatIllegalArgumentException().isThrownBy(reader::build).withMessage("readerLease" + why);
        assertThatIllegalArgumentException().isThrownBy(writer::build).withMessage("writerLease" + why);
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
