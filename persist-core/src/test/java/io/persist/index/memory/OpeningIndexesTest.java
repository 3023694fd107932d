package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several indexes are opened at once, which need more of 12 chunks than their shares, and do not give before that. */
@Timeout(300)
class OpeningIndexesTest {

    private static final int MOST = 12;
    private static final long BYTES = (long) MOST * NodeChunks.CHUNK_LENGTH;

    private final ProcessChunks process = new ProcessChunks(() -> BYTES, NodeChunks::allocate);
    private final FrameMemory first = opening();
    private final FrameMemory second = opening();

    private FrameMemory opening() {
        return new FrameMemory(BYTES, process, System::nanoTime);
    }

    private static void takeAll(FrameMemory index) {
        while (index.addChunk()) {
            // goes on
        }
    }

    private static void give(FrameMemory index) {
        while (index.isWanted()) {
            index.giveChunkBack();
        }
    }

    /** Until it is done, or waits for another index. */
    private static Thread begin(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        Await.until(
                "it waits",
                () -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED);
        return thread;
    }

    @Test
    void shouldWaitForWhatTheFirstOneGivesOnceItIsOpen() throws Exception {
        takeAll(first);
        second.addChunk();
        FutureTask<Boolean> more = new FutureTask<>(second::awaitChunk);
        begin(more);
        first.tendedBy(() -> {});
        give(first);
        assertThat(more.get()).isTrue();
    }

    @Test
    void shouldNotWaitForOneThatWaitsForIt() throws Exception {
        while (first.addChunk() && second.addChunk()) {
            // half for each
        }
        FutureTask<Boolean> more = new FutureTask<>(first::awaitChunk);
        begin(more);
        assertThat(second.awaitChunk()).as("both would wait").isFalse();
        assertThat(more.isDone()).isFalse();
        second.close();
        assertThat(more.get()).isTrue();
    }

    @Test
    void shouldGoOnOneAfterTheOther() {
        first.awaitTurn();
        Thread next = begin(second::awaitTurn);
        assertThat(next.getState()).isEqualTo(Thread.State.TIMED_WAITING);
        first.awaitTurn(); // has it already
        first.tendedBy(() -> {});
        Await.until("it goes on", () -> !next.isAlive());
    }

    @Test
    void shouldGoOnIfTheFirstOneIsClosed() {
        first.awaitTurn();
        Thread next = begin(second::awaitTurn);
        first.close();
        Await.until("it goes on", () -> !next.isAlive());
    }

    @Test
    void shouldNotWaitForOneThatStaysAsItIs() throws Exception {
        first.untended(); // as a view
        takeAll(first);
        second.addChunk();
        FutureTask<Boolean> more = new FutureTask<>(second::awaitChunk);
        assertThat(begin(more).getState()).isEqualTo(Thread.State.TERMINATED);
        assertThat(more.get()).isFalse();
    }
}
