package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which index gets a chunk that another one gives back, of 12 that there are. */
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
