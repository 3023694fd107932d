package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What of a log's segments is needed, and what that takes besides. */
class LiveBytesTest {

    private static final int LENGTH = 1000;

    private final LiveBytes live = new LiveBytes();

    private void addSegments(int count) {
        for (int i = 0; i < count; i++) {
            live.addSegment((long) i * LENGTH, (i + 1L) * LENGTH);
        }
    }

    @Test
    void shouldKnowOnlyWhatItWasTold() {
        addSegments(2);
        live.add(100, 500);
        assertThat(live.unfilled(0)).isEqualTo(LiveBytes.UNKNOWN);
        assertThat(live.unpackable()).isZero();
        live.unfilled(0, 0);
        assertThat(live.unfilled(0)).isZero();
        assertThat(live.unpackable()).isZero();
        assertThat(live.unfilled(1)).isEqualTo(LiveBytes.UNKNOWN);
    }

    @Test
    void shouldGiveEachByteItsPartOfWhatIsUnfilled() {
        addSegments(2);
        live.add(100, 600);
        live.add(LENGTH + 100, 300);
        live.unfilled(0, 400);
        live.unfilled(LENGTH, 400);
        assertThat(live.unpackable()).isEqualTo(400 + 200);
        live.subtract(100, 300);
        assertThat(live.unpackable()).isEqualTo(200 + 200);
        live.subtract(100, 300);
        assertThat(live.unpackable()).isEqualTo(200);
        live.removeSegment(0);
        assertThat(live.unpackable()).isEqualTo(200);
        assertThat(live.unfilled(0)).isEqualTo(400);
        live.removeSegment(LENGTH);
        assertThat(live.unpackable()).isZero();
        assertThat(live.total()).isZero();
    }

    /** As a wrong checkpoint may have it. */
    @Test
    void shouldBearWhatCannotBe() {
        addSegments(1);
        live.unfilled(0, 400);
        live.subtract(100, 300);
        assertThat(live.unpackable()).isZero();
        live.add(100, 5_000);
        assertThat(live.unpackable()).isEqualTo(400);
    }
}
