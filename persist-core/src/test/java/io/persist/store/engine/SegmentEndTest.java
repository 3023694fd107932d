package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The end of a segment while another thread commits. */
class SegmentEndTest {

    private static final int SEGMENT_LENGTH = 64 << 10;

    private final CrashableStorage storage = new CrashableStorage();
    private Runnable meanwhile = () -> {};

    private static StoreConfig config() {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        return StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
    }

    /** What comes to the new segment before anything else does is something that was committed since. */
    @Test
    void shouldEndTheSegmentOfACommitThatComesInBetween() {
        try (StoreEngine store = new StoreOpener(config(), null).open(storage, storage)) {
            SegmentEnd segmentEnd = new SegmentEnd(store.core(), () -> {
                meanwhile.run();
                return store.core().commits().appendNothing();
            });
            store.single().put(Texts.bytes("a"), new byte[1], Durability.BUFFERED);
            meanwhile = () -> store.single().put(Texts.bytes("b"), new byte[1], Durability.BUFFERED);
            assertThat(segmentEnd.roll()).isBetween(SEGMENT_LENGTH + 1L, 2L * SEGMENT_LENGTH);
            meanwhile = () -> {};
            long end = segmentEnd.roll();
            assertThat(end).isBetween(2L * SEGMENT_LENGTH + 1, 3L * SEGMENT_LENGTH);
            assertThat(segmentEnd.roll()).as("nothing was committed since").isEqualTo(end);
        }
    }
}
