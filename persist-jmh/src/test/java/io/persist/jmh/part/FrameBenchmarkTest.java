package io.persist.jmh.part;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.FrameVerdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameBenchmarkTest {

    /** Enough to come to the last frame, and to begin again. */
    private static final int ALL_FRAMES = 2000;

    @ParameterizedTest
    @ValueSource(ints = {64, 256, 1024, 4096})
    void shouldVerifyEachFrame(int payload) {
        FrameBenchmark frames = new FrameBenchmark();
        frames.payload = payload;
        frames.direct = true;
        frames.fill();

        for (int i = 0; i < ALL_FRAMES; i++) {
            assertThat(frames.verify()).isEqualTo(FrameVerdict.VALID);
        }
    }
}
