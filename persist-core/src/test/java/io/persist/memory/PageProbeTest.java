package io.persist.memory;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PageProbeTest {

    private static final int PAGE_LENGTH = 4096;

    /** A segment of a salvaged log is as long as its records: a multiple of 8. */
    @Test
    void shouldLookAtALastPageOfFewBytes() {
        PageProbe probe = new PageProbe();
        for (int more = 8; more <= 32; more += 8) {
            ByteBuffer mapped = ByteBuffer.allocateDirect(PAGE_LENGTH + more);
            assertThatCode(() -> probe.check(mapped, PAGE_LENGTH - 96, mapped.capacity()))
                    .as("%s bytes", more)
                    .doesNotThrowAnyException();
        }
    }
}
