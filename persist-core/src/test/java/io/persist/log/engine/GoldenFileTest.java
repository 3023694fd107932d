package io.persist.log.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
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
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logs that earlier versions wrote stay readable. {@code golden/v1} is a small log as version 1 of the format has it, and
 * {@code golden/v1.txt} what is in it. Golden files are never edited, only added.
 */
class GoldenFileTest {

    private static final List<String> FILES =
            List.of(LogFileName.CONTROL, LogFileName.segment(0), LogFileName.segment(4096), LogFileName.segment(8192));

    @TempDir
    Path directory;

    @BeforeEach
    void copyGoldenFiles() throws IOException {
        for (String file : FILES) {
            Files.write(directory.resolve(file), resource("/golden/v1/" + file));
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldReadALogOfVersion1(ReadMode mode) throws IOException {
        assertThat(dump(TailerConfig.builder().readMode(mode).build())).isEqualTo(expected());
    }

    @Test
    void shouldReadALogOfVersion1WithoutItsControlBlock() throws IOException {
        Files.delete(directory.resolve(LogFileName.CONTROL));
        assertThat(dump(TailerConfig.defaults())).isEqualTo(expected());
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldAppendToALogOfVersion1(WriteMode mode) throws IOException {
        LogConfig config =
                LogConfig.builder(directory).segmentLength(4096).writeMode(mode).build();
        List<String> expected = expected();
        try (Log log = Log.open(config)) {
            assertThat(log.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
            assertThat(log.recovery().reason().row()).isEqualTo("A");
            assertThat(log.recovery().cut().bytes()).isZero();
            log.append("new".getBytes(ISO_8859_1), 0, 3);
            assertThat(log.lastSequence()).isEqualTo(expected.size() + 1);
        }
        assertThat(dump(TailerConfig.defaults()))
                .startsWith(expected.toArray(String[]::new))
                .hasSize(expected.size() + 1);
    }

    /** {@code billing.cursor} was stored behind record 1 and then behind record 3. */
    @Test
    void shouldGoOnAtACursorOfVersion1() throws IOException {
        Files.write(directory.resolve("billing.cursor"), resource("/golden/v1/billing.cursor"));
        try (Tailer tailer = Tailer.open(directory, "billing")) {
            assertThat(tailer.nextPosition()).isEqualTo(160);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(4);
            tailer.store();
        }
    }

    private List<String> dump(TailerConfig config) {
        List<String> lines = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory, config)) {
            while (tailer.next()) {
                byte[] payload = new byte[tailer.payload().remaining()];
                tailer.payload().get(tailer.payload().position(), payload);
                CRC32C crc = new CRC32C();
                crc.update(payload);
                lines.add(String.format(
                        Locale.ROOT,
                        "sequence=%d position=%d startsCommit=%s length=%d crc32c=%08x text=%s",
                        tailer.sequence(),
                        tailer.position(),
                        tailer.startsCommit(),
                        payload.length,
                        crc.getValue(),
                        new String(payload, 0, Math.min(payload.length, 20), ISO_8859_1)));
            }
        }
        return lines;
    }

    private static List<String> expected() throws IOException {
        return new String(resource("/golden/v1.txt"), ISO_8859_1).lines().toList();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = GoldenFileTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}
