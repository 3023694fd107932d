package io.persist.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.PersistVersion;
import io.persist.log.LogContent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveManifestTest {

    private static final ArchiveManifest MANIFEST = new ArchiveManifest(
            0x1122334455667788L,
            LogContent.TRANSACTIONS,
            List.of(
                    new ArchivedSegment(4096, 8192, 71, 140, 0x0A1B2C3D),
                    new ArchivedSegment(8192, 16384, 140, 140, -1)));

    private static final String TEXT = """
            persist-archive 1
            by VERSION
            log 1122334455667788 transactions
            segment 00000000000000004096.log 4096 8192 71 140 0a1b2c3d
            segment 00000000000000008192.log 8192 16384 140 140 ffffffff
            end 2\s""".replace("VERSION", PersistVersion.CURRENT.toString());

    @Test
    void shouldBeReadAsItWasWritten() {
        byte[] bytes = MANIFEST.encode();
        assertThat(new String(bytes, StandardCharsets.UTF_8)).matches("(?s)\\Q" + TEXT + "\\E[0-9a-f]{8}\n");
        assertThat(ArchiveManifest.decode(bytes)).isEqualTo(MANIFEST);
        assertThat(MANIFEST.records()).isEqualTo(69);
        assertThat(MANIFEST.bytes()).isEqualTo(12288);
    }

    /** With right checksums; what is damaged is not taken for newer. */
    @ParameterizedTest
    @ValueSource(strings = {"2", "10", "999999999"})
    void shouldTellANewerVersion(String version) {
        byte[] newer = whole("persist-archive " + version + "\nlog of another form\nwhatever 1 2 3\n", 7);
        assertThatThrownBy(() -> ArchiveManifest.decode(newer))
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining("'persist-archive " + version + "' in place of 'persist-archive 1'")
                .hasMessageEndingWith("; use the version of Persist that wrote it");
        byte[] named = whole("persist-archive " + version + "\nby 0.3.1\nlog of another form\n", 7);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> ArchiveManifest.decode(named))
                .withMessageEndingWith("; use Persist 0.3.1, which wrote it, or a later version")
                .matches(e -> e.isNewer() && e.file().equals(ArchiveManifest.NAME));
        newer[newer.length - 2] ^= 1;
        assertThatThrownBy(() -> ArchiveManifest.decode(newer)).isInstanceOf(CorruptLogException.class);
    }

    private static byte[] whole(String lines, int count) {
        return (lines + ArchiveManifest.lastLine(lines, count) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** A later version may add some, and this one goes by the rest; but they are under the checksum. */
    @Test
    void shouldSkipRemarksAndVerifyThem() {
        String text = new String(MANIFEST.encode(), StandardCharsets.UTF_8);
        String lines = text.substring(0, text.lastIndexOf("end "));
        String by = "by " + PersistVersion.CURRENT + "\n";
        for (String noted : List.of(
                lines.replace(by, ""),
                lines.replace(by, "by 0.9.0\nnote \nnote of any kind: \u00e4 1 2 3\n"),
                lines.replace("segment", "note segment x\nsegment"),
                lines + "note end 1 00000000\n")) {
            byte[] bytes = whole(noted, 2);
            assertThat(ArchiveManifest.decode(bytes)).isEqualTo(MANIFEST);
            for (int bit = 0; bit < bytes.length * 8; bit++) {
                byte[] changed = bytes.clone();
                changed[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> ArchiveManifest.decode(changed))
                        .as("bit " + bit)
                        .isInstanceOf(CorruptLogException.class);
            }
        }
        for (String wrong : List.of(
                lines.replace("1122334455667788", "1122334455667788 "),
                lines.replace(by, by + "notes are no remark\n"),
                lines.replace(by, by + "by\n"),
                lines.replace("8192 71", "8192  71"))) {
            assertThatThrownBy(() -> ArchiveManifest.decode(whole(wrong, 2))).isInstanceOf(CorruptLogException.class);
        }
        assertThatThrownBy(() -> ArchiveManifest.decode(whole(lines, 3))).isInstanceOf(CorruptLogException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "-2", "02", "x", "", "99999999999"})
    void shouldNotTakeAnythingElseForANewerVersion(String version) {
        String before = "persist-archive " + version + "\nwhatever 1 2 3\n";
        byte[] bytes = (before + ArchiveManifest.lastLine(before, 7) + '\n').getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ArchiveManifest.decode(bytes)).isInstanceOf(CorruptLogException.class);
    }

    @Test
    void shouldRefuseAPartOfIt() {
        byte[] bytes = MANIFEST.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ArchiveManifest.decode(part)).isInstanceOf(CorruptLogException.class);
        }
    }

    @Test
    void shouldRefuseEveryChangedBit() {
        byte[] bytes = MANIFEST.encode();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] changed = bytes.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> ArchiveManifest.decode(changed))
                    .as("bit " + bit)
                    .isInstanceOf(CorruptLogException.class);
        }
    }

    @Test
    void shouldRefuseSegmentsThatDoNotFollowEachOther() {
        byte[] gap = new ArchiveManifest(
                        1,
                        LogContent.MESSAGES,
                        List.of(new ArchivedSegment(0, 4096, 1, 2, 0), new ArchivedSegment(8192, 12288, 2, 3, 0)))
                .encode();
        assertThatThrownBy(() -> ArchiveManifest.decode(gap))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("a segment is missing before");
    }
}
