package io.persist.format.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.CorruptLogException;
import io.persist.support.Seeds;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointFooterTest {

    private static final long SALT = -5;

    /** Three nodes, 100 ids in two words, four segments; the directory has 104 bytes. */
    private static final CheckpointFooter FOOTER = new CheckpointFooter(3, 2, 4, 99, 2, 100, 1000, 7, -8);

    private static final long FILE_LENGTH = 4096 * 4 + 104 + CheckpointFooter.LENGTH;

    private static CheckpointFooter decode(byte[] bytes, long fileLength, long salt) {
        return CheckpointFooter.decode(bytes, "x.chk", fileLength, salt);
    }

    private static void assertCorrupt(CheckpointFooter footer, String message) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> decode(footer.encode(SALT), FILE_LENGTH, SALT))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.file()).isEqualTo("x.chk"))
                .satisfies(e -> assertThat(e.position()).isEqualTo(FILE_LENGTH - CheckpointFooter.LENGTH));
    }

    @Test
    void shouldDecodeWhatItEncodes() {
        assertThat(FOOTER.encode(SALT)).hasSize(CheckpointFooter.LENGTH);
        assertThat(decode(FOOTER.encode(SALT), FILE_LENGTH, SALT)).isEqualTo(FOOTER);
        assertThat(FOOTER.directoryLength()).isEqualTo(104);
    }

    @Test
    void shouldDecodeThatOfAnIndexWithoutKeysAndOfOneThatHasNoNodeItself() {
        CheckpointFooter smallest = new CheckpointFooter(0, 1, 0, 0, 1, 1, 0, 1, 0);
        assertThat(decode(smallest.encode(SALT), 4096 + 8 + CheckpointFooter.LENGTH, SALT))
                .isEqualTo(smallest);
    }

    @Test
    void shouldRefuseEveryFlippedBit() {
        byte[] bytes = FOOTER.encode(SALT);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(catchThrowable(() -> decode(bytes, FILE_LENGTH, SALT)))
                    .as("bit %s", bit)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining("wrong checksum");
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(decode(bytes, FILE_LENGTH, SALT)).isEqualTo(FOOTER);
    }

    @Test
    void shouldRefuseThatOfAnotherFile() {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            long salt = SALT ^ 1L << bit;
            assertThat(catchThrowable(() -> decode(FOOTER.encode(SALT), FILE_LENGTH, salt)))
                    .as("bit %s of the salt", bit)
                    .isInstanceOf(CorruptLogException.class);
        }
    }

    @Test
    void shouldRefuseZeros() {
        assertThat(catchThrowable(() -> decode(new byte[CheckpointFooter.LENGTH], FILE_LENGTH, SALT)))
                .isInstanceOf(CorruptLogException.class);
    }

    // ---- what somebody wrote who knows the checksum

    @ParameterizedTest
    @CsvSource({"-1,2,4", "3,-1,4", "3,2,-1", "-2147483648,-2147483648,-2147483648"})
    void shouldRefuseNegativeNumbers(int nodes, int words, int segments) {
        assertCorrupt(
                new CheckpointFooter(nodes, words, segments, 99, 2, 100, 1000, 7, -8),
                "impossible numbers in the footer: nodes=" + nodes);
    }

    /** The last one would need more memory than an array can have. */
    @ParameterizedTest
    @CsvSource({"0,2,4", "2,2,4", "4,2,4", "3,1,4", "3,3,4", "3,2,3", "3,2,5", "2147483647,2147483647,2147483647"})
    void shouldRefuseNumbersThatDoNotFitTheFile(int nodes, int words, int segments) {
        assertCorrupt(
                new CheckpointFooter(nodes, words, segments, 99, 2, 100, 1000, 7, -8),
                "and the file has " + FILE_LENGTH);
    }

    @Test
    void shouldRefuseADirectoryThatIsLongerThanAnArray() {
        CheckpointFooter footer = new CheckpointFooter(0, 2, 1 << 27, 99, 2, 100, 1000, 7, -8);
        long fits = 4096 + footer.directoryLength() + CheckpointFooter.LENGTH;
        assertThat(catchThrowable(() -> decode(footer.encode(SALT), fits, SALT)))
                .isInstanceOf(CorruptLogException.class);
    }

    /** There would not be enough memory for what such a file claims to have, although it is sparse. */
    @ParameterizedTest
    @CsvSource({"33554432,2147483647", "16777217,1073741825"})
    void shouldRefuseMoreThanThereCanBe(int words, int idLimit) {
        CheckpointFooter footer = new CheckpointFooter(0, words, 0, 0, 1, idLimit, 0, 1, 0);
        long fits = 4096 + footer.directoryLength() + CheckpointFooter.LENGTH;
        assertThat(catchThrowable(() -> decode(footer.encode(SALT), fits, SALT)))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("impossible");
    }

    /** A log of short segments may have many, and no other checkpoint. What they take is in the file. */
    @Test
    void shouldTakeAsManySegmentsAsTheFileHas() {
        CheckpointFooter footer = new CheckpointFooter(0, 1, 130_000_000, 0, 1, 1, 0, 1, 0);
        long fits = 4096 + footer.directoryLength() + CheckpointFooter.LENGTH;
        assertThat(decode(footer.encode(SALT), fits, SALT)).isEqualTo(footer);
    }

    @ParameterizedTest
    @CsvSource({"100,100", "-1,100", "2147483647,100", "0,0", "0,64", "0,129", "0,-1", "0,2147483647", "0,-2147483648"})
    void shouldRefuseImpossibleIds(int root, int idLimit) {
        assertCorrupt(
                new CheckpointFooter(3, 2, 4, root, 2, idLimit, 1000, 7, -8),
                "impossible ids in the footer: root=" + root);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0,1",
        "-1,0,1",
        "33,0,1",
        "2147483647,0,1",
        "1,-1,1",
        "1,9223372036854775807,1",
        "1,0,0",
        "1,0,-1",
        "1,0,9223372036854775807"
    })
    void shouldRefuseAnImpossibleTree(int height, long keys, long version) {
        assertCorrupt(
                new CheckpointFooter(3, 2, 4, 99, height, 100, keys, version, -8),
                "impossible tree in the footer: height=" + height + ", keys=" + keys + ", version=" + version);
    }

    /** Whatever its fields are: it is taken if it fits the file, else it is damage, and nothing else is thrown. */
    @Test
    void shouldTakeOrRefuseAnything() {
        Seeds.run(10_000, seed -> {
            Random random = new Random(seed);
            UnaryOperator<Integer> some = right -> switch (random.nextInt(8)) {
                case 0 -> random.nextInt();
                case 1 -> random.nextInt() >>> random.nextInt(31);
                default -> right;
            };
            CheckpointFooter footer = new CheckpointFooter(
                    some.apply(3),
                    some.apply(2),
                    some.apply(4),
                    some.apply(99),
                    some.apply(2),
                    some.apply(100),
                    random.nextLong(),
                    random.nextLong(),
                    0);
            try {
                CheckpointFooter read = decode(footer.encode(SALT), FILE_LENGTH, SALT);
                assertThat(read.nodes() * 4096L + read.directoryLength()).isLessThan(FILE_LENGTH);
                assertThat(read.root()).isBetween(0, read.idLimit() - 1);
            } catch (CorruptLogException refused) {
                assertThat(refused.file()).isEqualTo("x.chk");
            }
        });
    }
}
