package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.node.Node;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.segment.LogFiles;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreModel;
import io.persist.store.StoreModel.Change;
import io.persist.store.StoreRecovery;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checkpoints, and logs, that are damaged in ways in which no crash damages them. */
class StoreDamageTest {

    private static final int KEYS = 40;
    private static final StoreConfig CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4096).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreModel model = new StoreModel(OldValues.OMIT);
    private final Random random = new Random(42);
    private int puts;

    private StoreLogger open() {
        return StoreLogger.open(CONFIG, storage, storage);
    }

    private void change(StoreLogger store, int count) {
        for (int i = 0; i < count; i++) {
            byte[] key = ("key " + random.nextInt(KEYS)).getBytes(StandardCharsets.US_ASCII);
            byte[] value = ("a value that is put as number " + puts++).getBytes(StandardCharsets.US_ASCII);
            boolean isPut = random.nextInt(3) > 0;
            Transaction transaction = store.begin();
            if (isPut) {
                transaction.put(key, value);
            } else {
                transaction.remove(key);
            }
            model.commits(List.of(new Change(key, isPut ? value : null, null)));
            model.committed(transaction.commit(Durability.SYNCED));
        }
    }

    /** Two checkpoints, and log before, between and after them. */
    private void write() {
        try (StoreLogger store = open()) {
            change(store, 100);
            store.checkpoint();
            change(store, 100);
            store.checkpoint();
            change(store, 100);
        }
    }

    private List<Long> positions() throws IOException {
        return new Checkpoints(storage).list();
    }

    private void flipBit(String name, int at) {
        byte[] bytes = storage.content(name);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        storage.replace(name, bytes);
    }

    /** Opening finds it out, or the first read that needs the node; then the next opening does without it. */
    @Test
    void shouldFallBackToTheOlderCheckpointWhereverTheNewestIsDamaged() throws IOException {
        write();
        String newest = CheckpointName.of(positions().get(0));
        String older = CheckpointName.of(positions().get(1));
        byte[] whole = storage.content(newest);
        for (int i = 0; i < 60; i++) {
            int at = i < 30 ? i * whole.length / 30 : random.nextInt(whole.length);
            storage.replace(newest, i % 3 == 0 ? Arrays.copyOf(whole, at) : whole);
            if (i % 3 != 0) {
                flipBit(newest, at);
            }
            boolean isFound = false;
            try (StoreLogger store = open()) {
                isFound = !store.recovery().skipped().isEmpty();
                model.assertSame(store, "damaged at " + at);
            } catch (CorruptLogException e) {
                assertThat(isFound).isFalse();
                assertThat(e.file()).isEqualTo(newest);
                assertThat(e.position()).isEqualTo(at / Node.LENGTH * Node.LENGTH);
                assertThat(e).hasMessageContaining("wrong checksum of node");
            }
            assertThat(storage.list())
                    .contains(newest + LogFileName.ASIDE_SUFFIX)
                    .doesNotContain(newest);
            storage.delete(newest + LogFileName.ASIDE_SUFFIX);
            try (StoreLogger store = open()) {
                assertThat(store.recovery().checkpoint().file()).isEqualTo(older);
                model.assertSame(store, "damaged at " + at);
            }
        }
    }

    /** Nothing but the keys of the node is affected, nothing that cannot be done is on the log, and nothing is lost. */
    @Test
    void shouldFindADamagedNodeWhenItIsNeeded() throws IOException {
        try (StoreLogger store = open()) {
            for (int key = 1000; key < 2000; key++) {
                store.put(Texts.bytes("key " + key), Texts.bytes("value " + key));
            }
            store.checkpoint();
        }
        String newest = CheckpointName.of(positions().get(0));
        flipBit(newest, (int) CheckpointDirectory.nodeOffset(1) + 100); // the second leaf
        byte[] bad = null;
        try (StoreLogger store = open()) {
            assertThat(store.recovery().checkpoint().file()).isEqualTo(newest);
            for (int key = 1000; key < 2000; key++) {
                byte[] bytes = Texts.bytes("key " + key);
                if (isDamaged(() -> store.get(bytes), newest)) {
                    bad = bytes;
                }
            }
            assertThat(bad).isNotNull();
            byte[] damaged = bad;
            long end = store.position();
            assertThat(isDamaged(() -> store.put(damaged, new byte[1]), newest)).isTrue();
            assertThat(isDamaged(() -> store.remove(damaged), newest)).isTrue();
            KeyRange range = KeyRange.from(damaged);
            assertThat(isDamaged(() -> store.scan(range, Direction.FORWARD), newest))
                    .isTrue();
            Transaction transaction = store.begin();
            assertThat(isDamaged(() -> transaction.scan(range, Direction.FORWARD), newest))
                    .isTrue();
            transaction.rollback();
            assertThat(store.statistics().openSnapshots()).isZero();
            assertThat(isDamaged(store::checkpoint, newest))
                    .as("the file is gone: another one needs all nodes")
                    .isTrue();
            assertThat(store.position()).isEqualTo(end);
            store.put(Texts.bytes("key 1000"), Texts.bytes("new"));
            assertThat(storage.list()).contains(newest + LogFileName.ASIDE_SUFFIX);
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().checkpoint().file()).isEmpty();
            assertThat(store.size()).isEqualTo(1000);
            assertThat(store.getBytes(bad))
                    .isEqualTo(Texts.bytes("value" + new String(bad, StandardCharsets.US_ASCII).substring(3)));
            assertThat(store.getBytes(Texts.bytes("key 1000"))).isEqualTo(Texts.bytes("new"));
        }
    }

    private static boolean isDamaged(Runnable call, String file) {
        try {
            call.run();
            return false;
        } catch (CorruptLogException e) {
            assertThat(e.file()).isEqualTo(file);
            assertThat(e).hasMessageContaining("wrong checksum of node 1,");
            return true;
        }
    }

    @Test
    void shouldSayWhichCheckpointIsNotUsed() throws IOException {
        write();
        String newest = CheckpointName.of(positions().get(0));
        flipBit(newest, storage.content(newest).length - 1);
        try (StoreLogger store = open()) {
            StoreRecovery recovery = store.recovery();
            assertThat(recovery.checkpoint().file())
                    .isEqualTo(CheckpointName.of(positions().get(0)));
            assertThat(recovery.skipped()).singleElement().satisfies(skipped -> {
                assertThat(skipped.file()).isEqualTo(newest);
                assertThat(skipped.why()).contains("wrong checksum of the checkpoint's footer");
            });
            assertThat(recovery.describe()).contains("not used: " + newest);
        }
    }

    /** Replay is what needs the node. */
    @Test
    void shouldFallBackWhenReplayNeedsADamagedNode() throws IOException {
        write();
        String newest = CheckpointName.of(positions().get(0));
        for (int at = Node.LENGTH; at < storage.content(newest).length; at += Node.LENGTH) {
            flipBit(newest, at); // each node, and the directory maybe
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).hasSize(1);
            assertThat(store.recovery().replay().transactions()).isGreaterThan(100);
            model.assertSame(store, store.recovery().describe());
        }
        assertThat(storage.list()).contains(newest + LogFileName.ASIDE_SUFFIX);
    }

    @Test
    void shouldGoOnAfterItFellBack() throws IOException {
        write();
        flipBit(CheckpointName.of(positions().get(0)), 70);
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).hasSize(1);
            change(store, 50);
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().compaction().vacatedSegments()).isPositive();
            change(store, 50);
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).isEmpty();
            model.assertSame(store, store.recovery().describe());
        }
    }

    @Test
    void shouldSetItAsideForGood() throws IOException {
        write();
        flipBit(CheckpointName.of(positions().get(0)), 70);
        StoreLogger store = open();
        assertThat(store.recovery().skipped()).hasSize(1);
        CrashableStorage after = storage.crash(random, Loss.ALL_LOST);
        assertThat(catchThrowable(store::close)).isInstanceOfAny(PowerCut.class, LogIOException.class);
        try (StoreLogger again = StoreLogger.open(CONFIG, after, after)) {
            assertThat(again.recovery().skipped()).isEmpty();
            model.assertSame(again, again.recovery().describe());
        }
    }

    @Test
    void shouldReplayTheWholeLogIfNoCheckpointIsLeftAndNothingWasVacated() throws IOException {
        write();
        for (long position : positions()) {
            flipBit(CheckpointName.of(position), 70);
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().checkpoint().file()).isEmpty();
            assertThat(store.recovery().skipped()).hasSize(2);
            assertThat(store.recovery().replay().transactions()).isEqualTo(300);
            model.assertSame(store, store.recovery().describe());
        }
        assertThat(positions()).isEmpty();
    }

    @Test
    void shouldRefuseIfNoCheckpointIsLeftAndSomethingWasVacated() throws IOException {
        write();
        try (StoreLogger store = open()) {
            store.compact(1);
            change(store, 20);
        }
        assertThat(LogFiles.headers(storage).get(0).basePosition() > 0
                        || LogFiles.headers(storage).stream().anyMatch(SegmentHeader::isVacated))
                .isTrue();
        for (long position : positions()) {
            flipBit(CheckpointName.of(position), 70);
        }
        assertRefused("no checkpoint of the store can be used");
        for (long position : positions()) {
            storage.delete(CheckpointName.of(position));
        }
        assertRefused("no checkpoint of the store can be used");
    }

    private void assertRefused(String why) throws IOException {
        Map<String, byte[]> before = files();
        CorruptLogException refused = catchThrowableOfType(CorruptLogException.class, this::open);
        assertThat(refused).isNotNull().hasMessageContaining(why);
        assertThat(files()).containsExactlyEntriesOf(before);
    }

    /** The checkpoints, and the segments up to the log's end: what lies ahead of that is filled in the background. */
    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String name : storage.list()) {
            if (CheckpointName.position(name).isPresent()
                    || LogFileName.basePosition(name).orElse(Long.MAX_VALUE) < model.end()) {
                files.put(name, storage.content(name));
            }
        }
        return files;
    }

    /**
     * A deleted checkpoint may be back after a power cut. What was removed after it is not, though the value that was
     * removed is still where it was, and what tells of the remove is gone.
     */
    @Test
    void shouldNotUseACheckpointFromWhichTheLogDoesNotGoOn() throws IOException {
        byte[] goes = {1};
        try (StoreLogger store = open()) {
            Transaction transaction = store.begin();
            transaction.put(goes, new byte[1]);
            transaction.put(new byte[] {2}, new byte[3888]); // so much that its segment is not worth a move
            transaction.commit();
            store.checkpoint();
            transaction = store.begin();
            transaction.put(new byte[] {3}, new byte[3920]); // so that the log goes on for a while
            transaction.commit();
            transaction = store.begin();
            transaction.remove(goes);
            transaction.commit();
            change(store, 300);
        }
        String old = CheckpointName.of(positions().get(0));
        byte[] bytes = storage.content(old);
        try (StoreLogger store = open()) {
            store.compact(Long.MAX_VALUE / 2);
            assertThat(LogFiles.headers(storage).get(0).isVacated()).isFalse();
            assertThat(LogFiles.headers(storage).get(1).isVacated()).isFalse();
            assertThat(LogFiles.headers(storage).get(2).isVacated()).isTrue();
        }
        assertThat(storage.list()).doesNotContain(old);
        storage.replace(old, bytes);
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).isEmpty();
            assertThat(store.get(goes)).isNull();
        }
        for (long position : positions()) {
            if (!CheckpointName.of(position).equals(old)) {
                flipBit(CheckpointName.of(position), 70);
            }
        }
        assertRefused("no checkpoint of the store can be used");
    }

    @Test
    void shouldRefuseACheckpointOfAnotherLog() throws IOException {
        write();
        CrashableStorage other = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(CONFIG, other, other)) {
            Transaction transaction = store.begin();
            transaction.put(new byte[] {1}, new byte[1]);
            transaction.commit();
            store.checkpoint();
        }
        String foreign = CheckpointName.of(new Checkpoints(other).list().get(0));
        long behind = positions().get(0) + 8;
        storage.replace(CheckpointName.of(behind), other.content(foreign));
        flipBit(CheckpointName.of(behind), 0); // not even that it is another one's can be told
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).hasSize(1);
            model.assertSame(store, "damaged foreign checkpoint");
        }
        for (long position : positions()) {
            storage.delete(CheckpointName.of(position));
        }
        storage.replace(foreign, other.content(foreign));
        Map<String, byte[]> before = files();
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("another log");
        assertThat(files()).containsExactlyEntriesOf(before);
    }

    /** Below a good checkpoint a damaged value is no news; above the older one the log has to be whole. */
    @Test
    void shouldRefuseALogWhoseReplayMeetsDamage() throws IOException {
        write();
        long between = (positions().get(0) + positions().get(1)) / 2;
        long base = between / 4096 * 4096;
        flipBit(LogFileName.segment(base), (int) (between - base));
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).isEmpty();
            assertThat(store.size()).isEqualTo(model.state().size());
        }
        flipBit(CheckpointName.of(positions().get(0)), 70);
        Map<String, byte[]> before = files();
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .satisfies(damage -> assertThat(damage.position()).isBetween(base, between));
        assertThat(files()).containsExactlyEntriesOf(before);
    }
}
