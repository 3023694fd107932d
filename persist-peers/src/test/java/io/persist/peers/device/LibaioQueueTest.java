package io.persist.peers.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.device.engine.Request;
import io.persist.peers.device.LibaioQueue.Slot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the operations in flight, with a context that needs no native library. */
class LibaioQueueTest {

    /** What each poll ends; when there is no more it fails, where the kernel would wait for good. */
    private final Deque<List<Slot>> batches = new ArrayDeque<>();

    private int synced;
    private final LibaioQueue queue = new LibaioQueue(3, this::poll, () -> synced++);

    private int poll(Slot[] ended, int least, int most) {
        List<Slot> batch = batches.remove();
        batch.toArray(ended);
        return batch.size();
    }

    private Slot begin(int number, boolean isSynced) {
        Slot slot = new Slot(ByteBuffer.allocate(1));
        Request request = new Request(number);
        request.set(0, number, isSynced);
        slot.begin(request);
        queue.begun();
        return slot;
    }

    @Test
    void shouldWaitForNothingMoreAfterOneOfABatchHasFailed() throws IOException {
        Slot failed = begin(0, false);
        Slot good = begin(1, false);
        failed.onError(-5, "Input/output error");
        batches.add(Arrays.asList(failed, good));

        assertThatThrownBy(queue::await)
                .isInstanceOf(IOException.class)
                .hasMessage("libaio failed with error -5: Input/output error");
        queue.awaitAll();
        assertThat(batches).isEmpty();
    }

    @Test
    void shouldWaitForTheOthersWhateverComesOfThem() throws IOException {
        Slot first = begin(0, false);
        Slot second = begin(1, false);
        Slot third = begin(2, false);
        first.onError(-5, "Input/output error");
        second.onError(-5, "Input/output error");
        batches.addAll(List.of(List.of(first), List.of(second), List.of(third)));

        assertThatThrownBy(queue::await).isInstanceOf(IOException.class);
        queue.awaitAll();
        assertThat(batches).isEmpty();
    }

    @Test
    void shouldSyncOnceForAllThatHaveEndedTogether() throws IOException {
        batches.add(List.of(begin(0, true), begin(1, false), begin(2, true)));

        assertThat(List.of(
                        queue.await().number(),
                        queue.await().number(),
                        queue.await().number()))
                .containsExactly(0L, 1L, 2L);
        assertThat(synced).isEqualTo(1);
    }
}
