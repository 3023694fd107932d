package io.persist.store.value;

import static io.persist.store.value.SegmentWarmth.AT_ONCE_NS;
import static io.persist.store.value.SegmentWarmth.COLD;
import static io.persist.store.value.SegmentWarmth.DEVICE_NS;
import static io.persist.store.value.SegmentWarmth.DOUBT;
import static io.persist.store.value.SegmentWarmth.TRIAL;
import static io.persist.store.value.SegmentWarmth.WARM;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SegmentWarmthTest {

    private static void readAtOnce(SegmentWarmth warmth, int times) {
        for (int i = 0; i < times; i++) {
            warmth.tookByFile(AT_ONCE_NS, 0);
        }
    }

    private static void assertIsWarmAfter(SegmentWarmth warmth, int reads) {
        readAtOnce(warmth, reads - 1);
        assertThat(warmth.isWarm()).isFalse();
        readAtOnce(warmth, 1);
        assertThat(warmth.isWarm()).isTrue();
    }

    @Test
    void shouldBeWarmAfterManyReadsOfTheFileThatWentAtOnce() {
        assertIsWarmAfter(new SegmentWarmth(false), WARM);
    }

    @Test
    void shouldLoseManyByOneThatWaitedForTheDevice() {
        SegmentWarmth warmth = new SegmentWarmth(false);
        readAtOnce(warmth, WARM - 1);
        warmth.tookByFile(AT_ONCE_NS + 1, 0);
        assertIsWarmAfter(warmth, COLD + 1);
        SegmentWarmth cold = new SegmentWarmth(false);
        assertThat(cold.isCold()).isTrue();
        cold.tookByFile(DEVICE_NS - 1, 0);
        assertIsWarmAfter(cold, WARM);
    }

    /** A thread without a CPU for a while is no reason to leave a mapping for long. */
    @Test
    void shouldLoseFewByOneThatMayHaveWaitedForTheCpu() {
        SegmentWarmth warmth = new SegmentWarmth(false);
        readAtOnce(warmth, WARM - 1);
        warmth.tookByFile(DEVICE_NS, 0);
        assertIsWarmAfter(warmth, DOUBT + 1);
    }

    @Test
    void shouldTryTheFileAfterAReadOfTheMappingThatWaited() {
        SegmentWarmth warmth = new SegmentWarmth(true);
        warmth.tookByMapping(AT_ONCE_NS, 0);
        assertThat(warmth.isWarm()).isTrue();
        warmth.tookByMapping(AT_ONCE_NS + 1, 0);
        warmth.tookByMapping(AT_ONCE_NS + 1, 0); // of another thread
        assertThat(warmth.isCold()).as("after these").isFalse();
        assertIsWarmAfter(warmth, TRIAL);
        SegmentWarmth cold = new SegmentWarmth(false);
        cold.tookByMapping(AT_ONCE_NS + 1, 0);
        assertIsWarmAfter(cold, WARM);
    }

    @Test
    void shouldGiveLongReadsMoreTime() {
        SegmentWarmth warmth = new SegmentWarmth(true);
        warmth.tookByMapping(AT_ONCE_NS + 1_000_000, 1_000_000);
        assertThat(warmth.isWarm()).isTrue();
        warmth.tookByMapping(AT_ONCE_NS + 1_000_001, 1_000_000);
        assertThat(warmth.isWarm()).isFalse();
    }
}
