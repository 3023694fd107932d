package io.persist.index.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** To ask the JVM for memory that it has not takes long, so the thread with the lock does not ask twice. */
class FrameMemoryTest {

    private int asked;
    private boolean hasMemory;
    private long nowNs;

    private final FrameMemory memory = new FrameMemory(4L << 20, this::allocate, () -> nowNs);

    private ByteBuffer allocate() {
        asked++;
        if (!hasMemory) {
            throw new OutOfMemoryError("Cannot reserve bytes of direct buffer memory");
        }
        return NodeChunks.allocate();
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
