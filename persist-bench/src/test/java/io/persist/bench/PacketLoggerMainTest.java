package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.command.Command;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.packet.PacketOperation;
import io.persist.packet.PacketReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PacketLoggerMainTest {

    @TempDir
    Path directory;

    @Test
    void shouldTellTheWholeStoryOfARun() {
        Program program = Program.packets(directory, "-c", "1000");

        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
        assertThat(program.out())
                .containsSubsequence(
                        "Parameters",
                        "Disk: ",
                        "JVM: ",
                        "Clock: ",
                        "No warm up.",
                        "Opened " + directory.resolve("logs/packets") + " in ",
                        "Wrote 1,000 packets @ ",
                        " packets/sec post warmup.",
                        "metric",
                        "prep ",
                        "write ",
                        "flush ",
                        "total ",
                        "Closed in ",
                        "Reopened ",
                        "Read 1,000 packets @ ",
                        " packets/sec, all verified.");
        assertThat(program.out().lines()).allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
    }

    static Stream<String> modes() {
        return Drawn.of(
                8,
                "-f",
                "-y",
                "-z",
                "-v",
                "-v -n 7 --messagesPerPacket 3",
                "-e false -b 512",
                "--logMode rws",
                "--logMode rwd -v",
                "--writeMode file -a 512",
                "--tail",
                "--tail -v -y",
                "--tail --writeMode file -e false",
                "-d",
                "-d -y -n 7 -v",
                "-d --producers 3 -v -n 4 --messagesPerPacket 2",
                "-d --producers 2 --tail -f",
                "-d -q 1 --whenFull fail");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void shouldReadBackWhatItWroteInEveryMode(String flags) {
        Program program = Program.packets(directory, ("-c 200 " + flags).split(" "));

        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("Wrote 200 packets @ ", "Read 200 packets @ ", ", all verified");
    }

    @Test
    void shouldMeasureTheFlushOnlyWhereThereIsOne() {
        Program program = Program.packets(directory, "-c", "100", "-n", "8");

        assertThat(program.iterations("prep")).isEqualTo(100);
        assertThat(program.iterations("write")).isEqualTo(100);
        assertThat(program.iterations("flush")).isEqualTo(12);
        assertThat(program.iterations("total")).isEqualTo(100);
        assertThat(directory.resolve("output/latencies.prep.bin")).hasSize(400);
        assertThat(directory.resolve("output/latencies.flush.bin")).hasSize(48);
    }

    @Test
    void shouldShowWhatTheProducerPaysWhenDetached() {
        Program program = Program.packets(directory, "-c", "100", "-d", "-r", "50000", "--tail");

        for (String series : List.of("prep", "hand-off", "total", "response", "durable", "tail")) {
            assertThat(program.iterations(series)).as(series).isEqualTo(100);
            assertThat(directory.resolve("output/latencies." + series + ".bin")).hasSize(400);
        }
        assertThat(program.iterations("flush")).isEqualTo(-1);
        assertThat(program.out()).contains("tail: from the intended start until the reader");
        assertThat(Path.of("../docs/measure.md"))
                .content()
                .contains("    tail: from the intended start until the reader");
    }

    @Test
    void shouldSyncEachCommitIfWanted() {
        assertThat(Program.packets(directory, "-c", "50", "-n", "5", "-y").number("syncs"))
                .isBetween(10L, 12L);
        assertThat(Program.packets(directory, "-c", "50", "-n", "5").number("syncs"))
                .isLessThan(5);
    }

    @Test
    @ShowsEffectOf(value = "--tail", in = Program.Kind.PACKET)
    void shouldReadConcurrentlyInsteadOfAfterwards() {
        Program tailing = Program.packets(directory, "-c", "500", "--tail");

        assertThat(tailing.iterations("tail")).isEqualTo(500);
        assertThat(tailing.out())
                .containsSubsequence(
                        "Read 500 packets @ ",
                        " while they were written, all verified.",
                        "The reader was never seen more than ",
                        " packets, behind the writer.",
                        "Closed in ")
                .doesNotContain("Reopened");
        assertThat(Program.packets(directory, "-c", "500").iterations("tail")).isEqualTo(-1);
    }

    @Test
    void shouldTailOnlyTheRecordsOfItsOwnRun() {
        Program.packets(directory, "-c", "30");
        Program second = Program.packets(directory, "-c", "20", "--tail");

        assertThat(second.code()).isZero();
        assertThat(second.out()).contains("The log has 30 packets already", "Read 20 packets @ ");
    }

    @Test
    void shouldTellOnePacketInTheSingular() {
        Program program = Program.packets(directory, "-c", "1");
        Program tailing = Program.packets(directory, "-c", "1", "--tail");

        assertThat(program.out()).containsSubsequence("Wrote 1 packet @ ", "Read 1 packet @ ");
        assertThat(tailing.out()).containsSubsequence("The log has 1 packet already", "Read 1 packet @ ");
    }

    @Test
    @ShowsEffectOf(value = "--populateStorePacketMetadata", in = Program.Kind.PACKET)
    void shouldPopulateTheMetadataOnlyIfWanted() {
        Program.packets(directory, "-c", "40", "-n", "4", "-v");
        assertThat(packets(PacketReader::hasMetadata)).hasSize(40).containsOnly(true);

        assertThat(new HashSet<>(packets(packet -> packet.metadata().operation())))
                .containsExactlyInAnyOrder(
                        PacketOperation.CREATE, PacketOperation.UPDATE, PacketOperation.SEND, PacketOperation.REMOVE);
        assertThat(packets(packet -> packet.metadata().inSequence()))
                .doesNotHaveDuplicates()
                .isSorted();
        assertThat(packets(packet -> packet.metadata().isCommitEnd()).subList(0, 8))
                .containsExactly(false, false, false, true, false, false, false, true);
        assertThat(packets(packet -> packet.metadata().transactionId()).subList(2, 6))
                .containsExactly(1L, 1L, 2L, 2L);
    }

    @Test
    void shouldHaveNoMetadataByDefault() {
        Program.packets(directory, "-c", "5");

        assertThat(packets(PacketReader::hasMetadata)).hasSize(5).containsOnly(false);
    }

    @Test
    @ShowsEffectOf(value = "--messagesPerPacket", in = Program.Kind.PACKET)
    void shouldPutSeveralMessagesIntoAPacket() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "one\ntwo\nthree\nfour\nfive\n");

        Program program = Program.packets(directory, "--messages", file.toString(), "--messagesPerPacket", "2");

        assertThat(program.parameter("count")).isEqualTo("3");
        assertThat(packets(PacketLoggerMainTest::text))
                .containsExactly(List.of("one", "two"), List.of("three", "four"), List.of("five", "one"));
    }

    private static List<String> text(PacketReader packet) {
        List<String> messages = new ArrayList<>();
        while (packet.nextMessage()) {
            messages.add(StandardCharsets.US_ASCII.decode(packet.message()).toString());
        }
        return messages;
    }

    @Test
    void shouldGiveEachProducerTransactionsOfItsOwn() {
        Program.packets(directory, "-c", "60", "-d", "--producers", "3", "-v", "-n", "5");

        List<Long> ids = packets(packet -> packet.metadata().transactionId());
        Set<Long> different = new HashSet<>(ids);
        assertThat(different).hasSize(12).allMatch(id -> id >= 1 && id <= 12);
    }

    @Test
    void shouldReadThroughABufferIfWanted() {
        Program program = Program.packets(directory, "-c", "5", "-e", "false", "-b", "256");

        assertThat(program.parameter("readMode")).isEqualTo("file, buffer of 256 bytes");
        assertThat(Program.packets(directory, "-c", "5").parameter("readMode")).isEqualTo("mapped");
    }

    @Test
    void shouldExplainAllFlags() {
        Program program = Program.Kind.PACKET.run("-h");

        assertThat(program.code()).isZero();
        assertThat(program.out())
                .contains("-l, --logLocation DIR", "-v, --populateStorePacketMetadata", "--messagesPerPacket N")
                .contains("-e, --readUsingMappedMemory", "--tail", "--logMode", "-n, --numPerCommit")
                .contains("-c, --count N", "-t, --warmupTime", "-y, --syncOnCommit", "-d, --detached");
        assertThat(program.out().lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void shouldFailInOneLineIfTheLogIsLockedOrOneOfMessages() {
        LogConfig config = LogConfig.builder(directory.resolve("logs/packets"))
                .segmentLength(1 << 20)
                .build();
        try (PacketLogger holder = PacketLogger.open(config)) {
            assertThat(failure("logs")).contains("log is open for writing elsewhere");
            assertThat(holder.lastSequence()).isZero();
        }
        Path other = directory.resolve("other/packets");
        MessageLogger.open(LogConfig.builder(other).segmentLength(1 << 20).build())
                .close();

        assertThat(failure("other")).contains("MessageLogger");
    }

    private String failure(String log) {
        Program program = Program.packets(
                directory, "-c", "5", "-l", directory.resolve(log).toString());
        assertThat(program.code()).isEqualTo(Command.FAILED);
        assertThat(program.err().lines()).hasSize(1).allMatch(line -> line.startsWith("persist packet: "));
        return program.err();
    }

    @Test
    void shouldRefuseInOneLineWhatCannotWork() {
        assertThat(usageError("--messagesPerPacket", "0")).contains("--messagesPerPacket 0 is out of range");
        assertThat(usageError("--messagesPerPacket", "10000")).contains("--segmentSize 1 holds packets of");
        assertThat(usageError("--messagesPerPacket", "1000000", "--messageSize", "1000000"))
                .contains("--segmentSize 1 holds packets of");
        assertThat(usageError("-v", "maybe")).contains("-v maybe is none of true, false");
        assertThat(usageError("-e", "maybe")).contains("-e maybe is none of true, false");
        assertThat(usageError("--logMode", "r")).contains("--logMode r is none of rw, rws, rwd");
        assertThat(usageError("-k", "x")).contains("unknown flag -k");
    }

    private String usageError(String... args) {
        return Program.packets(directory, args).usageError();
    }

    /** What {@code look} finds in each packet of the log. */
    private <T> List<T> packets(Function<PacketReader, T> look) {
        List<T> found = new ArrayList<>();
        PacketReader reader = new PacketReader();
        LogConfig config = LogConfig.builder(directory.resolve("logs/packets")).build();
        try (Tailer tailer = Tailer.open(
                config.directory(),
                TailerConfig.builder().content(LogContent.PACKETS).build())) {
            while (tailer.next()) {
                found.add(look.apply(reader.wrap(tailer.payload())));
            }
        }
        return found;
    }
}
