package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.CheckpointBlock;
import io.persist.format.CheckpointEntry;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkpoint that is not as it was written is noticed, and shows no entry that was not written. */
class CheckpointDamageTest {

    private static final long POSITION = 4160;
    private static final String NAME = CheckpointName.of(POSITION);
    private static final int FIRST_BLOCK = CheckpointHeader.LENGTH;
    private static final int FIRST_ENTRY = FIRST_BLOCK + CheckpointBlock.HEADER_LENGTH;
    private static final List<Entry> SMALL =
            List.of(entry("task/1", 64, 100), entry("task/10", 200, 0), entry("task/2", 224, 7), entry("x", 300, 9));

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
    }

    private byte[] write(List<Entry> entries) throws IOException {
        CheckpointEntries.write(storage, POSITION, entries);
        return storage.content(NAME);
    }

    /** Reads {@code content}, which has to be damaged; what was shown before must be right. */
    private CorruptLogException readDamaged(byte[] content, List<Entry> written, String what) {
        storage.replace(NAME, content);
        List<Entry> shown = new ArrayList<>();
        Throwable thrown = catchThrowable(() -> CheckpointEntries.readInto(shown, storage, POSITION));
        assertThat(thrown).as(what).isInstanceOf(CorruptLogException.class);
        assertThat(written.subList(0, Math.min(shown.size(), written.size())))
                .as(what)
                .isEqualTo(shown);
        CorruptLogException damage = (CorruptLogException) thrown;
        assertThat(damage.file()).isEqualTo(NAME);
        assertThat(damage.position()).as(what).isBetween(0L, (long) content.length);
        return damage;
    }

    @Test
    void shouldNoticeEachFlippedBit() throws IOException {
        byte[] content = write(SMALL);
        for (int bit = 0; bit < content.length * 8; bit++) {
            byte[] damaged = content.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            readDamaged(damaged, SMALL, "bit " + bit);
        }
    }

    @Test
    void shouldNoticeWhereverItIsCutOrGoesOn() throws IOException {
        byte[] content = write(SMALL);
        for (int length = 0; length < content.length; length++) {
            readDamaged(Arrays.copyOf(content, length), SMALL, "length " + length);
        }
        for (int more : new int[] {1, 16, 32, 4096, 1 << 20}) {
            readDamaged(Arrays.copyOf(content, content.length + more), SMALL, "more " + more);
        }
        byte[] twoFooters = Arrays.copyOf(content, content.length + CheckpointBlock.FOOTER_LENGTH);
        int footer = content.length - CheckpointBlock.FOOTER_LENGTH;
        System.arraycopy(content, footer, twoFooters, content.length, CheckpointBlock.FOOTER_LENGTH);
        readDamaged(twoFooters, SMALL, "two footers");
    }

    @Test
    void shouldNoticeDamageInALargeOne() {
        Seeds.run(50, seed -> {
            Random random = new Random(seed);
            List<Entry> entries = CheckpointEntries.random(random, 1500, 1024);
            byte[] content = write(entries);
            switch (random.nextInt(4)) {
                case 0 -> content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
                case 1 -> content = Arrays.copyOf(content, random.nextInt(content.length));
                case 2 -> {
                    int from = random.nextInt(content.length);
                    int to = from + random.nextInt(content.length - from);
                    byte[] zeros = new byte[1 + to - from];
                    if (Arrays.equals(content, from, to + 1, zeros, 0, zeros.length)) {
                        return;
                    }
                    Arrays.fill(content, from, to + 1, (byte) 0);
                }
                default -> content = withoutABlock(content, random);
            }
            readDamaged(content, entries, "seed " + seed);
        });
    }

    private static byte[] withoutABlock(byte[] content, Random random) {
        List<Integer> starts = blocks(content);
        int removed = random.nextInt(starts.size() - 1);
        byte[] shorter = Arrays.copyOf(content, content.length - starts.get(removed + 1) + starts.get(removed));
        System.arraycopy(
                content,
                starts.get(removed + 1),
                shorter,
                starts.get(removed),
                content.length - starts.get(removed + 1));
        return shorter;
    }

    /** Where the blocks begin; the last one is the footer. */
    private static List<Integer> blocks(byte[] content) {
        List<Integer> starts = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = FIRST_BLOCK; at < content.length; at += bytes.getInt(at)) {
            starts.add(at);
        }
        return starts;
    }

    @Test
    void shouldNoticeABlockOfAnotherCheckpoint() throws IOException {
        byte[] content = write(SMALL);
        CheckpointHeader header = header(POSITION);
        CheckpointHeader other = new CheckpointHeader(
                header.logId(), POSITION, header.sequence(), header.salt() + 1, header.createdAtMs());
        System.arraycopy(other.encode(), 0, content, 0, CheckpointHeader.LENGTH);
        assertThat(readDamaged(content, SMALL, "salt")).hasMessageContaining("wrong checksum of block 0");
    }

    @Test
    void shouldThrowAgain() throws IOException {
        byte[] content = write(SMALL);
        content[content.length - 1] ^= 1;
        storage.replace(NAME, content);
        try (CheckpointReader reader = CheckpointReader.open(storage, POSITION)) {
            for (int i = 0; i < SMALL.size(); i++) {
                assertThat(reader.next()).isTrue();
            }
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(CorruptLogException.class)
                        .isThrownBy(reader::next)
                        .withMessageContaining("position=" + (content.length - CheckpointBlock.FOOTER_LENGTH));
            }
        }
    }

    // ---- what somebody wrote who knows the checksums

    /** Changes the file, whose checksum of the first block is right again then. */
    private interface Change {
        void apply(ByteBuffer file);
    }

    private void assertRefused(Change change, String message) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(write(SMALL)).order(ByteOrder.LITTLE_ENDIAN);
        int blockLength = file.getInt(FIRST_BLOCK);
        change.apply(file);
        int checksum = CheckpointBlock.checksum(
                file.array(), FIRST_BLOCK, blockLength, header(POSITION).salt(), 0);
        file.putInt(FIRST_BLOCK + CheckpointBlock.CHECKSUM_OFFSET, checksum);
        assertThat(readDamaged(file.array(), SMALL, message)).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, 15, 16, CheckpointBlock.MAX_LENGTH + 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldBoundTheLengthOfABlock(int length) throws IOException {
        assertRefused(file -> file.putInt(FIRST_BLOCK, length), "impossible length of a block: " + length);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 1000, CheckpointBlock.MAX_LENGTH})
    void shouldNoticeAnotherLengthOfABlock(int length) throws IOException {
        assertRefused(file -> file.putInt(FIRST_BLOCK, length), "block");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, 0, 3, 5, Integer.MAX_VALUE})
    void shouldBoundTheNumberOfEntries(int entries) throws IOException {
        assertRefused(
                file -> file.putInt(FIRST_BLOCK + CheckpointBlock.ENTRIES_OFFSET, entries),
                switch (entries) {
                    case 0 -> "impossible length of the footer";
                    case 3 -> "bytes behind its entries";
                    case 5, Integer.MAX_VALUE -> "an entry goes beyond its block";
                    default -> "impossible number of entries: " + entries;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Short.MIN_VALUE, 1025, 200})
    void shouldBoundTheLengthOfAKey(int length) throws IOException {
        assertRefused(
                file -> file.putShort(FIRST_ENTRY + CheckpointEntry.SUFFIX_LENGTH_OFFSET, (short) length),
                "a key goes beyond its block");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6, -1})
    void shouldBoundWhatTheFirstKeyOfABlockShares(int shared) throws IOException {
        assertRefused(
                file -> file.putShort(FIRST_ENTRY + CheckpointEntry.SHARED_OFFSET, (short) shared),
                "impossible length of a key");
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 1024, -1})
    void shouldBoundWhatAKeyShares(int shared) throws IOException {
        int second = FIRST_ENTRY + CheckpointEntry.HEADER_LENGTH + 6;
        assertRefused(
                file -> file.putShort(second + CheckpointEntry.SHARED_OFFSET, (short) shared),
                "impossible length of a key");
    }

    /** The second key is {@code task/10}, whose suffix is its last byte. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void shouldNoticeKeysThatDoNotAscend(int shared) throws IOException {
        int second = FIRST_ENTRY + CheckpointEntry.HEADER_LENGTH + 6;
        assertRefused(
                file -> file.putShort(second + CheckpointEntry.SHARED_OFFSET, (short) shared), "a key is not above");
    }

    @Test
    void shouldNoticeAKeyThatSharesMoreThanItSays() throws IOException {
        int second = FIRST_ENTRY + CheckpointEntry.HEADER_LENGTH + 6;
        assertRefused(
                file -> file.putShort(second + CheckpointEntry.SHARED_OFFSET, (short) 5)
                        .put(second + CheckpointEntry.HEADER_LENGTH, (byte) '1'),
                "a key is not above");
    }

    @Test
    void shouldBoundThePlaceOfAValue() throws IOException {
        assertRefused(file -> file.putLong(FIRST_ENTRY + CheckpointEntry.POSITION_OFFSET, -1), "impossible place");
        assertRefused(file -> file.putInt(FIRST_ENTRY + CheckpointEntry.LENGTH_OFFSET, -1), "impossible place");
    }

    @Test
    void shouldNoticeAKeyOfMoreThan1024Bytes() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        byte[] key = new byte[CheckpointEntry.MAX_KEY_LENGTH + 1];
        int end = CheckpointEntry.put(block, CheckpointBlock.HEADER_LENGTH, key, key.length, 0, 0, 0);
        assertThat(readDamaged(file(block, end, 1), List.of(), "long key"))
                .hasMessageContaining("impossible length of a key");
    }

    /** The last key of a block and the first of the next one, which is whole. */
    @Test
    void shouldNoticeBlocksThatDoNotAscend() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        int end = CheckpointEntry.put(block, CheckpointBlock.HEADER_LENGTH, new byte[] {5}, 1, 0, 0, 0);
        byte[] twice = file(block, end, 2);
        assertThat(readDamaged(twice, List.of(new Entry("05", 0, 0)), "twice"))
                .hasMessageContaining("a key is not above the one before");
    }

    /** A checkpoint that has the same block of one entry some times. */
    private static byte[] file(ByteBuffer block, int length, int times) {
        long salt = header(POSITION).salt();
        ByteBuffer file = ByteBuffer.allocate(FIRST_BLOCK + times * length + CheckpointBlock.FOOTER_LENGTH);
        file.put(header(POSITION).encode());
        for (int number = 0; number < times; number++) {
            CheckpointBlock.putHeader(block, length, 1, salt, number);
            file.put(block.array(), 0, length);
        }
        CheckpointBlock.putFooter(block, times, times, salt);
        return file.put(block.array(), 0, CheckpointBlock.FOOTER_LENGTH).array();
    }

    @Test
    void shouldNoticeTotalsThatDoNotFit() throws IOException {
        byte[] content = write(SMALL);
        int footer = content.length - CheckpointBlock.FOOTER_LENGTH;
        ByteBuffer changed = ByteBuffer.allocate(CheckpointBlock.FOOTER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        long[][] totals = {{3, 1}, {5, 1}, {0, 1}, {-1, 1}};
        for (long[] total : totals) {
            CheckpointBlock.putFooter(
                    changed, total[0], total[1], header(POSITION).salt());
            System.arraycopy(changed.array(), 0, content, footer, CheckpointBlock.FOOTER_LENGTH);
            assertThat(readDamaged(content, SMALL, "totals")).hasMessageContaining("the footer tells of " + total[0]);
        }
    }

    // ---- other versions, other files

    private void sign(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content, 0, CheckpointHeader.CHECKSUM_OFFSET);
        ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(CheckpointHeader.CHECKSUM_OFFSET, (int)
                crc.getValue());
        storage.replace(NAME, content);
    }

    @ParameterizedTest
    @ValueSource(ints = {CheckpointHeader.VERSION_OFFSET, CheckpointHeader.FLAGS_OFFSET})
    void shouldRefuseANewerVersionOrARequiredFlag(int offset) throws IOException {
        byte[] content = write(SMALL);
        content[offset] = 2;
        readDamaged(content, SMALL, "not signed");
        sign(content);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> CheckpointEntries.read(storage, POSITION))
                .withMessageContaining("file=" + NAME)
                .withMessageMatching(".*(version|flags)=2.*");
        assertThat(storage.content(NAME)).isEqualTo(content);
    }

    @Test
    void shouldAcceptAnOptionalFlag() throws IOException {
        byte[] content = write(SMALL);
        content[CheckpointHeader.FLAGS_OFFSET + 2] = 1;
        sign(content);
        assertThat(CheckpointEntries.read(storage, POSITION)).isEqualTo(SMALL);
    }

    @Test
    void shouldRefuseTheCheckpointOfAnotherPosition() throws IOException {
        byte[] content = write(SMALL);
        storage.replace(CheckpointName.of(0), content);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> CheckpointEntries.read(storage, 0))
                .withMessageContaining("belongs to position " + POSITION);
    }
}
