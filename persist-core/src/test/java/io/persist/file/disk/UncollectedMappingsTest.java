package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a JVM does that cannot unmap files: it asks the collector to run, but not for each segment. */
class UncollectedMappingsTest {

    private static final long SEGMENT = UncollectedMappings.LIMIT / 16;

    private final AtomicInteger asked = new AtomicInteger();
    private final UncollectedMappings mappings = new UncollectedMappings(asked::incrementAndGet);

    @Test
    void shouldAskTheCollectorWhenTooMuchWaits() {
        List<ByteBuffer> held = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            leave(held);
        }
        assertThat(asked).hasValue(0);
        leave(held);
        assertThat(asked).hasValue(1);
        for (int i = 0; i < 16; i++) {
            leave(held);
        }
        assertThat(asked).as("not again before as much more has come").hasValue(1);
        leave(held);
        assertThat(asked).hasValue(2);
        assertThat(held).hasSize(34);
    }

    @Test
    void shouldForgetWhatWasCollected() {
        for (int i = 0; i < 100; i++) {
            mappings.add(ByteBuffer.allocateDirect(8), SEGMENT / 100);
        }
        Await.until("they are collected", () -> {
            System.gc();
            return mappings.bytes() == 0;
        });
        assertThat(asked).hasValue(0);
    }

    private void leave(List<ByteBuffer> held) {
        ByteBuffer mapping = ByteBuffer.allocateDirect(8);
        held.add(mapping);
        mappings.add(mapping, SEGMENT);
    }
}
