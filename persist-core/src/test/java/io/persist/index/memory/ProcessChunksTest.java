package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.IndexFullException;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSet;
import io.persist.index.node.NodeSource;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How the indexes of a process share memory: 12 chunks, of which each takes what it can get. */
class ProcessChunksTest {

    private static final int MOST = 12;
    private static final long BYTES = (long) MOST * NodeChunks.CHUNK_LENGTH;

    private final ProcessChunks process = new ProcessChunks(() -> BYTES, this::allocate);
    private int allocated;
    private int mostAllocated = Integer.MAX_VALUE;

    private ByteBuffer allocate() {
        if (allocated == mostAllocated) {
            throw new OutOfMemoryError("Cannot reserve bytes of direct buffer memory");
        }
        allocated++;
        return NodeChunks.allocate();
    }

    private FrameMemory index() {
        return index(BYTES);
    }

    private FrameMemory index(long bytes) {
        FrameMemory index = new FrameMemory(bytes, process, System::nanoTime);
        index.tendedBy(() -> {});
        return index;
    }

    private static int takeAll(FrameMemory index) {
        int taken = 0;
        while (index.addChunk()) {
            taken++;
        }
        return taken;
    }

    private static int chunks(FrameMemory index) {
        return (int) (index.bytes() / NodeChunks.CHUNK_LENGTH);
    }

    /** Gives back what others need. */
    private static void give(FrameMemory index) {
        while (index.isWanted()) {
            index.giveChunkBack();
        }
    }

    @Test
    void shouldHaveOneBound() {
        FrameMemory first = index();
        assertThat(takeAll(first)).isEqualTo(MOST);
        FrameMemory second = index();
        assertThat(takeAll(second)).as("without it there would be no index").isEqualTo(1);
        assertThat(first.limit()).isEqualTo(second.most()).isEqualTo(MOST << NodeChunks.NODES_SHIFT);
        assertThat(second.full(1, 0)).hasMessageContaining("the indexes of 2 stores share the " + BYTES + " bytes");
    }

    @Test
    void shouldGiveEachItsShareAndNoMore() {
        FrameMemory first = index();
        takeAll(first);
        FrameMemory second = index();
        for (int i = 0; i < MOST; i++) {
            takeAll(second);
            give(first);
        }
        assertThat(chunks(first)).isEqualTo(chunks(second)).isEqualTo(MOST / 2);

        FrameMemory third = index();
        for (int i = 0; i < MOST; i++) {
            takeAll(third);
            give(first);
            give(second);
            assertThat(first.addChunk() || second.addChunk())
                    .as("what they give is the third one's")
                    .isFalse();
        }
        assertThat(chunks(third)).isEqualTo(MOST / 3);
        assertThat(chunks(first) + chunks(second) + chunks(third)).isEqualTo(MOST);
        third.close();
        assertThat(takeAll(first))
                .as("beyond its share, which nobody else wants")
                .isEqualTo(MOST / 3);
    }

    @Test
    void shouldAskNobodyWhoHasNoMoreThanHisShare() {
        FrameMemory small = index(NodeChunks.CHUNK_LENGTH);
        takeAll(small);
        FrameMemory large = index();
        assertThat(takeAll(large)).isEqualTo(MOST - 1);
        assertThat(small.addChunk()).isFalse();
        assertThat(large.isWanted())
                .as("the other one has all that it may have")
                .isFalse();
        assertThat(small.isWanted()).isFalse();
    }

    @Test
    void shouldUseTheChunksOfAClosedIndexAgain() {
        FrameMemory first = index();
        takeAll(first);
        ByteBuffer[] had = first.chunks().clone();
        had[0].putLong(8, 7);
        first.close();
        first.close();
        FrameMemory second = index();
        assertThat(takeAll(second)).isEqualTo(MOST);
        assertThat(allocated).isEqualTo(MOST);
        assertThat(second.chunks()).containsExactlyInAnyOrder(had);
        assertThat(had[0].getLong(8)).as("nothing of one index is in another").isZero();
    }

    @Test
    void shouldCountAnIndexNoMoreThatNobodyRefersTo() {
        ChunkShare share = process.join(index(), BYTES);
        while (process.take(share) != null) {
            // as its index would
        }
        share.enqueue(); // as the garbage collector does
        assertThat(takeAll(index())).isEqualTo(MOST);
    }

    @Test
    void shouldHaveMoreIfAnIndexMayHaveMore() {
        assertThat(takeAll(index(2 * BYTES))).isEqualTo(2 * MOST);
    }

    @Test
    void shouldSayThatTheJvmHasRefused() {
        mostAllocated = 2;
        FrameMemory index = index();
        assertThat(takeAll(index)).isEqualTo(2);
        assertThat(index.full(1, 0)).hasMessageContaining("which the JVM has refused");
        mostAllocated = MOST;
        assertThat(takeAll(index())).as("what was refused is not taken").isEqualTo(MOST - 2);
    }

    /** The memory of what the log changes, which it may have had before; later it gives back what is not its share. */
    @Test
    void shouldHaveMoreThanItsShareWhileItIsOpened() {
        FrameMemory first = index();
        takeAll(first);
        FrameMemory second = new FrameMemory(BYTES, process, System::nanoTime);
        for (int i = 0; i < MOST; i++) {
            takeAll(second);
            give(first);
        }
        assertThat(chunks(first)).isEqualTo(MOST / 4);
        assertThat(chunks(second)).isEqualTo(MOST - MOST / 4);

        second.tendedBy(() -> {});
        for (int i = 0; i < MOST; i++) {
            takeAll(first);
            give(second);
        }
        assertThat(chunks(first)).isEqualTo(chunks(second)).isEqualTo(MOST / 2);
    }

    /** While it is opened nobody else needs its lock. */
    @Test
    void shouldWaitForOthersWhileItIsOpened() throws Exception {
        IndexMemory first = memory();
        first.ensure(MOST << NodeChunks.NODES_SHIFT, 1);
        Semaphore asked = new Semaphore(0);
        first.frames().tendedBy(asked::release);
        IndexMemory second = memory();
        CompletableFuture<Void> opening = CompletableFuture.runAsync(() -> second.ensure(300, 300));
        CompletableFuture<Void> told = opening.whenComplete((done, e) -> asked.release()); // it is done before that
        while (!opening.isDone()) {
            assertThat(asked.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            give(first);
        }
        told.get();
        assertThat(second.frames().bytes()).isEqualTo(2 * NodeChunks.CHUNK_LENGTH);
    }

    @Test
    void shouldNotWaitWithTheLock() {
        IndexMemory first = memory();
        first.ensure(MOST << NodeChunks.NODES_SHIFT, 1);
        first.frames().tendedBy(() -> {});
        IndexMemory second = memory();
        second.frames().tendedBy(() -> {});
        second.ensure(1, 1);
        assertThatThrownBy(() -> second.ensure(300, 300)).isInstanceOf(IndexFullException.class);
        assertThat(first.frames().isWanted()).isTrue();
        give(first);
        assertThat(second.frames().awaitSpare()).as("it is there").isTrue();
        assertThat(second.frames().awaitSpare()).as("that one").isFalse();
        second.ensure(300, 300);
    }

    private static void give(IndexMemory index) {
        while (index.frames().isWanted()) {
            assertThat(index.giveChunkBack()).isTrue();
        }
    }

    private IndexMemory memory() {
        return new IndexMemory(BYTES, new NodeSet(new long[1]), 0, NodeSource.NONE, process);
    }

    private static int add(IndexMemory memory, long version) {
        memory.ensure(1, 1);
        int id = memory.take(Node.NONE);
        memory.wrap(new Node(), id).init(Node.LEAF, version);
        return id;
    }

    /** It has the window on the node before, and reads it when that is another index's memory. */
    @Test
    void shouldTakeNothingOfAnotherIndexForItsOwnAfterTheEnd() {
        IndexMemory first = memory();
        first.show(add(first, 7), 1);
        LiveView view = first.liveView();
        Node node = new Node();
        assertThat(view.begin()).isTrue();
        assertThat(view.wrap(node, view.root(), Node.LEAF)).isTrue();
        assertThat(node.version()).isEqualTo(7);
        assertThat(view.isUnchanged()).isTrue();

        first.close();
        IndexMemory second = memory();
        second.show(add(second, 9), 1);
        assertThat(node.version()).as("what it reads").isEqualTo(9);
        assertThat(view.isUnchanged()).isFalse();
        assertThat(view.begin()).isFalse();
    }

    @Test
    void shouldFindANodeWhereItWasMoved() {
        IndexMemory first = memory();
        int id = Node.NONE;
        for (int i = 0; i <= NodeChunks.NODES_PER_CHUNK; i++) {
            id = add(first, 7 + i); // the last one is in another chunk
        }
        first.giveBack(first.wrap(new Node(), 0));
        first.show(id, 1);
        LiveView view = first.liveView();
        Node node = new Node();
        view.begin();
        view.wrap(node, id, Node.LEAF);
        long version = node.version();
        ByteBuffer copy = ByteBuffer.allocate(Node.LENGTH).order(node.buffer().order());

        assertThat(first.giveChunkBack()).isTrue();
        IndexMemory second = memory();
        second.show(add(second, 9), 1);
        assertThat(node.version()).as("what it reads").isEqualTo(9);
        assertThat(view.isUnchanged()).isFalse();
        view.begin();
        assertThat(view.wrap(node, id, Node.LEAF)).isTrue();
        assertThat(node.version()).isEqualTo(version);
        assertThat(view.isUnchanged()).isTrue();
        first.copyingView().read(id, copy, 0);
        assertThat(copy).isEqualTo(node.buffer().slice(node.base(), Node.LENGTH).order(copy.order()));
        assertThat(first.giveChunkBack()).as("there is one left").isFalse();
    }

    /** It is tried often, under the lock, while a checkpoint is written. */
    @Test
    void shouldTouchNothingIfTooMuchHasToStay() {
        IndexMemory memory = memory();
        for (int i = 0; i < 2 * NodeChunks.NODES_PER_CHUNK; i++) {
            if (i == NodeChunks.NODES_PER_CHUNK - 1) {
                memory.nodes().confirm(memory.nodes().takeChanged());
                memory.source(NodeSource.NONE); // has those, as far as the memory knows
            }
            add(memory, i);
        }
        memory.show(0, 1);
        assertThat(memory.mayGoAtMost()).isEqualTo(NodeChunks.NODES_PER_CHUNK - 1);
        assertThat(memory.giveChunkBack()).isFalse();
        assertThat(memory.nodes().evicted()).isZero();
        memory.giveBack(memory.wrap(new Node(), NodeChunks.NODES_PER_CHUNK));
        assertThat(memory.giveChunkBack()).as("there is room now").isTrue();
    }

    @Test
    void shouldKeepAChunkThatIsFullOfWhatHasToStay() {
        IndexMemory memory = memory();
        int all = 2 * NodeChunks.NODES_PER_CHUNK;
        for (int i = 0; i < all; i++) {
            add(memory, i);
        }
        memory.show(0, 1);
        memory.giveBack(memory.wrap(new Node(), 1)); // room for one
        assertThat(memory.giveChunkBack()).isFalse();
        assertThat(memory.freeNodes()).isEqualTo(1);
        for (int id = 2; id < all; id++) {
            assertThat(memory.wrap(new Node(), id).version()).isEqualTo(id);
        }
        assertThat(memory.frames().bytes()).isEqualTo(2L * NodeChunks.CHUNK_LENGTH);
    }
}
