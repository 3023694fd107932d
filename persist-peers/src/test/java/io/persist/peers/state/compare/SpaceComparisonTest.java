package io.persist.peers.state.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.state.SortedMapEngine;
import io.persist.peers.state.StateEngine;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** At a rate, a commit that had to wait for those before it shows that. */
class SpaceComparisonTest {

    private static final int KEYS = 500;
    private static final int VALUE_LENGTH = 10;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Takes a tenth of a second for its first commit. */
    private static final class StallingEngine extends SortedMapEngine {

        private int commits;

        @Override
        public void commit() {
            super.commit();
            long startNs = System.nanoTime();
            while (commits == 0 && System.nanoTime() - startNs < STALL_NS) {
                Thread.onSpinWait();
            }
            commits++;
        }
    }

    private static Histogram overwriteAll(StateEngine engine) {
        ComparisonSettings settings = new ComparisonSettings();
        settings.keys = KEYS;
        settings.rate = 1000;
        SpaceComparison comparison = new SpaceComparison(settings, settings.data(VALUE_LENGTH), VALUE_LENGTH);
        comparison.begin();
        comparison.overwriteAll(engine, 1);
        return comparison.times();
    }

    @Test
    void shouldCountTheBacklogOfAStallBeyondTheNextLookAtTheSpace() {
        Histogram times = overwriteAll(new StallingEngine());

        assertThat(times.getTotalCount()).isEqualTo(KEYS);
        // One is due each millisecond, and a look comes after ten of them: those due in the first half of the stall
        // are late by the other half at least, whatever else the machine does.
        assertThat(times.getCountBetweenValues(STALL_NS / 2, Long.MAX_VALUE / 2))
                .isGreaterThanOrEqualTo(49);
    }
}
