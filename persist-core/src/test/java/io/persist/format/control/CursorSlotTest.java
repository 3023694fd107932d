package io.persist.format.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.UnsupportedFormatException;
import io.persist.format.PersistVersion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorSlotTest {

    private static final CursorSlot SLOT = new CursorSlot(7, -5, 4160, 42, 1_700_000_000_000L, 4711);

    private static byte[] bytes(CursorSlot slot) {
        ByteBuffer bytes = CursorSlot.allocate();
        slot.encode(bytes);
        return bytes.array();
    }

    @Test
    void shouldDecodeWhatItEncodes() {
        assertThat(bytes(SLOT)).hasSize(CursorSlot.LENGTH).startsWith("PERSCURS".getBytes(StandardCharsets.US_ASCII));
        assertThat(CursorSlot.decode(bytes(SLOT), "a.cursor")).isEqualTo(SLOT);
    }

    @Test
    void shouldWriteOverWhatTheBufferHeld() {
        ByteBuffer bytes = CursorSlot.allocate();
        Arrays.fill(bytes.array(), (byte) -1);
        SLOT.encode(bytes);
        assertThat(bytes.array()).isEqualTo(bytes(SLOT));
    }

    @Test
    void shouldTakeTurns() {
        assertThat(CursorSlot.offset(1)).isZero();
        assertThat(CursorSlot.offset(2)).isEqualTo(4096);
        assertThat(CursorSlot.offset(3)).isZero();
        assertThat(CursorSlot.FILE_LENGTH).isEqualTo(8192);
    }

    @Test
    void shouldRefuseASlotOfWhichAnyBitIsWrong() {
        for (int bit = 0; bit < 8 * CursorSlot.LENGTH; bit++) {
            byte[] wrong = bytes(SLOT);
            wrong[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(CursorSlot.decode(wrong, "a.cursor")).as("bit " + bit).isNull();
        }
    }

    @Test
    void shouldRefuseASlotThatIsTornAnywhereOverAnotherOrOverZeros() {
        byte[] before = bytes(new CursorSlot(5, -5, 64, 1, 1_600_000_000_000L, 12));
        byte[] after = bytes(SLOT);
        for (byte[] under : new byte[][] {before, new byte[CursorSlot.LENGTH]}) {
            for (int cut = 1; cut < CursorSlot.LENGTH; cut++) {
                byte[] head = under.clone();
                System.arraycopy(after, 0, head, 0, cut);
                byte[] tail = after.clone();
                System.arraycopy(under, 0, tail, 0, cut);
                for (byte[] torn : new byte[][] {head, tail}) {
                    boolean isWhole = Arrays.equals(torn, before) || Arrays.equals(torn, after);
                    assertThat(CursorSlot.decode(torn, "a.cursor") != null)
                            .as("cut at " + cut)
                            .isEqualTo(isWhole);
                }
            }
        }
    }

    @Test
    void shouldTakeZerosForNothing() {
        assertThat(CursorSlot.decode(new byte[CursorSlot.LENGTH], "a.cursor")).isNull();
    }

    /** It would be the newest one for ever, whatever is stored after it. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 62) + 1})
    void shouldTakeAnImpossibleGenerationForNothing(long generation) {
        CursorSlot forged = new CursorSlot(generation, -5, 4160, 42, 1_700_000_000_000L, 4711);
        assertThat(CursorSlot.decode(bytes(forged), "a.cursor")).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, Integer.MAX_VALUE, 0, -1, Integer.MIN_VALUE})
    void shouldRefuseAnotherVersion(int version) {
        byte[] newer = bytes(SLOT);
        assertThat(PersistVersion.get(ByteBuffer.wrap(newer), CursorSlot.WRITTEN_BY_OFFSET))
                .isEqualTo(PersistVersion.CURRENT);
        new PersistVersion(0, 3, 1).put(ByteBuffer.wrap(newer), CursorSlot.WRITTEN_BY_OFFSET);
        ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN).putInt(CursorSlot.VERSION_OFFSET, version);
        assertThat(CursorSlot.decode(newer, "a.cursor")).as("not signed").isNull();
        sign(newer);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> CursorSlot.decode(newer, "a.cursor"))
                .withMessageContaining("version=" + version + ",")
                .withMessageEndingWith("file=a.cursor; use it with Persist 0.3.1, which wrote it, or a later version")
                .matches(e -> e.isNewer() && e.file().equals("a.cursor"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRefuseAnUnknownRequiredFlag(int index) {
        byte[] newer = bytes(SLOT);
        newer[CursorSlot.FLAGS_OFFSET + index] = 1;
        sign(newer);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> CursorSlot.decode(newer, "a.cursor"));
    }

    @Test
    void shouldIgnoreAnUnknownOptionalFlag() {
        byte[] newer = bytes(SLOT);
        newer[CursorSlot.FLAGS_OFFSET + 2] = 1;
        newer[CursorSlot.RESERVED_OFFSET] = 9;
        sign(newer);
        assertThat(CursorSlot.decode(newer, "a.cursor")).isEqualTo(SLOT);
    }

    private static void sign(byte[] slot) {
        CRC32C crc = new CRC32C();
        crc.update(slot, 0, CursorSlot.CHECKSUM_OFFSET);
        ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN).putInt(CursorSlot.CHECKSUM_OFFSET, (int) crc.getValue());
    }
}
