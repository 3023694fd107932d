package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.checkpoint.CheckpointFile.Depth;
import io.persist.support.Await;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The newest checkpoint of a store has right checksums, and nodes that hang together wrongly: an index was wrong in
 * memory, or somebody has made the file. There is an older checkpoint, and the log has all that came after it.
 */
class WrongTreeTest {

    private static final int KEYS = 2_000;

    // Of a node.
    private static final int COUNT = 0;
    private static final int FIRST_CHILD = 4;
    private static final int FREED = 32;
    private static final int FIRST_SLOT = 40;

    private final CrashableStorage storage = new CrashableStorage();
    private Map<String, String> content = new TreeMap<>();
    private String newest = "";

    @BeforeEach
    void write() throws IOException {
        try (StoreLogger store = Texts.open(storage)) {
            for (int i = 0; i < 3; i++) { // the third one has all nodes
                Texts.fill(store, KEYS, KEYS);
                store.checkpoint();
            }
            Texts.put(store, "a first key", "its value");
            content = Texts.state(store);
        }
        newest = CheckpointName.of(new Checkpoints(storage).list().get(0));
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
    }

    private ForgedCheckpoint forged() {
        ForgedCheckpoint forged = new ForgedCheckpoint(storage.content(newest), newest);
        assertThat(forged.footer().height()).isEqualTo(2);
        return forged;
    }

    private void put(ForgedCheckpoint forged) {
        storage.replace(newest, forged.sign().content());
    }

    private static int child(ForgedCheckpoint forged, int index) {
        return forged.root() + (forged.bytes().getShort(forged.root() + FIRST_SLOT + 8 * index) & 0xFFFF);
    }

    /** All children of the root are its first one. */
    private void shareTheFirstLeaf() {
        ForgedCheckpoint forged = forged();
        int first = forged.bytes().getInt(forged.root() + FIRST_CHILD);
        int count = forged.bytes().getShort(forged.root() + COUNT);
        for (int i = 0; i < count; i++) {
            forged.putInt(child(forged, i), first);
        }
        put(forged);
    }

    private String nodeFault() throws IOException {
        return CheckpointFile.list(storage, Depth.WHOLE).get(0).nodeFault();
    }

    private void assertOpensWithoutIt(Map<String, String> expected) {
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.recovery().checkpoint().file()).isNotEqualTo(newest);
            assertThat(Texts.state(store)).isEqualTo(expected);
        }
        assertThat(storage.list()).contains(newest + LogFileName.ASIDE_SUFFIX).doesNotContain(newest);
    }

    /** What was put behind the checkpoint goes there. */
    @Test
    void shouldBeginWithTheOlderCheckpointIfAChildIsOfAnotherLevel() throws IOException {
        ForgedCheckpoint forged = forged();
        put(forged.putInt(forged.root() + FIRST_CHILD, forged.footer().root()));
        String fault = nodeFault();
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.recovery().skipped())
                    .singleElement()
                    .satisfies(skipped -> assertThat(skipped.file()).isEqualTo(newest))
                    .satisfies(skipped -> assertThat(skipped.why()).contains("a node of level 1 in place of one of 0"));
        }
        assertOpensWithoutIt(content);
        assertThat(fault).contains("a node that is the child of two others, or of itself, or the root");
    }

    @Test
    void shouldNotBeGoneThroughForEver() throws IOException {
        shareTheFirstLeaf();
        String fault = nodeFault();
        try (StoreLogger store = Texts.open(storage)) {
            assertFindsItOut(store);
        }
        assertOpensWithoutIt(content);
        assertThat(fault).contains("a node that is the child of two others");
    }

    private void assertFindsItOut(StoreLogger store) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> Texts.state(store))
                .withMessageContaining("a leaf that is out of order")
                .satisfies(e -> assertThat(e.file()).isEqualTo(newest));
    }

    private void assertGetsNoCheckpoint(StoreLogger store) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(store::checkpoint)
                .withMessageContaining("a leaf that is out of order")
                .satisfies(e -> assertThat(e.file()).isEqualTo(newest));
    }

    /** Each node is good for itself: a checkpoint that has all of them would look good. */
    @Test
    void shouldGetNoFurtherCheckpoint() throws IOException {
        shareTheFirstLeaf();
        try (StoreLogger store = Texts.open(storage)) {
            assertFindsItOut(store);
            Texts.put(store, "another key", "its value");
            assertGetsNoCheckpoint(store);
            assertGetsNoCheckpoint(store);
            assertThat(store.statistics().checkpoint().failures()).isEqualTo(2);
        }
        content.put("another key", "its value");
        assertOpensWithoutIt(content);
    }

    @Test
    void shouldGetNoCheckpointThatIsBeingWrittenWhenItIsFoundOut() throws IOException {
        shareTheFirstLeaf();
        CompletableFuture<StoreLogger> opened = new CompletableFuture<>();
        AtomicInteger foundOut = new AtomicInteger();
        Storage checkpoints = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
            if (call.equals("create") && CheckpointName.isTemporary((String) arguments[0])) {
                assertFindsItOut(opened.join());
                foundOut.incrementAndGet();
            }
            return result;
        });
        try (StoreLogger store = StoreLogger.open(Texts.config(), storage, checkpoints)) {
            opened.complete(store);
            assertGetsNoCheckpoint(store);
            assertThat(foundOut).hasValue(1);
        }
        assertOpensWithoutIt(content);
    }

    @Test
    void shouldNotKeepARemovalOfARangeFromItsEnd() {
        shareTheFirstLeaf();
        try (StoreLogger store = Texts.open(storage)) {
            CompletableFuture<Boolean> removal = CompletableFuture.supplyAsync(() -> {
                try {
                    store.removeRange(KeyRange.all());
                    return false;
                } catch (CorruptLogException e) {
                    return true;
                }
            });
            Await.until("the removal ends", removal::isDone);
            assertThat(removal).isCompletedWithValue(true);
        }
        assertOpensWithoutIt(Map.of());
    }

    @Test
    void shouldBeRefusedByVerifyIfItHasOtherKeysThanItSays() throws IOException {
        ForgedCheckpoint forged = forged();
        forged.footer(new CheckpointFooter(
                forged.footer().nodes(),
                forged.footer().words(),
                forged.footer().segments(),
                forged.footer().root(),
                2,
                forged.footer().idLimit(),
                KEYS + 1,
                forged.footer().version(),
                0));
        put(forged);
        assertThat(nodeFault()).contains("a tree of " + KEYS + " keys in place of " + (KEYS + 1));
    }

    @Test
    void shouldBeRefusedByVerifyIfANodeIsNoChild() throws IOException {
        ForgedCheckpoint forged = forged();
        int last = forged.bytes().getShort(forged.root() + COUNT) - 1;
        int suffix = forged.bytes().getShort(forged.root() + FIRST_SLOT + 8 * last + 2);
        int freed = forged.bytes().getShort(forged.root() + FREED) + 4 + Math.max(0, suffix - 4);
        put(forged.putShort(forged.root() + COUNT, last).putShort(forged.root() + FREED, freed));
        assertThat(nodeFault()).contains("a node that is no child of another one");
    }
}
