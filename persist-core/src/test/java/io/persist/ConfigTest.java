package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration is made by its builder, which checks it, and in no other way. */
class ConfigTest {

    private static final Path DIRECTORY = Path.of("memory");

    @ParameterizedTest
    @ValueSource(classes = {LogConfig.class, TailerConfig.class, DetachedConfig.class, StoreConfig.class})
    void shouldBeMadeByItsBuilderOnly(Class<?> config) {
        assertThat(config.getConstructors()).isEmpty();
        assertThat(config).isFinal();
    }

    @Test
    void shouldBeWhatTheLoggerSaysThatItWasOpenedWith() {
        LogConfig config = LogConfig.builder(DIRECTORY).build();
        DetachedConfig detached = DetachedConfig.builder().build();
        for (Journal logger : List.of(
                MessageLogger.open(config, new CrashableStorage()),
                MessageLogger.open(config, detached, new CrashableStorage()),
                PacketLogger.open(config, new CrashableStorage()),
                PacketLogger.open(config, detached, new CrashableStorage()))) {
            assertThat(logger.config()).isSameAs(config);
            logger.close();
            assertThat(logger.config()).isSameAs(config);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // which is the mistake
    void shouldNameTheSettingThatIsNull() {
        LogConfig.Builder log = LogConfig.builder(DIRECTORY);
        Map<String, ThrowingCallable> mistakes = Map.of(
                "directory", () -> LogConfig.builder(null).build(),
                "prefill", () -> LogConfig.builder(DIRECTORY).prefill(null).build(),
                "writeMode", () -> LogConfig.builder(DIRECTORY).writeMode(null).build(),
                "readMode", () -> TailerConfig.builder().readMode(null).build(),
                "readScope", () -> TailerConfig.builder().readScope(null).build(),
                "durability",
                        () -> LogConfig.builder(DIRECTORY).durability(null).build(),
                "waitStrategy",
                        () -> DetachedConfig.builder().waitStrategy(null).build(),
                "threadFactory",
                        () -> DetachedConfig.builder().threadFactory(null).build(),
                "checkpointDirectory",
                        () -> StoreConfig.builder(log.build())
                                .checkpointDirectory(null)
                                .build(),
                "oldValues",
                        () -> StoreConfig.builder(log.build()).oldValues(null).build());
        mistakes.forEach((name, mistake) ->
                assertThatNullPointerException().as(name).isThrownBy(mistake).withMessage(name));
    }

    @Test
    @SuppressWarnings("NullAway") // which is the mistake
    void shouldRefuseALockThatIsNull() {
        LogConfig.Builder log = LogConfig.builder(DIRECTORY);
        assertThatNullPointerException().isThrownBy(() -> log.guardedBy(null)).withMessage("guardedBy");
    }

    /** With less the background thread would do nothing but wake. */
    @Test
    void shouldSyncAtIntervalsOfAMillisecondOrMore() {
        LogConfig.Builder config = LogConfig.builder(DIRECTORY);
        Duration least = Duration.ofMillis(1);
        assertThat(config.syncInterval(least).build().syncInterval()).isEqualTo(least);
        assertThat(config.syncInterval(Duration.ZERO).build().syncInterval()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.syncInterval(Duration.ofNanos(1)).build())
                .withMessage("syncInterval=PT0.000000001S, min=PT0.001S, max=PT1H, or 0 for none");
    }

    /** Of less the device would not get whole segments in time. */
    @Test
    void shouldLetFourSegmentsWaitForTheDevice() {
        LogConfig.Builder config = LogConfig.builder(DIRECTORY).segmentLength(1 << 20);

        assertThat(config.maxUnsyncedBytes(4 << 20).build().maxUnsyncedBytes()).isEqualTo(4 << 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.maxUnsyncedBytes((4 << 20) - 1).build())
                .withMessage("maxUnsyncedBytes=4194303, min=4194304, max=1099511627776");
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFERED, RW, MAPPED",
        "FLUSHED, RW, MAPPED",
        "SYNCED, RW, FILE",
        "BUFFERED, RWD, FILE",
        "FLUSHED, RWS, FILE",
        "SYNCED, RWD, FILE",
    })
    void shouldChooseTheWriteModeThatSuitsTheLevel(Durability level, FileMode fileMode, WriteMode expected) {
        LogConfig.Builder config =
                LogConfig.builder(DIRECTORY).durability(level).fileMode(fileMode);

        assertThat(config.build().writeMode()).isEqualTo(expected);
        assertThat(config.writeMode(WriteMode.FILE).build().writeMode()).isEqualTo(WriteMode.FILE);
        if (fileMode == FileMode.RW) {
            assertThat(config.writeMode(WriteMode.MAPPED).build().writeMode()).isEqualTo(WriteMode.MAPPED);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> config.writeMode(WriteMode.MAPPED).build())
                    .withMessage("fileMode=" + fileMode + " means nothing for writeMode=MAPPED; use writeMode=FILE");
        }
    }
}
