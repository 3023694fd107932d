package io.persist.bench.device.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OffsetsTest {

    private static final int BLOCK = 4096;
    private static final long LENGTH = 100L * BLOCK + 5; // not a whole number of blocks

    private static long[] first(int count, Pattern pattern, long seed) {
        Offsets offsets = new Offsets(pattern, LENGTH, BLOCK, seed);
        return LongStream.generate(offsets::next).limit(count).toArray();
    }

    @Test
    void shouldDrawTheSameBlocksForTheSameSeed() {
        assertThat(first(1000, Pattern.RAND, 7)).isEqualTo(first(1000, Pattern.RAND, 7));
        assertThat(first(1000, Pattern.RAND, 7)).isNotEqualTo(first(1000, Pattern.RAND, 8));
    }

    @Test
    void shouldBeAlignedAndWithinTheFile() {
        for (Pattern pattern : new Pattern[] {Pattern.SEQ, Pattern.RAND}) {
            assertThat(LongStream.of(first(10_000, pattern, 1)).boxed())
                    .allMatch(offset -> offset % BLOCK == 0)
                    .allMatch(offset -> offset >= 0 && offset + BLOCK <= LENGTH);
            assertThat(LongStream.of(first(10_000, pattern, 1)).distinct().count())
                    .isEqualTo(100);
        }
    }

    @Test
    void shouldGoRoundInSequenceAndEndWhereItAppends() {
        assertThat(first(102, Pattern.SEQ, 1)).startsWith(0, BLOCK, 2 * BLOCK).endsWith(99L * BLOCK, 0, BLOCK);
        Offsets appended = new Offsets(Pattern.APPEND, LENGTH, BLOCK, 1);
        for (int i = 0; i < 100; i++) {
            assertThat(appended.next()).isEqualTo((long) i * BLOCK);
        }
        assertThat(appended.next()).isEqualTo(Offsets.FULL);
        appended.restart();
        assertThat(appended.next()).isZero();
    }
}
