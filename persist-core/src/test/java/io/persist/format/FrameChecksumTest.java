package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class FrameChecksumTest {

    private static final int LENGTH = Frame.HEADER_LENGTH + 40;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN);
    private final FrameChecksum checksum = new FrameChecksum(buffer);

    FrameChecksumTest() {
        byte[] bytes = new byte[256];
        new Random(7).nextBytes(bytes);
        buffer.put(0, bytes);
    }

    @Test
    void shouldBeTheCrc32cFromTheSequenceOnMixedWithSaltPositionAndLength() {
        CRC32C crc = new CRC32C();
        crc.update(Frames.bytes(buffer, 8 + Frame.SEQUENCE_OFFSET, LENGTH - Frame.SEQUENCE_OFFSET));

        assertThat(checksum.of(8, LENGTH, 11, 4096))
                .isEqualTo((int) crc.getValue() ^ FrameChecksum.mix(11, 4096, LENGTH));
    }

    @Test
    void shouldKeepTheMixThatFilesWereWrittenWith() {
        // Part of the file format, worked out once with another implementation.
        assertThat(FrameChecksum.mix(0, 0, 0)).isZero();
        assertThat(FrameChecksum.mix(1, 0, 0)).isEqualTo(0xDABF29AE);
        assertThat(FrameChecksum.mix(0x123456789ABCDEF0L, 64, 280)).isEqualTo(0x80A7F504);
    }

    @Test
    void shouldLeaveTheBufferAlone() {
        buffer.limit(100).position(50);
        checksum.of(8, LENGTH, 1, 2);

        assertThat(buffer.position()).isEqualTo(50);
        assertThat(buffer.limit()).isEqualTo(100);
    }

    @Test
    void shouldGiveTheSameWhenAskedAgain() {
        int first = checksum.of(8, LENGTH, 1, 2);
        checksum.of(128, 100, 3, 4);
        assertThat(checksum.of(8, LENGTH, 1, 2)).isEqualTo(first);
    }

    @Test
    void shouldNoticeEveryFlippedBitOfWhatItCovers() {
        int right = checksum.of(8, LENGTH, 1, 2);
        for (int bit = (8 + Frame.SEQUENCE_OFFSET) * 8; bit < (8 + LENGTH) * 8; bit++) {
            Frames.flipBit(buffer, bit);
            assertThat(checksum.of(8, LENGTH, 1, 2)).as("bit %s", bit).isNotEqualTo(right);
            Frames.flipBit(buffer, bit);
        }
    }

    @Test
    void shouldDifferWithSaltPositionAndLength() {
        Random random = new Random(Seeds.seed());
        Set<Integer> mixes = new HashSet<>();
        long salt = random.nextLong();
        int collisions = 0;
        for (int i = 0; i < 1_000; i++) {
            collisions += mixes.add(FrameChecksum.mix(salt + i, 64, 280)) ? 0 : 1;
            collisions += mixes.add(FrameChecksum.mix(salt, 128 + 8L * i, 280)) ? 0 : 1;
            collisions += mixes.add(FrameChecksum.mix(salt, 64, 281 + i)) ? 0 : 1;
        }
        // 3,000 draws of 32 bits: one equal pair in a thousand runs.
        assertThat(collisions).isLessThanOrEqualTo(2);
    }
}
