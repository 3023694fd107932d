package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that somebody made who knows the checksums is damage, and nothing worse. */
class HostileCheckpointTest {

    private static final long POSITION = 4160;
    private static final String NAME = CheckpointName.of(POSITION);

    // Of a node's header.
    private static final int COUNT = 0;
    private static final int LEVEL = 2;
    private static final int FIRST_CHILD = 4;
    private static final int VERSION = 8;
    private static final int PREFIX = 28;
    private static final int HEAP = 30;
    private static final int FREED = 32;
    private static final int FIRST_SLOT = 40;

    private static final List<Entry> ENTRIES = entries();

    private final CrashableStorage storage = new CrashableStorage();
    private ForgedCheckpoint forged = new ForgedCheckpoint(new byte[0], NAME);

    private static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 10_000; i < 12_000; i++) {
            entries.add(entry("task/" + i, i, 1));
        }
        return entries;
    }

    @BeforeEach
    void write() throws IOException {
        CheckpointEntries.write(storage, POSITION, ENTRIES);
        forged = new ForgedCheckpoint(storage.content(NAME), NAME);
        assertThat(forged.footer().height()).isEqualTo(2);
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
    }

    private int firstLeaf() {
        return forged.node(forged.bytes().getInt(forged.root() + FIRST_CHILD));
    }

    /** Whoever opens the file, verifies it, gets its first key or goes through it is told. */
    private void assertRefused(String message) {
        assertRefused(
                message, List.of(CheckpointChain::verify, HostileCheckpointTest::get, HostileCheckpointTest::scan));
    }

    /** The same of what shows itself only when one goes from a node to another. */
    private void assertRefusedToReaders(String message) {
        assertRefused(message, List.of(HostileCheckpointTest::get, HostileCheckpointTest::scan));
    }

    private void assertRefused(String message, List<Consumer<CheckpointChain>> uses) {
        storage.replace(NAME, forged.sign().content());
        for (Consumer<CheckpointChain> use : uses) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> use(use))
                    .withMessageContaining(message)
                    .satisfies(e -> assertThat(e.file()).isEqualTo(NAME));
        }
    }

    private void use(Consumer<CheckpointChain> use) throws IOException {
        try (CheckpointChain chain = CheckpointChain.open(storage, POSITION, damaged -> {})) {
            use.accept(chain);
        }
    }

    private static void get(CheckpointChain chain) {
        byte[] key = ENTRIES.get(0).keyBytes();
        try (KeyIndex index = chain.index(Long.MAX_VALUE)) {
            index.get(new KeyBuffer().set(key, 0, key.length), new Location());
        }
    }

    private static void scan(CheckpointChain chain) {
        try (KeyIndex index = chain.index(Long.MAX_VALUE);
                IndexSnapshot snapshot = index.snapshot()) {
            IndexCursor cursor = snapshot.cursor();
            int limit = 1_000_000;
            while (cursor.next() && limit > 0) {
                limit--;
            }
            assertThat(limit).as("it comes to an end").isPositive();
        }
    }

    // ---- nodes

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 64, 1 << 20})
    void shouldRefuseAChildThatIsNotThere(int child) {
        forged.putInt(forged.root() + FIRST_CHILD, child);
        assertRefused("a node has a child that is not there");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldRefuseAnotherChildThatIsNotThere(int child) {
        int offset = forged.bytes().getShort(forged.root() + FIRST_SLOT) & 0xFFFF;
        forged.putInt(forged.root() + offset, child);
        assertRefused("a node has a child that is not there");
    }

    @Test
    void shouldRefuseARootThatIsItsOwnChild() {
        forged.putInt(forged.root() + FIRST_CHILD, forged.footer().root());
        assertRefusedToReaders("a node of level 1 in place of one of 0");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 31})
    void shouldRefuseARootOfAnotherLevel(int level) {
        forged.putByte(forged.root() + LEVEL, level);
        assertRefusedToReaders("node");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 128, 255})
    void shouldRefuseALevelThatNoTreeHas(int level) {
        forged.putByte(forged.root() + LEVEL, level);
        assertRefused("impossible header of a node");
    }

    @ParameterizedTest
    @ValueSource(ints = {1025, 4096, 0xFFFF})
    void shouldRefuseAnImpossiblePrefix(int length) {
        forged.putShort(firstLeaf() + PREFIX, length);
        assertRefused("impossible header of a node");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 39, 41})
    void shouldRefuseAHeapWithinTheSlots(int offset) {
        forged.putShort(firstLeaf() + HEAP, offset);
        assertRefused("overlap");
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 0xFFFF})
    void shouldRefuseAHeapBehindTheNode(int offset) {
        forged.putShort(firstLeaf() + HEAP, offset);
        assertRefused("node");
    }

    @ParameterizedTest
    @ValueSource(ints = {510, 0x7FFF, 0xFFFF})
    void shouldRefuseMoreEntriesThanThereIsRoom(int count) {
        forged.putShort(firstLeaf() + COUNT, count);
        assertRefused("the entries of a node overlap");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 39, 4090, 4096, 0xFFFF})
    void shouldRefuseAnEntryOutsideOfTheHeap(int offset) {
        forged.putShort(firstLeaf() + FIRST_SLOT, offset);
        assertRefused("impossible entry of a node");
    }

    @ParameterizedTest
    @ValueSource(ints = {1025, 0x7FFF, 0xFFFF})
    void shouldRefuseAnImpossibleLengthOfAKey(int length) {
        forged.putShort(firstLeaf() + FIRST_SLOT + 2, length);
        assertRefused("impossible entry of a node");
    }

    @Test
    void shouldRefuseAnEmptyKey() {
        int leaf = firstLeaf();
        int prefix = forged.bytes().getShort(leaf + PREFIX);
        forged.putShort(leaf + PREFIX, 0).putShort(leaf + FREED, prefix).putShort(leaf + FIRST_SLOT + 2, 0);
        assertRefused("impossible entry of a node");
    }

    @Test
    void shouldRefuseEntriesThatOverlap() {
        int leaf = firstLeaf();
        forged.putShort(leaf + FIRST_SLOT, forged.bytes().getShort(leaf + FIRST_SLOT + 8));
        assertRefused("the entries of a node overlap");
    }

    /** Who believed it would put an entry where there is no room. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 0xFFFF})
    void shouldRefuseAWrongNumberOfFreeBytes(int freed) {
        int leaf = firstLeaf();
        forged.putShort(leaf + FREED, forged.bytes().getShort(leaf + FREED) + freed);
        assertRefused("a node has other bytes in use than it says");
    }

    /** It would be changed although a snapshot needs it. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 1000})
    void shouldRefuseANodeThatIsNewerThanItsTree(long version) {
        forged.putLong(firstLeaf() + VERSION, version);
        assertRefused("a node is newer than its tree");
    }

    @Test
    void shouldRefuseAnImpossiblePlaceOfAValue() {
        int leaf = firstLeaf();
        int offset = forged.bytes().getShort(leaf + FIRST_SLOT) & 0xFFFF;
        forged.putLong(leaf + offset, -1);
        assertRefused("impossible place of a value");
        forged.putLong(leaf + offset, 1).putInt(leaf + offset + 8, -1);
        assertRefused("impossible place of a value");
    }

    // ---- the directory and the footer

    @Test
    void shouldRefuseATreeOfWhichANodeIsInNoFile() {
        int word = forged.wordsOffset();
        int free = Long.numberOfTrailingZeros(~forged.bytes().getLong(word));
        forged.putLong(word, forged.bytes().getLong(word) | 1L << free);
        assertRefused("node " + free + " is in none of the files");
    }

    @Test
    void shouldRefuseIdsAboveTheLimit() {
        int word = forged.wordsOffset();
        forged.putLong(word, forged.bytes().getLong(word) | Long.MIN_VALUE)
                .putInt(forged.directoryOffset(), 63); // it has a node of that id
        assertRefused("is in none of the files");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1000})
    void shouldRefuseANodeOfAnImpossibleId(int id) {
        forged.putInt(forged.directoryOffset(), id);
        assertRefused("is in none of the files");
    }

    @Test
    void shouldRefuseARootThatIsNotInTheTree() {
        CheckpointFooter old = forged.footer();
        int free = Long.numberOfTrailingZeros(~forged.bytes().getLong(forged.wordsOffset()));
        forged.footer(new CheckpointFooter(
                old.nodes(), old.words(), old.segments(), free, 2, free + 1, old.keys(), old.version(), 0));
        assertRefused("the root is not in the tree, node=" + free);
    }

    /** The height is one that a footer may have; the nodes say something else. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 32})
    void shouldRefuseAnotherHeight(int height) {
        CheckpointFooter old = forged.footer();
        forged.footer(new CheckpointFooter(
                old.nodes(), old.words(), old.segments(), old.root(), height, old.idLimit(), old.keys(), 1, 0));
        assertRefusedToReaders("a node of level 1 in place of one of " + (height - 1));
    }

    /** Whatever it is that was changed: what is read is found out, or of some value. */
    @Test
    void shouldReadOrRefuseAnything() {
        byte[] good = forged.content();
        Seeds.run(1500, seed -> {
            Random random = new Random(seed);
            forged = new ForgedCheckpoint(good, NAME);
            int end = forged.directoryOffset();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                int node = CheckpointDirectory.NODES_OFFSET
                        + CheckpointDirectory.NODE_LENGTH
                                * random.nextInt(forged.footer().nodes());
                int at = random.nextInt(3) > 0 ? node + random.nextInt(FIRST_SLOT + 80) : random.nextInt(end - node);
                forged.putByte(Math.max(CheckpointDirectory.NODES_OFFSET, at), random.nextInt(256));
            }
            if (random.nextInt(3) == 0) {
                forged.putInt(end + random.nextInt(forged.footer().nodes()) * 8, random.nextInt(100));
            }
            storage.replace(NAME, forged.sign().content());
            for (Consumer<CheckpointChain> use : List.<Consumer<CheckpointChain>>of(
                    CheckpointChain::verify, HostileCheckpointTest::get, HostileCheckpointTest::scan)) {
                try {
                    use(use);
                } catch (CorruptLogException refused) {
                    assertThat(refused.file()).isEqualTo(NAME);
                }
            }
        });
    }
}
