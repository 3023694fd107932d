package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage of a checkpoint is noticed when the checkpoint is opened, or when the damaged node is read. */
class CheckpointDamageTest {

    private static final long POSITION = 4160;
    private static final String NAME = CheckpointName.of(POSITION);
    private static final int NODES = CheckpointDirectory.NODES_OFFSET;
    private static final int NODE = CheckpointDirectory.NODE_LENGTH;
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

    /** Reads {@code content}, which has to be damaged. */
    private CorruptLogException readDamaged(byte[] content, String what) {
        storage.replace(NAME, content);
        Throwable thrown = catchThrowable(() -> CheckpointEntries.read(storage, POSITION));
        assertThat(thrown).as(what).isInstanceOf(CorruptLogException.class);
        CorruptLogException damage = (CorruptLogException) thrown;
        assertThat(damage.file()).isEqualTo(NAME);
        assertThat(damage.position()).as(what).isBetween(0L, (long) content.length);
        return damage;
    }

    /** Whether it is noticed by who opens the checkpoint and reads nothing. */
    private boolean isNoticedByOpening(byte[] content) throws IOException {
        storage.replace(NAME, content);
        try (CheckpointChain chain = CheckpointChain.open(storage, POSITION, damaged -> {})) {
            assertThat(chain.tree().size()).isPositive();
            return false;
        } catch (CorruptLogException e) {
            return true;
        }
    }

    @Test
    void shouldNoticeEachFlippedBit() throws IOException {
        byte[] content = write(SMALL);
        assertThat(content.length).as("one node").isLessThan(3 * NODE);
        byte[] damaged = content.clone();
        for (int bit = 0; bit < content.length * 8; bit++) {
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            readDamaged(damaged, "bit " + bit);
            damaged[bit / 8] = content[bit / 8];
        }
    }

    /** Everything but nodes is read when the checkpoint is opened. */
    @Test
    void shouldNoticeWhatIsNoNodeAtOnce() throws IOException {
        byte[] content = write(SMALL);
        byte[] damaged = content.clone();
        for (int at = 0; at < content.length; at++) {
            damaged[at] ^= 16;
            boolean isNode = at >= NODES && at < NODES + NODE;
            assertThat(isNoticedByOpening(damaged)).as("byte %s", at).isEqualTo(!isNode);
            damaged[at] = content[at];
        }
    }

    @Test
    void shouldNoticeWhereverItIsCutOrGoesOn() throws IOException {
        byte[] content = write(SMALL);
        for (int length = 0; length < content.length; length++) {
            assertThat(isNoticedByOpening(Arrays.copyOf(content, length)))
                    .as("length %s", length)
                    .isTrue();
        }
        for (int more : new int[] {1, 16, 32, 4096, 1 << 20}) {
            readDamaged(Arrays.copyOf(content, content.length + more), "more " + more);
        }
        byte[] twoFooters = Arrays.copyOf(content, content.length + CheckpointFooter.LENGTH);
        System.arraycopy(
                content, content.length - CheckpointFooter.LENGTH, twoFooters, content.length, CheckpointFooter.LENGTH);
        readDamaged(twoFooters, "two footers");
    }

    @Test
    void shouldNoticeDamageInALargeOne() {
        Seeds.run(50, seed -> {
            Random random = new Random(seed);
            byte[] content = write(CheckpointEntries.random(random, 1500, 1024));
            int nodes = new ForgedCheckpoint(content, NAME).footer().nodes();
            switch (random.nextInt(5)) {
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
                case 3 -> content = withoutANode(content, random.nextInt(nodes));
                default -> exchange(content, random.nextInt(nodes - 1), nodes - 1);
            }
            readDamaged(content, "seed " + seed);
        });
    }

    private static byte[] withoutANode(byte[] content, int number) {
        byte[] shorter = Arrays.copyOf(content, content.length - NODE);
        int at = NODES + number * NODE;
        System.arraycopy(content, at + NODE, shorter, at, shorter.length - at);
        return shorter;
    }

    private static void exchange(byte[] content, int number, int other) {
        byte[] node = Arrays.copyOfRange(content, NODES + number * NODE, NODES + (number + 1) * NODE);
        System.arraycopy(content, NODES + other * NODE, content, NODES + number * NODE, NODE);
        System.arraycopy(node, 0, content, NODES + other * NODE, NODE);
    }

    /** A lost write: the node is good, but it is that of another checkpoint. */
    @Test
    void shouldNoticeANodeOfAnotherCheckpoint() throws IOException {
        byte[] content = write(SMALL);
        CheckpointHeader header = header(POSITION);
        CheckpointHeader other = new CheckpointHeader(
                header.logId(), POSITION, header.sequence(), header.salt() + 1, header.createdAtMs(), -1, 0);
        try (CheckpointWriter writer = CheckpointWriter.create(storage, other, bytes -> {})) {
            CheckpointEntries.finish(writer, SMALL);
        }
        byte[] next = storage.content(NAME);
        assertThat(Arrays.equals(content, NODES, NODES + NODE, next, NODES, NODES + NODE))
                .as("the node alone is the same")
                .isTrue();
        System.arraycopy(content, NODES + NODE, next, NODES + NODE, next.length - NODES - NODE);
        assertThat(isNoticedByOpening(next)).isTrue();
        ForgedCheckpoint signed = new ForgedCheckpoint(content, NAME);
        signed.putLong(CheckpointHeader.SALT_OFFSET, header.salt() + 1).signHeader();
        assertThat(readDamaged(signed.content(), "salt"))
                .hasMessageContaining("wrong checksum of the checkpoint's footer");
    }

    /** By who needs the node, each time; who does not need it does not mind. */
    @Test
    void shouldThrowWheneverTheNodeIsNeeded() throws IOException {
        List<Entry> entries = CheckpointEntries.random(new Random(Seeds.seed()), 2000, 100);
        byte[] content = write(entries);
        ForgedCheckpoint forged = new ForgedCheckpoint(content, NAME);
        Entry last = entries.get(entries.size() - 1);
        int rightmost = rightmostLeaf(forged);
        content[forged.node(rightmost) + 2000] ^= 1;
        storage.replace(NAME, content);
        long[] told = new long[1];
        CheckpointChain chain = CheckpointChain.open(storage, POSITION, position -> told[0] += position);
        try (KeyIndex index = chain.index(Long.MAX_VALUE)) {
            assertThat(index.get(key(entries.get(0)), new Location())).isTrue();
            assertThat(told[0]).isZero();
            assertThat(chain.damage()).isNull();
            for (int times = 1; times <= 3; times++) {
                assertThatExceptionOfType(CorruptLogException.class)
                        .isThrownBy(() -> index.get(key(last), new Location()))
                        .withMessageContaining("wrong checksum of node " + rightmost)
                        .satisfies(e -> assertThat(e).isSameAs(chain.damage()))
                        .satisfies(e -> assertThat(e.position()).isEqualTo(forged.node(rightmost)));
                assertThat(told[0]).isEqualTo(times * POSITION);
            }
            assertThat(index.get(key(entries.get(0)), new Location())).isTrue();
        }
    }

    private static KeyBuffer key(Entry entry) {
        return new KeyBuffer().set(entry.keyBytes(), 0, entry.keyBytes().length);
    }

    private static int rightmostLeaf(ForgedCheckpoint forged) {
        int id = forged.footer().root();
        for (int level = forged.footer().height() - 1; level > 0; level--) {
            int node = forged.node(id);
            int count = forged.bytes().getShort(node);
            int offset = forged.bytes().getShort(node + 40 + (count - 1) * 8) & 0xFFFF;
            id = forged.bytes().getInt(node + offset);
        }
        return id;
    }

    // ---- other versions, other files

    @ParameterizedTest
    @ValueSource(ints = {CheckpointHeader.VERSION_OFFSET, CheckpointHeader.FLAGS_OFFSET})
    void shouldRefuseANewerVersionOrARequiredFlag(int offset) throws IOException {
        ForgedCheckpoint forged = new ForgedCheckpoint(write(SMALL), NAME).putByte(offset, 4);
        readDamaged(forged.content(), "not signed");
        storage.replace(NAME, forged.signHeader().content());
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> CheckpointEntries.read(storage, POSITION))
                .withMessageContaining("file=" + NAME)
                .withMessageMatching(".*(version|flags)=4.*");
        assertThat(storage.content(NAME)).isEqualTo(forged.content());
    }

    @Test
    void shouldAcceptAnOptionalFlag() throws IOException {
        ForgedCheckpoint forged =
                new ForgedCheckpoint(write(SMALL), NAME).putByte(CheckpointHeader.FLAGS_OFFSET + 2, 1);
        storage.replace(NAME, forged.signHeader().content());
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
