package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What the JVM is asked for: to ask it for memory that it has not takes long, and more than the limit is never kept. */
class FrameMemoryTest {

    private int asked;
    private boolean hasMemory;
    private long nowNs;

    private final FrameMemory memory = new FrameMemory(4L << 20, process(this::allocate), () -> nowNs);

    private static ProcessChunks process(Supplier<ByteBuffer> allocator) {
        return new ProcessChunks(() -> 4L << 20, allocator);
    }

    private ByteBuffer allocate() {
        asked++;
        if (!hasMemory) {
            throw new OutOfMemoryError("Cannot reserve bytes of direct buffer memory");
        }
        return NodeChunks.allocate();
    }

    /** The background thread allocates a spare chunk while the thread with the lock takes the last one. */
    @Test
    void shouldHaveNoSpareBeyondItsLimit() {
        hasMemory = true;
        FrameMemory[] one = new FrameMemory[1];
        one[0] = new FrameMemory(
                NodeChunks.CHUNK_LENGTH,
                process(() -> {
                    ByteBuffer chunk = allocate();
                    if (asked == 1) {
                        assertThat(one[0].addChunk()).isTrue();
                    }
                    return chunk;
                }),
                () -> nowNs);
        one[0].addSpare();

        assertThat(asked).isEqualTo(2);
        assertThat(one[0].bytes()).isEqualTo(NodeChunks.CHUNK_LENGTH);
        assertThat(one[0].wantsSpare()).isFalse();
    }

    @Test
    void shouldRememberARefusal() {
        assertThat(memory.addChunk()).isFalse();
        assertThat(memory.addChunk()).isFalse();
        assertThat(asked).isEqualTo(1);
        assertThat(memory.limit()).as("known now").isZero();
        memory.addSpare();
        assertThat(asked).as("too soon for the background thread").isEqualTo(1);

        nowNs += SpareChunk.REFUSED_NS;
        hasMemory = true;
        assertThat(memory.addChunk()).as("with the lock").isFalse();
        assertThat(asked).isEqualTo(1);
        memory.addSpare();
        assertThat(asked).isEqualTo(2);
        assertThat(memory.addChunk()).isTrue();
        assertThat(memory.addChunk()).as("it may ask itself again").isTrue();
        assertThat(asked).isEqualTo(3);
        assertThat(memory.limit()).isEqualTo(1024);
    }
}
