package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.bench.place.BareDisk;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalsTest {

    private static final long GIB = 1L << 30;
    private static final BareDisk.Rates NOT_MEASURED = new BareDisk.Rates(0, 0);

    private static List<String> verdicts(Goals goals) {
        return goals.table().stream()
                .skip(2)
                .map(line -> line.replaceAll("\\| ([^|]*) \\|.*\\| ([^|]*) \\|", "$1: $2"))
                .toList();
    }

    /** With these in the four quarters. */
    private static Bounds bounds(double[] lagS, long[] bytes) {
        Bounds bounds = new Bounds();
        for (int i = 0; i < lagS.length; i++) {
            bounds.add(new Bounds.Sample(lagS[i], bytes[i], bytes[i], bytes[i]));
        }
        return bounds;
    }

    @Test
    void shouldSayThatAllIsMet() {
        Bounds even = bounds(new double[] {2, 3, 2, 3}, new long[] {GIB, GIB, GIB, GIB});
        assertThat(verdicts(new Goals(400, 399, 0, new BareDisk.Rates(500, 450), true, even)))
                .containsExactly(
                        "the rate is held: met",
                        "the lag has a bound: met",
                        "space has a bound: met",
                        "memory has a bound: met",
                        "75 % of the disk bare, one file: met",
                        "75 % of the disk bare, objects: met");
    }

    @Test
    void shouldSayWhatIsMissed() {
        Bounds growing = bounds(new double[] {1, 2, 3, 5}, new long[] {GIB, GIB, 2 * GIB, 4 * GIB});
        assertThat(verdicts(new Goals(400, 330, 9, new BareDisk.Rates(500, 400), true, growing)))
                .containsExactly(
                        "the rate is held: MISSED",
                        "the lag has a bound: MISSED, as the rate",
                        "space has a bound: MISSED",
                        "memory has a bound: MISSED",
                        "75 % of the disk bare, one file: MISSED",
                        "75 % of the disk bare, objects: met");
        assertThat(verdicts(new Goals(400, 400, 0, NOT_MEASURED, true, growing)))
                .startsWith("the rate is held: met", "the lag has a bound: MISSED");
    }

    /** Who only reads holds no rate; the lag is judged by itself. */
    @Test
    void shouldSayNothingOfARateIfNobodyWrites() {
        Bounds even = bounds(new double[] {2, 3, 2, 3}, new long[] {GIB, GIB, GIB, GIB});
        assertThat(verdicts(new Goals(0, 3, 0, NOT_MEASURED, false, even)))
                .startsWith("the lag has a bound: met", "memory has a bound: met");
    }

    /** What nobody has seen is not met. */
    @Test
    void shouldSayNothingOfWhatIsNotKnown() {
        Bounds bounds = new Bounds();
        for (int i = 0; i < 4; i++) {
            bounds.add(new Bounds.Sample(-1, GIB, -1, -1));
        }
        assertThat(verdicts(new Goals(64, 64, 0, NOT_MEASURED, false, bounds)))
                .containsExactly(
                        "the rate is held: met",
                        "75 % of the disk bare, one file: not measured",
                        "75 % of the disk bare, objects: not measured");
        assertThat(bounds.table()).last().isEqualTo("| quarter 4 | - | 1.0 GiB | unknown | unknown |");
        assertThat(new Bounds.Sample(-1, GIB, -1, -1).levels()).containsOnly(Map.entry("objects MiB", 1_024.0));
    }

    /** What is asked for too much lags more and more, also if the run ends before samples show it. */
    @Test
    void shouldNotSayThatTheLagHasABoundBehindARateThatIsNotHeld() {
        Bounds even = bounds(new double[] {2, 3, 2, 1}, new long[] {GIB, GIB, GIB, GIB});
        assertThat(verdicts(new Goals(400, 300, 9, NOT_MEASURED, false, even)))
                .startsWith("the rate is held: MISSED", "the lag has a bound: MISSED, as the rate");
    }

    /** What takes one batch into the shard is no lag, however short the run is. */
    @Test
    void shouldSayThatTheRateIsHeldIfNoMoreThanOneBatchIsBehind() {
        Bounds even = bounds(new double[] {0, 0, 0, 0}, new long[] {GIB, GIB, GIB, GIB});
        assertThat(verdicts(new Goals(400, 350, 1, NOT_MEASURED, false, even))).startsWith("the rate is held: met");
        assertThat(verdicts(new Goals(400, 350, 2, NOT_MEASURED, false, even))).startsWith("the rate is held: MISSED");
    }

    /** A little is no growth; without keys that come again all stays; what was not asked for was not missed. */
    @Test
    void shouldNotSayWhatNobodyAskedFor() {
        Bounds little = bounds(new double[] {0, 0, 0.1, 0.9}, new long[] {1, 1, 1, 1_000});
        assertThat(verdicts(new Goals(64, 64, 0, new BareDisk.Rates(500, 80), false, little)))
                .containsExactly(
                        "the rate is held: met",
                        "the lag has a bound: met",
                        "memory has a bound: met",
                        "75 % of the disk bare, one file: not asked: that is 375 MiB/s",
                        "75 % of the disk bare, objects: met");
        assertThat(verdicts(new Goals(64, 64, 0, NOT_MEASURED, false, bounds(new double[] {9}, new long[] {GIB}))))
                .containsExactly(
                        "the rate is held: met",
                        "the lag has a bound: too short to say",
                        "memory has a bound: too short to say",
                        "75 % of the disk bare, one file: not measured",
                        "75 % of the disk bare, objects: not measured");
    }
}
