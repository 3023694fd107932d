package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.flags.StoreLoggerParameters;
import io.persist.bench.host.Pinning;
import io.persist.command.CommandLine;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The configurations that follow from the flags of each program. */
public class ProgramParametersTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldHaveTheDefaultsOfTheRumiPrograms(Kind kind) {
        LoggerParameters parameters = kind.parse();

        assertThat(parameters.common().count(null)).isEqualTo(1_000_000);
        assertThat(parameters.common().warmupNs()).isEqualTo(2_000_000_000);
        assertThat(parameters.common().rate()).isEqualTo(-1);
        assertThat(parameters.numPerCommit()).isEqualTo(1);
        assertThat(parameters.common().writesLatencies()).isTrue();
        assertThat(parameters.common().printsIntervals()).isFalse();
        assertThat(parameters.namedLocation()).isEqualTo(Path.of("."));
        Path log = kind.log(Path.of("logs"));
        assertThat(parameters.output()).isEqualTo(Path.of("logs/results").resolve(log.getFileName()));
        assertThat(parameters.detached().config(Pinning.none())).isNull();
        assertThat(parameters.logConfig())
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(LogConfig.builder(log)
                        .initialLength(1L << 30)
                        .prefill(Prefill.BACKGROUND)
                        .writeBufferLength(8192)
                        .durability(Durability.BUFFERED)
                        .writeMode(WriteMode.MAPPED)
                        .fileMode(FileMode.RW)
                        .build());
        assertThat(parameters.tailerConfig())
                .usingRecursiveComparison()
                .isEqualTo(TailerConfig.builder()
                        .readBufferLength(8192)
                        .readMode(ReadMode.MAPPED)
                        .build());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldCarryEachFlagIntoTheConfiguration(Kind kind) {
        LoggerParameters parameters = kind.parse(
                kind.logLocation,
                "x",
                "-i",
                "0.25",
                "-z",
                "-a",
                "4096",
                "-b",
                "512",
                "-f",
                "--segmentSize",
                "8",
                "--logMode",
                "rwd",
                "--syncInterval",
                "7");

        assertThat(parameters.logConfig())
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(LogConfig.builder(kind.log(Path.of("x")))
                        .initialLength(256 << 20)
                        .prefill(Prefill.BEFORE_OPEN)
                        .writeBufferLength(4096)
                        .durability(Durability.FLUSHED)
                        .writeMode(WriteMode.FILE)
                        .fileMode(FileMode.RWD)
                        .segmentLength(8 << 20)
                        .syncInterval(Duration.ofMillis(7))
                        .build());
        assertThat(parameters.tailerConfig())
                .usingRecursiveComparison()
                .isEqualTo(TailerConfig.builder().readBufferLength(512).build());
        assertThat(kind.parse("-y", "-f").logConfig().durability()).isEqualTo(Durability.SYNCED);
        assertThat(kind.parse("--writeMode", "file").logConfig().writeMode()).isEqualTo(WriteMode.FILE);
        DetachedConfig detached = kind.parse("-d", "-q", "33").detached().config(Pinning.none());
        assertThat(detached).isNotNull();
        assertThat(detached.queueDepth()).isEqualTo(64);
    }

    @Test
    void shouldReadPacketsMappedOrThroughABuffer() {
        assertThat(Kind.PACKET.parse("-e", "false").tailerConfig().readMode()).isEqualTo(ReadMode.FILE);
        assertThat(Kind.PACKET.parse("--readUsingMappedMemory").tailerConfig().readMode())
                .isEqualTo(ReadMode.MAPPED);
    }

    @Test
    void shouldCarryTheFlagsOfAStoreIntoItsConfiguration() {
        StoreLoggerParameters parameters = new StoreLoggerParameters();
        CommandLine.of(parameters)
                .parse("-o rws --chkptIntervalPctSnapshot 50 --chkptIntervalMinLogSize 3 --checkpointLocation there"
                        .concat(" --checkpointRate 5 --maxSpaceRatio 1.5 --compactionRate 9")
                        .split(" "));
        parameters.validate();
        LogConfig log = parameters.logConfig();

        assertThat(log.fileMode()).isEqualTo(FileMode.RWS);
        assertThat(parameters.storeConfig(log))
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(StoreConfig.builder(log)
                        .checkpointPercent(50)
                        .checkpointMinLogBytes(3 << 20)
                        .checkpointDirectory(Path.of("there"))
                        .checkpointBytesPerSecond(5 << 20)
                        .maxSpaceRatio(1.5)
                        .compactionBytesPerSecond(9 << 20)
                        .build());
        LogConfig scratch = parameters.scratchConfig(100);
        assertThat(parameters.storeConfig(scratch).checkpointDirectory()).isEqualTo(scratch.directory());
    }

    @Test
    void shouldKeepAStoreAsItIsKeptByDefault() {
        StoreLoggerParameters parameters = new StoreLoggerParameters();
        LogConfig log = parameters.logConfig();

        assertThat(parameters.storeConfig(log))
                .usingRecursiveComparison()
                .usingOverriddenEquals()
                .isEqualTo(StoreConfig.builder(log).build());
    }
}
