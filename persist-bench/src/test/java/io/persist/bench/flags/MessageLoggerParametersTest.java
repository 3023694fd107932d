package io.persist.bench.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.Program;
import io.persist.bench.ProgramParametersTest;
import io.persist.bench.host.Pinning;
import io.persist.command.UsageException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each flag of a message log; what is the default of all programs is in {@link ProgramParametersTest}. */
class MessageLoggerParametersTest {

    @Test
    void shouldCarryEachFlagIntoTheConfiguration() {
        assertThat(config("-k", "some/where").directory()).isEqualTo(Path.of("some/where/messages"));
        assertThat(config("--logLocation", "x").directory()).isEqualTo(Path.of("x/messages"));
        assertThat(config("-i", "0.25").initialLength()).isEqualTo(256 << 20);
        assertThat(config("--initialLogLength", "2").initialLength()).isEqualTo(2L << 30);
        assertThat(config("-z").prefill()).isEqualTo(Prefill.BEFORE_OPEN);
        assertThat(config("--zeroOutInitial", "false").prefill()).isEqualTo(Prefill.BACKGROUND);
        assertThat(config("-a", "4096").writeBufferLength()).isEqualTo(4096);
        assertThat(config("--writeBufferSize", "64").writeBufferLength()).isEqualTo(64);
        assertThat(reading("-b", "4096").readBufferLength()).isEqualTo(4096);
        assertThat(reading("--readBufferSize", "64").readBufferLength()).isEqualTo(64);
        assertThat(config("-f").durability()).isEqualTo(Durability.FLUSHED);
        assertThat(config("-y").durability()).isEqualTo(Durability.SYNCED);
        assertThat(config("--syncOnCommit", "-f").durability()).isEqualTo(Durability.SYNCED);
        assertThat(reading("--readMode", "file").readMode()).isEqualTo(ReadMode.FILE);
        assertThat(config("--segmentSize", "128").segmentLength()).isEqualTo(128 << 20);
        assertThat(config("--segmentSize", "1024").segmentLength()).isEqualTo(1 << 30);
    }

    @ParameterizedTest
    @CsvSource({
        "rw, , MAPPED, RW",
        "rw, mapped, MAPPED, RW",
        "rw, file, FILE, RW",
        "rwd, , FILE, RWD",
        "rws, , FILE, RWS",
        "RWD, file, FILE, RWD"
    })
    void shouldChooseTheWriteModeByTheLogMode(String logMode, String writeMode, WriteMode expected, FileMode fileMode) {
        LogConfig config =
                writeMode == null ? config("-m", logMode) : config("--logMode", logMode, "--writeMode", writeMode);

        assertThat(config.writeMode()).isEqualTo(expected);
        assertThat(config.fileMode()).isEqualTo(fileMode);
    }

    @ParameterizedTest
    @CsvSource({
        "-f, , MAPPED",
        "-y, , FILE",
        "-y -n 10, , FILE",
        "-y -d, , FILE",
        "-y, mapped, MAPPED",
        "-f, file, FILE",
    })
    void shouldChooseTheWriteModeByTheLevelOfCommits(String flags, String writeMode, WriteMode expected) {
        String all = writeMode == null ? flags : flags + " --writeMode " + writeMode;

        assertThat(config(all.split(" ")).writeMode()).isEqualTo(expected);
    }

    @Test
    void shouldCarryTheOtherFlags() {
        assertThat(parse("-c", "17").common().count(null)).isEqualTo(17);
        assertThat(parse("--count", "17").common().count(4L)).isEqualTo(17);
        assertThat(parse().common().count(4L)).isEqualTo(4);
        assertThat(parse("-t", "0.5").common().warmupNs()).isEqualTo(500_000_000);
        assertThat(parse("--warmupTime", "0").common().warmupNs()).isZero();
        assertThat(parse("-r", "250").common().rate()).isEqualTo(250);
        assertThat(parse("--rate", "1").common().rate()).isEqualTo(1);
        assertThat(parse("-n", "10").numPerCommit()).isEqualTo(10);
        assertThat(parse("--numPerCommit", "3").numPerCommit()).isEqualTo(3);
        assertThat(parse("--noLatencyWrites").common().writesLatencies()).isFalse();
        assertThat(parse("--printIntervalStats").common().printsIntervals()).isTrue();
        assertThat(parse("--output", "there").common().output()).isEqualTo(Path.of("there"));
        assertThat(config("--syncInterval", "250").syncInterval()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void shouldWriteOnTheCallingThreadUnlessDetached() {
        assertThat(detached()).isNull();
        assertThat(detached("-d", "false", "-q", "64")).isNull();
        assertThat(parse().detached().producers()).isEqualTo(1);
        assertThat(parse().detached().refuses()).isFalse();
        assertThat(parse("--whenFull", "fail").detached().refuses()).isFalse();
    }

    @Test
    void shouldCarryEachFlagIntoTheDetachedConfiguration() {
        DetachedConfig config = detached("-d");

        assertThat(config.queueDepth()).isEqualTo(1024);
        assertThat(config.waitStrategy()).isEqualTo(WaitStrategy.BLOCKING);
        assertThat(config.fullTimeout()).isEqualTo(DetachedConfig.FOREVER);
        assertThat(detached("--detached", "-q", "33").queueDepth()).isEqualTo(64);
        assertThat(detached("-d", "--queueDepth", "32768").queueDepth()).isEqualTo(32_768);
        assertThat(config.queueBytes()).isEqualTo(DetachedConfig.defaultQueueBytes());
        assertThat(detached("-d", "--queueBytes", "8MB").queueBytes()).isEqualTo(8 << 20);
        assertThat(detached("-d", "--waitStrategy", "busySpin").waitStrategy()).isEqualTo(WaitStrategy.BUSY_SPIN);
        assertThat(detached("-d", "--waitStrategy", "YIELDING").waitStrategy()).isEqualTo(WaitStrategy.YIELDING);
        assertThat(detached("-d", "--whenFull", "block").fullTimeout()).isEqualTo(DetachedConfig.FOREVER);
        assertThat(detached("-d", "--whenFull", "fail").fullTimeout()).isZero();
        assertThat(detached("-d", "--whenFull", "5").fullTimeout()).isEqualTo(Duration.ofMillis(5));
        assertThat(parse("-d", "--whenFull", "5").detached().refuses()).isTrue();
        assertThat(parse("-d", "--producers", "3").detached().producers()).isEqualTo(3);
        assertThat(parse("-d", "-j", "1").detached().pinning().isWanted()).isTrue();
        assertThat(parse("-d", "--affinity", "none").detached().pinning().isWanted())
                .isFalse();
    }

    private static DetachedConfig detached(String... args) {
        return parse(args).detached().config(Pinning.none());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-c 0 | --count 0 is out of range; give a value from 1 to 10,000,000,000",
                "-t -1 | --warmupTime -1 is out of range; give a value from 0 to 3,600",
                "-t NaN | --warmupTime NaN is out of range; give a value from 0 to 3,600",
                "-r 0 | --rate 0 is out of range; give -1 for unlimited, or a value from 1 to 100,000,000",
                "-i -0.5 | --initialLogLength -0.5 is out of range; give a value from 0 to 1,024",
                "-a 63 | --writeBufferSize 63 is out of range; give a value from 64 to 1,073,741,824",
                "-b 63 | --readBufferSize 63 is out of range; give a value from 64 to 1,073,741,824",
                "-q 0 | --queueDepth 0 is out of range; give a value from 1 to 32,768",
                "-q 32769 | --queueDepth 32,769 is out of range; give a value from 1 to 32,768",
                "--queueBytes 4095 | --queueBytes 4,095 is out of range; give a value from 4,096 to 1,099,511,627,776",
                "-d --producers 0 | --producers 0 is out of range; give a value from 1 to 64",
                "--producers 2 | --producers 2: only one thread at a time can write to a log that is not detached;"
                        + " add --detached true",
                "--whenFull never | --whenFull never is none of block, fail, or a number of ms; give one",
                "--whenFull 86400001 | --whenFull 86,400,001 is out of range; give a value from 0 to 86,400,000",
                "--syncInterval -1 | --syncInterval -1 is out of range; give a value from 0 to 3,600,000",
                "-n 0 | --numPerCommit 0 is out of range; give a value from 1 to 1,000,000,000",
                "-j both | --affinity both is no CPU mask; give a mask like 0x3, or a list like [0,1]",
                "--segmentSize 0 | --segmentSize 0 is out of range; give a value from 1 to 1,024",
                "--messageSize 0 | --messageSize 0 is out of range; give a value from 1 to 1,073,741,824",
                "-m rwd --writeMode mapped | --logMode rwd means nothing for --writeMode mapped; use --writeMode file",
                "--messagesFormat length4 | --messagesFormat length4 is of a file that --messages names; give that too,"
                        + " or leave it out",
                "--messageSize 5 --messages f | --messageSize 5 and --messages f exclude each other; leave one out",
            })
    void shouldRefuseWhatMakesNoSense(String args, String message) {
        assertThatThrownBy(() -> parse(args.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseMessagesThatDoNotFitASegment() {
        LoggerParameters parameters = parse("--segmentSize", "1");

        assertThatThrownBy(() -> parameters.validateLength("message", 1 << 20, "shorter messages"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--segmentSize 1 holds messages of 1,048,4")
                .hasMessageEndingWith("; give a larger --segmentSize, up to 1024, or shorter messages");
        parameters.validateLength("message", (1 << 20) - 1000, "shorter messages");
    }

    private static TailerConfig reading(String... args) {
        return parse(args).tailerConfig();
    }

    private static LogConfig config(String... args) {
        return parse(args).logConfig();
    }

    private static LoggerParameters parse(String... args) {
        return Program.Kind.MESSAGE.parse(args);
    }
}
