package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which index gets a chunk that is free, of 12 that there are. */
class WaitingIndexesTest {

    private static final int MOST = 12;
    private static final long BYTES = (long) MOST * NodeChunks.CHUNK_LENGTH;

    private final ProcessChunks process = new ProcessChunks(() -> BYTES, NodeChunks::allocate);

    /** One that is being opened. */
    private FrameMemory opening() {
        return new FrameMemory(BYTES, process, System::nanoTime);
    }

    private FrameMemory open() {
        FrameMemory index = opening();
        index.tendedBy(() -> {});
        return index;
    }

    private static void takeAll(FrameMemory index) {
        while (index.addChunk()) {
            // goes on
        }
    }

    private static int chunks(FrameMemory index) {
        return (int) (index.bytes() / NodeChunks.CHUNK_LENGTH);
    }

    @Test
    void shouldBeOfTheIndexThatIsOpenedAndNotOfTheGiver() {
        FrameMemory giver = open();
        takeAll(giver);
        FrameMemory opening = opening();
        takeAll(opening);
        giver.giveChunkBack(); // for the first one, which each index has at once
        while (giver.isWanted()) {
            giver.giveChunkBack();
            assertThat(giver.addChunk()).as("with " + chunks(giver) + " chunks").isFalse();
            assertThat(opening.addChunk()).isTrue();
            assertThat(opening.addChunk()).as("one more").isFalse();
        }
        assertThat(chunks(giver)).isEqualTo(MOST / 4);

        opening.tendedBy(() -> {});
        assertThat(giver.addChunk()).isFalse();
        assertThat(opening.isWanted())
                .as("it is open, and has more than its share")
                .isTrue();
    }

    @Test
    void shouldBeOfTheOneThatHasWaitedLongest() {
        FrameMemory giver = open();
        takeAll(giver);
        FrameMemory first = open();
        FrameMemory second = open();
        takeAll(first);
        takeAll(second);
        giver.giveChunkBack(); // for the first ones, which each index has at once
        giver.giveChunkBack();

        giver.giveChunkBack();
        assertThat(second.addChunk()).as("what the first one waits for").isFalse();
        assertThat(first.addChunk()).isTrue();
        assertThat(first.addChunk()).as("behind the second one now").isFalse();
        giver.giveChunkBack();
        assertThat(first.addChunk()).isFalse();
        assertThat(second.addChunk()).isTrue();
    }

    @Test
    void shouldBeOfTheIndexThatHasReservedIt() {
        FrameMemory first = opening();
        FrameMemory second = opening();
        assertThat(first.reserve(8 * NodeChunks.NODES_PER_CHUNK - 1)).isTrue();
        assertThat(second.reserve(4 * NodeChunks.NODES_PER_CHUNK + 1)).isFalse();
        assertThat(second.reserve(4 * NodeChunks.NODES_PER_CHUNK)).isTrue();
        assertThat(first.reserve(9 * NodeChunks.NODES_PER_CHUNK)).isFalse();
        takeAll(second);
        takeAll(first);
        assertThat(chunks(first)).isEqualTo(8);
        assertThat(chunks(second)).isEqualTo(4);
    }

    @Test
    void shouldBeReservedAlsoIfAnIndexThatIsOpenWaits() {
        FrameMemory first = opening();
        assertThat(first.reserve(8 * NodeChunks.NODES_PER_CHUNK)).isTrue();
        first.addChunk();
        first.tendedBy(() -> {});
        FrameMemory second = open();
        takeAll(second);
        assertThat(chunks(second)).isEqualTo(4);
        assertThat(first.isWanted()).isTrue();
        assertThat(first.addChunk()).isTrue();
        first.addSpare();
        assertThat(chunks(first)).isEqualTo(3);

        first.release();
        takeAll(second);
        assertThat(chunks(second)).as("what was not used").isEqualTo(MOST - 3);
    }

    @Test
    void shouldNotBeReservedIfAnotherOneWaitsForIt() {
        FrameMemory giver = open();
        takeAll(giver);
        FrameMemory first = opening();
        FrameMemory second = opening();
        takeAll(first);
        takeAll(second);
        for (int i = 0; i < 3; i++) {
            giver.giveChunkBack(); // two for the first ones, which each index has at once
        }
        assertThat(second.reserve(1)).isFalse();
        assertThat(first.reserve(1)).isTrue();
    }

    /** As when its log has failed. */
    @Test
    void shouldBeOfTheOthersIfNoThreadOfAnIndexComesForIt() {
        FrameMemory giver = open();
        assertThat(giver.reserve(8 * NodeChunks.NODES_PER_CHUNK)).isTrue();
        giver.addChunk();
        FrameMemory other = open();
        takeAll(other);
        assertThat(other.addChunk()).isFalse();
        giver.untended();
        assertThat(giver.isWanted()).isFalse();
        takeAll(other);
        assertThat(chunks(other)).isEqualTo(MOST - 1);

        giver.addChunk();
        giver.untended();
        other.giveChunkBack();
        assertThat(other.addChunk()).as("what was given").isTrue();
    }

    /** Each node that is read asks if no frame is free: that must not go over all indexes, nor wait for any. */
    @Test
    void shouldNotBeLookedForAsLongAsNothingHasChanged() {
        FrameMemory giver = open();
        takeAll(giver);
        FrameMemory other = open();
        takeAll(other);
        giver.giveChunkBack(); // for the first one, which each index has at once
        takeAll(other);
        Thread asking = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                other.addChunk();
                giver.addChunk();
            }
        });
        synchronized (process) {
            asking.start();
            Await.until("it needs no lock", () -> !asking.isAlive());
        }
        giver.giveChunkBack();
        assertThat(other.addChunk()).isTrue();
    }

    @Test
    void shouldBeAskedForAgainFromTimeToTime() {
        AtomicInteger asked = new AtomicInteger();
        FrameMemory giver = opening();
        takeAll(giver);
        giver.tendedBy(asked::incrementAndGet);
        FrameMemory other = open();
        takeAll(other);
        int before = asked.get();
        for (int i = 0; i < 1000; i++) {
            other.addChunk();
        }
        assertThat(asked.get() - before).isBetween(1, 10);
    }

    @Test
    void shouldBeOfTheNextOneIfTheFirstIsClosed() {
        FrameMemory giver = open();
        takeAll(giver);
        FrameMemory first = open();
        FrameMemory second = open();
        takeAll(first);
        takeAll(second);
        first.close();
        giver.giveChunkBack(); // for the first one of the second index

        giver.giveChunkBack();
        assertThat(second.addChunk()).isTrue();
        assertThat(second.addChunk()).isFalse();
    }
}
