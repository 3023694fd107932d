package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.log.LogConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreTuningTest {

    private static final StoreTuning DEFAULTS = StoreTuning.defaults();

    @Test
    void shouldBeginWithTheDefaultsOfAConfiguration() {
        StoreConfig config =
                StoreConfig.builder(LogConfig.builder(Path.of("log")).build()).build();
        assertThat(DEFAULTS).isEqualTo(StoreTuning.of(config)).hasSameHashCodeAs(StoreTuning.of(config));
    }

    @Test
    void shouldChangeOneSettingAndLeaveTheOthers() {
        assertThat(DEFAULTS.withCheckpointPercent(7))
                .isNotEqualTo(DEFAULTS)
                .hasToString("StoreTuning[checkpointPercent=7, checkpointMinLogBytes=268435456,"
                        + " checkpointBytesPerSecond=67108864, syncInterval=PT0S]");
        assertThat(DEFAULTS.withCheckpointMinLogBytes(7))
                .isNotEqualTo(DEFAULTS)
                .hasToString("StoreTuning[checkpointPercent=100, checkpointMinLogBytes=7,"
                        + " checkpointBytesPerSecond=67108864, syncInterval=PT0S]");
        assertThat(DEFAULTS.withCheckpointBytesPerSecond(7 << 20))
                .isNotEqualTo(DEFAULTS)
                .hasToString("StoreTuning[checkpointPercent=100, checkpointMinLogBytes=268435456,"
                        + " checkpointBytesPerSecond=7340032, syncInterval=PT0S]");
        assertThat(DEFAULTS.withSyncInterval(Duration.ofSeconds(7)))
                .isNotEqualTo(DEFAULTS)
                .hasToString("StoreTuning[checkpointPercent=100, checkpointMinLogBytes=268435456,"
                        + " checkpointBytesPerSecond=67108864, syncInterval=PT7S]");
    }

    @Test
    void shouldRefuseWhatIsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withCheckpointPercent(1001))
                .withMessage("checkpointPercent=1001, min=0, max=1000");
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withCheckpointMinLogBytes(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withCheckpointBytesPerSecond(1));
        assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.withSyncInterval(Duration.ofNanos(1)));
    }
}
