package io.persist.packet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.ReadMode;
import io.persist.log.RecoveryReport;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logs of packets that earlier versions wrote stay readable. {@code golden/v1-packets} is a small one as version 1 of the
 * format has it, and {@code golden/v1-packets.txt} what is in it. Golden files are never edited, only added.
 */
class PacketGoldenFileTest {

    private static final TailerConfig PACKETS =
            TailerConfig.builder().content(LogContent.PACKETS).build();

    @TempDir
    Path directory;

    @BeforeEach
    void copyGoldenFiles() throws IOException {
        for (String file : List.of(LogFileName.CONTROL, LogFileName.segment(0))) {
            Files.write(directory.resolve(file), resource("/golden/v1-packets/" + file));
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldReadPacketsOfVersion1(ReadMode mode) throws IOException {
        assertThat(dump(TailerConfig.builder()
                        .content(LogContent.PACKETS)
                        .readMode(mode)
                        .build()))
                .isEqualTo(expected());
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldAppendToPacketsOfVersion1(WriteMode mode) throws IOException {
        LogConfig config =
                LogConfig.builder(directory).segmentLength(4096).writeMode(mode).build();
        try (PacketLogger logger = PacketLogger.open(config)) {
            assertThat(logger.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
            logger.append(logger.packet().add("new".getBytes(ISO_8859_1)));
        }
        List<String> expected = expected();
        expected.add("sequence=6 position=624 messages=[new]");
        assertThat(dump(PACKETS)).isEqualTo(expected);
    }

    @Test
    void shouldWriteTheSameBytesAsVersion1() throws IOException {
        List<byte[]> golden = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory, PACKETS)) {
            while (tailer.next()) {
                golden.add(Packets.bytes(tailer.payload()));
            }
        }
        assertThat(golden).usingElementComparator(Arrays::compare).isEqualTo(goldenPackets());
    }

    private static List<byte[]> goldenPackets() {
        List<byte[]> packets = new ArrayList<>();
        Packet packet = new Packet();
        packets.add(Packets.bytes(packet.add("hello".getBytes(ISO_8859_1))));
        packet.clear()
                .metadata()
                .operation(PacketOperation.CREATE)
                .markCommitStart()
                .type(-2);
        packets.add(Packets.bytes(packet));
        packet.clear()
                .metadata()
                .operation(PacketOperation.SEND)
                .markPossibleDuplicate()
                .markCommitEnd()
                .type(0x01020304)
                .objectId(0x1112131415161718L, 0x191A1B1C1D1E1F20L)
                .transactionId(0x2122232425262728L)
                .stableTransactionId(0x3132333435363738L)
                .inSequence(0x4142434445464748L)
                .outSequence(0x5152535455565758L)
                .checkpoint(0x6162636465666768L);
        packet.add("order 1".getBytes(ISO_8859_1)).add(new byte[0]).add("payment 1".getBytes(ISO_8859_1));
        packets.add(Packets.bytes(packet));
        packet.clear();
        for (int i = 1; i <= 12; i++) {
            packet.add("abcdefghijkl".substring(0, i).getBytes(ISO_8859_1));
        }
        packets.add(Packets.bytes(packet));
        packet.clear().metadata().operationCode((byte) 100).checkpoint(-1);
        packets.add(Packets.bytes(packet.add("the last one".getBytes(ISO_8859_1))));
        return packets;
    }

    private List<String> dump(TailerConfig config) {
        List<String> lines = new ArrayList<>();
        PacketReader reader = new PacketReader();
        try (Tailer tailer = Tailer.open(directory, config)) {
            while (tailer.next()) {
                reader.wrap(tailer.payload(), tailer.position());
                List<String> messages = new ArrayList<>();
                while (reader.nextMessage()) {
                    messages.add(ISO_8859_1.decode(reader.message()).toString());
                }
                lines.add(String.format(
                        Locale.ROOT,
                        "sequence=%d position=%d messages=%s%s",
                        tailer.sequence(),
                        tailer.position(),
                        messages,
                        reader.hasMetadata() ? metadata(reader.metadata()) : ""));
            }
        }
        return lines;
    }

    private static String metadata(PacketMetadata metadata) {
        return String.format(
                Locale.ROOT,
                " operation=%s/%d duplicate=%s start=%s end=%s type=%d object=%s transaction=%x stable=%x in=%x out=%x"
                        + " checkpoint=%x",
                metadata.operation(),
                metadata.operationCode(),
                metadata.isPossibleDuplicate(),
                metadata.isCommitStart(),
                metadata.isCommitEnd(),
                metadata.type(),
                metadata.objectId(),
                metadata.transactionId(),
                metadata.stableTransactionId(),
                metadata.inSequence(),
                metadata.outSequence(),
                metadata.checkpoint());
    }

    private static List<String> expected() throws IOException {
        return new ArrayList<>(new String(resource("/golden/v1-packets.txt"), ISO_8859_1)
                .lines()
                .toList());
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = PacketGoldenFileTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}
