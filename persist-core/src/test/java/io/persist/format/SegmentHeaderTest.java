package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentHeaderTest {

    private static final SegmentHeader HEADER = new SegmentHeader(1 << 20, 8192, -5, 6, 1_700_000_000_000L);

    private final ByteBuffer bytes = ByteBuffer.wrap(HEADER.encode()).order(ByteOrder.LITTLE_ENDIAN);

    @Test
    void shouldDecodeWhatItEncodes() {
        assertThat(HEADER.encode())
                .hasSize(SegmentHeader.LENGTH)
                .startsWith("PERSIST1".getBytes(StandardCharsets.US_ASCII));
        assertThat(decode()).isEqualTo(HEADER);
        assertThat(SegmentHeader.decode(bytes.order(ByteOrder.BIG_ENDIAN), "x.log", 8192, 1 << 20))
                .isEqualTo(HEADER);
    }

    @Test
    void shouldKnowItsPositions() {
        assertThat(HEADER.endPosition()).isEqualTo((1 << 20) + 8192);
        assertThat(HEADER.firstFramePosition()).isEqualTo((1 << 20) + 64);
    }

    @Test
    void shouldLeaveTheBuffersPositionAlone() {
        bytes.position(64);
        assertThat(decode()).isEqualTo(HEADER);
        assertThat(bytes.position()).isEqualTo(64);
    }

    @Test
    void shouldRefuseAnotherMagic() {
        bytes.putLong(SegmentHeader.MAGIC_OFFSET, SegmentHeader.MAGIC + 1);
        assertCorrupt("no magic");
        sign();
        assertCorrupt("no magic");
    }

    @Test
    void shouldRefuseFewerBytesThanAHeader() {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> SegmentHeader.decode(bytes.slice(0, 63), "x.log", 63, 0));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> SegmentHeader.decode(ByteBuffer.allocate(0), "x.log", 0, 0))
                .withMessageContaining("empty file, file=x.log");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, Integer.MAX_VALUE, 0, -1, Integer.MIN_VALUE})
    void shouldRefuseAnotherVersionAsUnsupported(int version) {
        bytes.putInt(SegmentHeader.VERSION_OFFSET, version);
        new PersistVersion(0, 3, 1).put(bytes, SegmentHeader.WRITTEN_BY_OFFSET);
        sign();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::decode)
                .withMessageContaining("version=" + version + ",")
                .withMessageEndingWith("file=x.log; open it with Persist 0.3.1, which wrote it, or a later version")
                .matches(e -> e.isNewer() && e.file().equals("x.log"));
    }

    @Test
    void shouldSayWhichVersionWroteIt() {
        assertThat(decode().writtenBy()).isEqualTo(PersistVersion.CURRENT);
        PersistVersion.UNKNOWN.put(bytes, SegmentHeader.WRITTEN_BY_OFFSET);
        sign();
        assertThat(decode().writtenBy()).isEqualTo(PersistVersion.UNKNOWN);
        assertThat(decode().encode()).isEqualTo(bytes.array());
        bytes.putInt(SegmentHeader.VERSION_OFFSET, 2);
        sign();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::decode)
                .withMessageEndingWith("; open it with the version of Persist that wrote it");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 1 << 15, 0x10002})
    void shouldRefuseAnUnknownRequiredFlag(int flags) {
        bytes.putInt(SegmentHeader.FLAGS_OFFSET, flags);
        sign();
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(this::decode);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, 1 << 31, 0xFFFF0000})
    void shouldAcceptAnUnknownOptionalFlag(int flags) {
        bytes.putInt(SegmentHeader.FLAGS_OFFSET, flags);
        sign();
        assertThat(decode().flags()).isEqualTo(flags);
        assertThat(decode().isVacated()).isFalse();
    }

    @Test
    void shouldCallDamageCorruptAndNotUnsupported() {
        bytes.putInt(SegmentHeader.VERSION_OFFSET, 2);
        assertCorrupt("wrong checksum");
    }

    @Test
    void shouldRefuseTheHeaderOfAnotherPlace() {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> SegmentHeader.decode(bytes, "x.log", 8192, 0))
                .withMessageContaining("belongs to position 1048576")
                .satisfies(e -> {
                    assertThat(e.file()).isEqualTo("x.log");
                    assertThat(e.position()).isZero();
                });
    }

    @Test
    void shouldRefuseAFileOfAnotherLength() {
        for (long fileLength : new long[] {0, 64, 8184, 8200, 1L << 33}) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> SegmentHeader.decode(bytes, "x.log", fileLength, 1 << 20))
                    .withMessageContaining("should be 8192 but is " + fileLength);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 64, 4088, 8193, (1L << 30) + 8, 1L << 31, (1L << 32) + 8192, -8192, Long.MIN_VALUE})
    void shouldRefuseALengthOutOfBoundsThoughTheFileHasIt(long length) {
        bytes.putLong(SegmentHeader.SEGMENT_LENGTH_OFFSET, length);
        sign();
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> SegmentHeader.decode(bytes, "x.log", length, 1 << 20));
    }

    @ParameterizedTest
    @ValueSource(longs = {SegmentHeader.MIN_SEGMENT_LENGTH, SegmentHeader.MAX_SEGMENT_LENGTH})
    void shouldAcceptTheBoundsThemselves(long length) {
        bytes.putLong(SegmentHeader.SEGMENT_LENGTH_OFFSET, length);
        sign();
        assertThat(SegmentHeader.decode(bytes, "x.log", length, 1 << 20).segmentLength())
                .isEqualTo((int) length);
    }

    @Test
    void shouldRefuseEveryFlippedBit() {
        for (int bit = 0; bit < SegmentHeader.LENGTH * 8; bit++) {
            Frames.flipBit(bytes, bit);
            assertThat(catchThrowable(this::decode)).as("bit %s", bit).isInstanceOf(PersistException.class);
            Frames.flipBit(bytes, bit);
        }
        assertThat(decode()).isEqualTo(HEADER);
    }

    private SegmentHeader decode() {
        return SegmentHeader.decode(bytes, "x.log", 8192, 1 << 20);
    }

    private void assertCorrupt(String message) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::decode)
                .withMessageContaining(message)
                .withMessageContaining("file=x.log");
    }

    /** Gives the changed header the right checksum. */
    private void sign() {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, SegmentHeader.CHECKSUM_OFFSET);
        bytes.putInt(SegmentHeader.CHECKSUM_OFFSET, (int) crc.getValue());
    }
}
