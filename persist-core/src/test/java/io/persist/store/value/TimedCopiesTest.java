package io.persist.store.value;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.persist.StoreLogger;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When copies out of mappings are timed. */
class TimedCopiesTest {

    private static final long ENTRY = 64 + 24 + 8;
    private static final int MANY = 400;

    /** Of so many about one is timed, see ValueReader. */
    private static final int TIMED = 4;

    private static final long WAITED_NS = SegmentWarmth.AT_ONCE_NS + 1_000;

    private final CrashableStorage storage = new CrashableStorage();
    private final KeyBuffer key = new KeyBuffer().set(bytes("key"), 0, 3);
    private final ValueReader reader = new ValueReader();
    private long nowNs;
    private long stepNs;
    private int looks;

    @BeforeEach
    void write() {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "key", "value");
        }
    }

    private MappedSegment segment() {
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
        assertThat(looks / 2).isCloseTo(MANY / TIMED, withinPercentage(5));
    }

    /** How many copies it takes until it is noticed that each one waits that has this place in a request. */
    private int copiesUntilNoticed(int place, int copiesOfRequest) {
        MappedSegment segment = segment();
        int copies = 0;
        while (segment.isWarm() && copies < MANY * copiesOfRequest) {
            stepNs = copies % copiesOfRequest == place ? WAITED_NS : 0;
            read();
            copies++;
        }
        return copies;
    }

    /** A page that is not in memory takes what lies around it along. */
    @Test
    void shouldNoticeSoonThatCopiesWait() {
        for (int i = 0; i < MANY; i++) {
            assertThat(copiesUntilNoticed(0, 1)).isLessThanOrEqualTo(TIMED + 1);
        }
    }

    /** The others are of segments that are in memory. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 12, 16, 21, 32, 64})
    void shouldNoticeThatOneCopyOfEachRequestWaits(int copiesOfRequest) {
        for (int place = 0; place < copiesOfRequest; place++) {
            int requests = copiesUntilNoticed(place, copiesOfRequest) / copiesOfRequest;
            assertThat(requests).as("place %s", place).isLessThanOrEqualTo(3 * copiesOfRequest);
        }
    }
}
