package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.archive.ArchiveManifest;
import io.persist.backup.BackupFile.State;
import io.persist.error.CorruptLogException;
import io.persist.format.PersistVersion;
import io.persist.log.LogContent;
import io.persist.support.Docs;
import io.persist.support.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupManifestTest {

    private static final BackupManifest MANIFEST = new BackupManifest(
            0x1122334455667788L,
            LogContent.MESSAGES,
            67109184,
            239675,
            List.of(
                    new BackupFile("00000000000000000000.log", 67108864, 0x0a1b2c3d, State.SETTLED),
                    new BackupFile("00000000000067108864.log", 67108864, 0x1a2b3c4d, State.OPEN),
                    new BackupFile("control", 4096, 0x2a3b4c5d, State.OPEN)));

    @Test
    void shouldBeAsTheDocumentShows() {
        String document = Docs.read("docs/backups.md");
        int begin = document.indexOf("    persist-backup 1\n");
        String shown = document.substring(begin, document.indexOf("\n\n", begin) + 1);
        byte[] text = shown.replaceAll("(?m)^    ", "").getBytes(StandardCharsets.UTF_8);
        assertThat(BackupManifest.decode(text)).isEqualTo(MANIFEST);
        assertThat(BackupManifest.decode(MANIFEST.encode())).isEqualTo(MANIFEST);
        assertThat(new String(MANIFEST.encode(), StandardCharsets.UTF_8))
                .startsWith("persist-backup 1\nby " + PersistVersion.CURRENT + "\nlog ");
    }

    @Test
    void shouldSkipRemarksAndVerifyThem() {
        String text = new String(MANIFEST.encode(), StandardCharsets.UTF_8);
        String lines = text.substring(0, text.lastIndexOf("end "))
                .replaceFirst("by .*\n", "by 0.9.0\nnote compressed by nothing\n");
        byte[] noted = (lines + ArchiveManifest.lastLine(lines, 3) + '\n').getBytes(StandardCharsets.UTF_8);
        assertThat(BackupManifest.decode(noted)).isEqualTo(MANIFEST);
        noted[lines.indexOf("nothing")]++;
        assertThatThrownBy(() -> BackupManifest.decode(noted)).isInstanceOf(CorruptLogException.class);
    }

    /** An application writes it to its log. */
    @Test
    void shouldBeShortAsWords() {
        assertThat(new Backup.Taken(MANIFEST, false, 2, 8192, List.of(), 0))
                .hasToString("Taken[manifest=log 1122334455667788 messages, end 67109184, last record 239675,"
                        + " 3 files of 134221824 bytes, isUpToDate=false, written=2, writtenBytes=8192, leftOut=[],"
                        + " elapsedNs=0]");
        assertThat(MANIFEST.files().get(0)).hasToString("file 00000000000000000000.log 67108864 0a1b2c3d settled");
    }

    @Test
    void shouldNoticeWhateverIsChanged() {
        byte[] whole = MANIFEST.encode();
        Seeds.run(200, seed -> {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            if (random.nextBoolean()) {
                damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            } else {
                damaged = Arrays.copyOf(whole, random.nextInt(whole.length));
            }
            byte[] bad = damaged;
            assertThatThrownBy(() -> BackupManifest.decode(bad))
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageMatching("[ -~]{1,600}");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../evil.log", "/etc/passwd", "..", "writer.lock", "MANIFEST", ".cursor", "a/b.cursor", "c.chk"})
    void shouldRefuseOtherNames(String name) {
        byte[] bad = new BackupManifest(1, LogContent.MESSAGES, 64, 0, List.of(new BackupFile(name, 1, 1, State.OPEN)))
                .encode();
        assertThatThrownBy(() -> BackupManifest.decode(bad))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("no file: ");
    }
}
