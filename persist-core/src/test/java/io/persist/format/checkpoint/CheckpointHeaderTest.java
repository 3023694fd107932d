package io.persist.format.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.CorruptLogException;
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

class CheckpointHeaderTest {

    private static final long POSITION = 1L << 40;
    private static final CheckpointHeader HEADER =
            new CheckpointHeader(-6, POSITION, 77, -5, 1_700_000_000_000L, POSITION - 8, -9);

    private final byte[] bytes = HEADER.encode();

    private CheckpointHeader decode() {
        return CheckpointHeader.decode(bytes, "x.chk", POSITION);
    }

    private void putAndSign(int offset, int value) {
        ByteBuffer header =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, value);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CheckpointHeader.CHECKSUM_OFFSET);
        header.putInt(CheckpointHeader.CHECKSUM_OFFSET, (int) crc.getValue());
    }

    private void assertCorrupt(byte[] header, String message) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> CheckpointHeader.decode(header, "x.chk", POSITION))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.file()).isEqualTo("x.chk"));
    }

    @Test
    void shouldDecodeWhatItEncodes() {
        assertThat(bytes).hasSize(CheckpointHeader.LENGTH).startsWith("PERSCHKP".getBytes(StandardCharsets.US_ASCII));
        assertThat(decode()).isEqualTo(HEADER);
        assertThat(HEADER.isWhole()).isFalse();
    }

    @Test
    void shouldSayWhichVersionWroteIt() {
        assertThat(decode().writtenBy()).isEqualTo(PersistVersion.CURRENT);
        PersistVersion.UNKNOWN.put(ByteBuffer.wrap(bytes), CheckpointHeader.WRITTEN_BY_OFFSET);
        putAndSign(CheckpointHeader.VERSION_OFFSET, CheckpointHeader.VERSION);
        assertThat(decode().writtenBy()).isEqualTo(PersistVersion.UNKNOWN);
    }

    @Test
    void shouldDecodeAWholeOne() {
        CheckpointHeader whole = new CheckpointHeader(-6, 0, 0, -5, 1, CheckpointHeader.NONE, 0);
        assertThat(CheckpointHeader.decode(whole.encode(), "x.chk", 0)).isEqualTo(whole);
        assertThat(whole.isWhole()).isTrue();
    }

    @Test
    void shouldRefuseEveryFlippedBit() {
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(catchThrowable(this::decode)).as("bit %s", bit).isInstanceOf(CorruptLogException.class);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(decode()).isEqualTo(HEADER);
    }

    @Test
    void shouldRefuseFewerBytesThanAHeader() {
        for (int length = 0; length < CheckpointHeader.LENGTH; length++) {
            assertCorrupt(Arrays.copyOf(bytes, length), "no magic");
        }
    }

    @Test
    void shouldRefuseAnotherMagicThoughTheChecksumFits() {
        putAndSign(CheckpointHeader.MAGIC_OFFSET, 0);
        assertCorrupt(bytes, "no magic");
    }

    @Test
    void shouldRefuseTheHeaderOfAnotherPosition() {
        putAndSign(CheckpointHeader.POSITION_OFFSET, 8);
        assertCorrupt(bytes, "belongs to position " + (POSITION + 8));
    }

    /** It would be the first of a circle, or of a chain that never ends. */
    @ParameterizedTest
    @ValueSource(longs = {-2, Long.MIN_VALUE, POSITION, POSITION + 1, Long.MAX_VALUE})
    void shouldRefuseAPredecessorThatIsNotBefore(long predecessor) {
        byte[] header = new CheckpointHeader(-6, POSITION, 77, -5, 1, predecessor, 0).encode();
        assertCorrupt(header, "impossible position of the checkpoint before: " + predecessor);
    }

    /** The log would be asked for a record with the number after that. */
    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void shouldRefuseANumberThatNoRecordHas(long sequence) {
        byte[] header = new CheckpointHeader(-6, POSITION, sequence, -5, 1, CheckpointHeader.NONE, 0).encode();
        assertCorrupt(header, "impossible number of the record before the checkpoint: " + sequence);
    }

    /** Its header was shorter, so its checksum is at another place: nothing but the version is looked at. */
    @Test
    void shouldRefuseTheVersionBefore() {
        bytes[CheckpointHeader.VERSION_OFFSET] = 1;
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::decode)
                .withMessageContaining("version=1")
                .withMessageContaining("file=x.chk")
                .withMessageContaining("move it away");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void shouldRefuseAVersionThatThereNeverWas(int version) {
        putAndSign(CheckpointHeader.VERSION_OFFSET, version);
        assertCorrupt(bytes, "impossible version");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, Integer.MAX_VALUE})
    void shouldRefuseANewerVersion(int version) {
        new PersistVersion(0, 3, 1).put(ByteBuffer.wrap(bytes), CheckpointHeader.WRITTEN_BY_OFFSET);
        putAndSign(CheckpointHeader.VERSION_OFFSET, version);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::decode)
                .withMessageContaining("version=" + version)
                .withMessageEndingWith("file=x.chk; open it with Persist 0.3.1, which wrote it, or a later version")
                .matches(e -> e.isNewer() && e.file().equals("x.chk"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1 << 15, 0x10001})
    void shouldRefuseAnUnknownRequiredFlag(int flags) {
        putAndSign(CheckpointHeader.FLAGS_OFFSET, flags);
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(this::decode);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, 1 << 31, 0xFFFF0000})
    void shouldAcceptAnUnknownOptionalFlag(int flags) {
        putAndSign(CheckpointHeader.FLAGS_OFFSET, flags);
        assertThat(decode()).isEqualTo(HEADER);
    }
}
