package io.persist.log.segment;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Texts;
import io.persist.store.value.ValueReader;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.Test;

/** When copies out of mappings are timed. */
class TimedCopiesTest {

    private static final long ENTRY = 64 + 24 + 8;
    private static final int MANY = 400;

    /** Of so many one is timed, see ValueReader. */
    private static final int TIMED = 4;

    private final KeyBuffer key = new KeyBuffer().set(bytes("key"), 0, 3);
    private final ValueReader reader = new ValueReader(4);
    private long nowNs;
    private long stepNs;
    private int looks;

    private MappedSegment segment() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "key", "value");
        }
        MappedSegment segment = new MappedSegments(storage, 0, this::look, 1).at(ENTRY);
        assertThat(segment.isWarm()).as("it was just written").isTrue();
        assertThat(reader.enter(segment)).isTrue();
        return segment;
    }

    private long look() {
        looks++;
        nowNs += stepNs;
        return nowNs;
    }

    private void read() {
        assertThat(Texts.text(reader.read(key, ENTRY, 5).view())).isEqualTo("value");
    }

    /** The clock takes a tenth of a get of a short value. */
    @Test
    void shouldTimeACopyInFour() {
        MappedSegment segment = segment();
        for (int i = 0; i < MANY; i++) {
            read();
        }
        assertThat(segment.isWarm()).isTrue();
        assertThat(looks).isEqualTo(2 * MANY / TIMED);
    }

    /** A page that is not in memory takes what lies around it along. */
    @Test
    void shouldNoticeSoonThatCopiesWait() {
        MappedSegment segment = segment();
        read(); // that one is timed
        stepNs = SegmentWarmth.AT_ONCE_NS + 1_000;
        int waited = 0;
        while (segment.isWarm() && waited < MANY) {
            read();
            waited++;
        }
        assertThat(waited).isEqualTo(TIMED);
    }
}
