package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Snapshots stay as they are, whoever reads them, and hold no more memory than they need. */
class IndexSnapshotTest {

    private static final int KEYS = 10_000;

    private final KeyIndex index = new KeyIndex();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private int tries;

    private void put(int n, long position) {
        byte[] bytes = KeyShape.TASK_RUN.key(n);
        index.put(key.set(bytes, 0, bytes.length), position, 1, location);
    }

    private void remove(int n) {
        byte[] bytes = KeyShape.TASK_RUN.key(n);
        assertThat(index.remove(key.set(bytes, 0, bytes.length), location)).isTrue();
    }

    /** The reader goes through a snapshot at least until everything was changed. */
    @Test
    void shouldBeReadByAnotherThreadWhileTheIndexChanges() throws Exception {
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            Random random = new Random(Seeds.seed());
            for (int i = 0; i < KEYS; i++) {
                put(i, i);
            }
            for (int round = 0; round < 5; round++) {
                IndexSnapshot snapshot = index.snapshot();
                long sum = sum(snapshot);
                CountDownLatch reads = new CountDownLatch(1);
                AtomicBoolean changed = new AtomicBoolean();
                Future<Integer> scans = reader.submit(() -> scanUntil(changed, reads, snapshot, sum));
                reads.await();
                for (int i = 0; i < KEYS; i++) {
                    int n = random.nextInt(KEYS);
                    if (random.nextBoolean()) {
                        put(n, random.nextLong());
                    } else {
                        index.remove(key, location); // what was put last, or is gone already
                    }
                }
                changed.set(true);
                assertThat(scans.get()).isPositive();
                snapshot.close();
                TreeChecker.check(index);
            }
        } finally {
            reader.shutdown();
        }
    }

    /** An error has cut the first one short: the rest is let go of, and nothing twice. */
    @Test
    void shouldLetGoOfTheRestAtTheSecondClose() {
        for (int i = 0; i < KEYS; i++) {
            put(i, i);
        }
        IndexSnapshot older = snapshotThatIsClosedAtTheSecondTry();
        for (int i = 0; i < KEYS; i += 100) {
            put(i, 0);
        }
        IndexSnapshot newer = index.snapshot();
        long sum = sum(newer);
        assertThatThrownBy(older::close).isInstanceOf(StackOverflowError.class);
        assertThatIllegalStateException().isThrownBy(older::cursor);
        for (int i = 0; i < KEYS; i += 50) {
            put(i, 1);
        }
        older.close();
        older.close();
        assertThat(tries).isEqualTo(2);
        assertThat(index.openSnapshots()).isOne();
        assertThat(sum(newer)).isEqualTo(sum);
        TreeChecker.check(index);
        newer.close();
        assertThat(index.openSnapshots()).isZero();
        TreeChecker.check(index);
    }

    /** As the index's own ones are, but for the stack: of that there is none left at the end of the first close. */
    private IndexSnapshot snapshotThatIsClosedAtTheSecondTry() {
        Consumer<IndexSnapshot> onClose = snapshot -> {
            index.snapshots().remove(snapshot);
            if (tries++ == 0) {
                throw new StackOverflowError();
            }
        };
        Tree tree = index.tree();
        IndexSnapshot snapshot = new IndexSnapshot(onClose, index.memory().view(), tree.endVersion());
        index.snapshots().add(snapshot);
        return snapshot;
    }

    private static int scanUntil(AtomicBoolean changed, CountDownLatch reads, IndexSnapshot snapshot, long sum)
            throws ExecutionException {
        int scans = 0;
        boolean last;
        do {
            last = changed.get();
            assertThat(sum(snapshot)).isEqualTo(sum);
            scans++;
            reads.countDown();
        } while (!last);
        return scans;
    }

    /** Of the keys, in their order, and of where their values lie; both ways, and by get. */
    private static long sum(IndexSnapshot snapshot) {
        long forward = 1;
        long backward = 0;
        long keys = 0;
        Location found = new Location();
        KeyBuffer last = new KeyBuffer();
        IndexCursor cursor = snapshot.cursor();
        while (cursor.next()) {
            boolean inOrder = last.compareTo(cursor.key()) < 0;
            last.copyFrom(cursor.key());
            forward = forward * 31 + cursor.position();
            backward += cursor.position();
            boolean sameByGet = ++keys % 16 != 0 || snapshot.get(last, found) && found.position() == cursor.position();
            if (!inOrder || !sameByGet) {
                throw new AssertionError("key " + keys + ": inOrder=" + inOrder + ", sameByGet=" + sameByGet);
            }
        }
        assertThat(keys).isEqualTo(snapshot.size());
        while (cursor.previous()) {
            backward -= cursor.position();
        }
        assertThat(backward).isZero();
        return forward;
    }

    /** A long snapshot does not hold the nodes that only shorter ones needed. */
    @Test
    void shouldNotKeepWhatShortSnapshotsNeeded() {
        for (int i = 0; i < KEYS; i++) {
            put(i, i);
        }
        long atFirst = index.usedBytes();
        IndexSnapshot longOne = index.snapshot();
        long sum = sum(longOne);
        for (int round = 0; round < 200; round++) {
            try (IndexSnapshot shortOne = index.snapshot()) {
                for (int i = 0; i < 100; i++) {
                    put((round * 7919 + i * 101) % KEYS, -i);
                }
                assertThat(shortOne.size()).isEqualTo(KEYS);
            }
        }
        assertThat(index.usedBytes())
                .as("two of each node, and what was not looked at yet")
                .isLessThan(2 * atFirst + (200L * Node.LENGTH));
        assertThat(sum(longOne)).isEqualTo(sum);
        longOne.close();
        assertThat(index.usedBytes()).isEqualTo(atFirst);
        TreeChecker.check(index);
    }

    @Test
    void shouldCopyNothingWithoutASnapshot() {
        for (int i = 0; i < KEYS; i++) {
            put(i, i);
        }
        index.snapshot().close();
        long used = index.usedBytes();
        for (int i = 0; i < KEYS; i++) {
            put(i, -i);
            assertThat(index.usedBytes()).isEqualTo(used);
        }
        try (IndexSnapshot snapshot = index.snapshot()) {
            put(0, 0);
            long copied = index.usedBytes();
            assertThat(copied).isEqualTo(used + (long) index.tree().height() * Node.LENGTH);
            put(0, 1);
            assertThat(index.usedBytes()).as("copied once").isEqualTo(copied);
            assertThat(snapshot.size()).isEqualTo(KEYS);
        }
        assertThat(index.usedBytes()).isEqualTo(used);
    }

    @Test
    void shouldGiveAllNodesBack() {
        List<IndexSnapshot> snapshots = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            put(i, i);
            if (i % 1000 == 0) {
                snapshots.add(index.snapshot());
            }
        }
        for (int i = 0; i < KEYS; i++) {
            remove(i);
            if (i % 1000 == 0) {
                snapshots.add(index.snapshot());
            }
        }
        assertThat(index.size()).isZero();
        snapshots.forEach(IndexSnapshot::close);
        assertThat(index.usedBytes()).isEqualTo(Node.LENGTH);
        TreeChecker.check(index);
    }

    @Test
    void shouldCountVersions() {
        assertThat(index.version()).isEqualTo(1);
        assertThat(index.oldestSnapshot()).isEqualTo(Long.MAX_VALUE);
        IndexSnapshot first = index.snapshot();
        IndexSnapshot second = index.snapshot();
        assertThat(first.version()).isEqualTo(1);
        assertThat(second.version()).isEqualTo(2);
        assertThat(index.version()).isEqualTo(3);
        assertThat(index.oldestSnapshot()).isEqualTo(1);
        first.close();
        first.close();
        assertThat(index.oldestSnapshot()).isEqualTo(2);
        assertThat(index.openSnapshots()).isEqualTo(1);
        second.close();
        assertThat(index.openSnapshots()).isZero();
    }

    @Test
    void shouldRefuseUseAfterClose() {
        IndexSnapshot snapshot = index.snapshot();
        IndexCursor cursor = snapshot.cursor();
        index.close();
        key.set(new byte[] {1}, 0, 1);
        assertThat(cursor.next()).as("a snapshot outlives its index").isFalse();
        assertThatIllegalStateException().isThrownBy(() -> index.put(key, 1, 1, location));
        assertThatIllegalStateException().isThrownBy(() -> index.get(key, location));
        assertThatIllegalStateException().isThrownBy(() -> index.remove(key, location));
        assertThatIllegalStateException().isThrownBy(index::snapshot);
        snapshot.close();
        assertThatIllegalStateException().isThrownBy(cursor::next).withMessageContaining("version=1");
        assertThatIllegalStateException().isThrownBy(() -> snapshot.get(key, location));
    }

    /** Whoever refers to the index: a store that is opened anew needs the memory. */
    @Test
    void shouldGiveItsMemoryBackWhenItIsClosedAndNoSnapshotIsOpen() {
        put(1, 1);
        index.addSpare();
        IndexSnapshot first = index.snapshot();
        IndexSnapshot second = index.snapshot();
        index.close();
        first.close();
        assertThat(index.memoryBytes()).isPositive();
        assertThat(second.get(key, location)).isTrue();
        second.close();
        assertThat(index.memoryBytes()).isZero();
        index.addSpare();
        assertThat(index.memoryBytes()).isZero();
    }
}
