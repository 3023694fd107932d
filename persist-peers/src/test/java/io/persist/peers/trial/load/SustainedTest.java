package io.persist.peers.trial.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.persist.bench.doctor.DeviceWrites;
import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Second;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sustained load goes on as long as it is to, and tells how it went. */
class SustainedTest {

    private static final int LEAST = 500;
    private static final int MOST = 100_000;

    @TempDir
    Path directory;

    private TrialResult run(String engine, double leastSeconds, double warmupSeconds)
            throws IOException, InterruptedException {
        Trial trial = new Trial(
                engine, Mode.SUSTAINED, 1, LEAST, MOST, leastSeconds, warmupSeconds, MOST, 64, 1, directory.toString());
        return Sustained.run(trial, new Logs(trial), Sampling.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"persist", "persist-file", "persist-detached", "chronicle", "bare-copy", "bare-sequential"})
    void shouldEndAtTheMostAndTellTheRateOfTheFirstOnes(String engine) throws IOException, InterruptedException {
        TrialResult result = run(engine, 3600, 0.01);

        assertThat(result.count()).isEqualTo(MOST);
        assertThat(result.histogram().getTotalCount()).isEqualTo(MOST);
        assertThat(result.seconds().stream().mapToLong(Second::count).sum()).isEqualTo(MOST);
        assertThat(result.seconds())
                .allSatisfy(
                        second -> assertThat(second.histogram().getTotalCount()).isEqualTo(second.count()));
        double firstS = LEAST / result.metrics().get(Metric.FIRST_RATE);
        assertThat(firstS).isPositive().isLessThan(result.elapsedNs() / 1e9);
        double laterS = result.elapsedNs() / 1e9 - firstS;
        assertThat(result.metrics().containsKey(Metric.LATER_RATE)).isEqualTo(laterS >= 1);
        assertThat(result.metrics().get(Metric.STALL_MS) * 1e3)
                .isGreaterThanOrEqualTo(result.metrics().get(Metric.MAX) - 0.001);
        assertThat(result.metrics().get(Metric.SYNCED_RATE))
                .isLessThan(result.metrics().get(Metric.RATE));
        assertThat(result.metrics().containsKey(Metric.DEVICE_BYTES))
                .isEqualTo(DeviceWrites.of(directory).bytes().isPresent());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldEndWhenTheLeastHasBeenAppendedAndTheTimeIsOver() throws IOException, InterruptedException {
        SleepyProducer producer = new SleepyProducer();
        SustainedLoop loop = new SustainedLoop(producer, 5, 1_000_000, 1);
        loop.run();

        // It looks at the time in slots of 10 ms, and each append takes longer.
        assertThat(loop.count()).isEqualTo(5);
        assertThat(loop.elapsedNs()).isGreaterThanOrEqualTo(5 * SleepyProducer.SLEEP_NS);
        assertThat(loop.firstNs()).isLessThanOrEqualTo(loop.elapsedNs());
        assertThat(loop.latencies().getMinNonZeroValue()).isGreaterThanOrEqualTo(SleepyProducer.SLEEP_NS * 99 / 100);
        assertThat(loop.longestStallNs()).isGreaterThanOrEqualTo(SleepyProducer.SLEEP_NS);
        assertThat(producer.appended).isEqualTo(5);
    }

    @Test
    void shouldCountSecondsThatNothingGotThrough() throws IOException {
        SleepyProducer producer = new SleepyProducer();
        producer.firstSleepNs = 2_100_000_000L;
        SustainedLoop loop = new SustainedLoop(producer, 2, 2, 0);
        loop.run();

        List<Second> seconds = loop.seconds();
        assertThat(seconds.subList(0, 2)).extracting(Second::count).containsExactly(0L, 0L);
        assertThat(seconds.stream().mapToLong(Second::count).sum()).isEqualTo(2);
        assertThat(loop.longestStallNs()).isGreaterThanOrEqualTo(2_000_000_000L);
        assertThat(Sustained.rates(seconds)).startsWith(0, 0);
    }

    @Test
    void shouldTellNoRateOfWhatComesLaterIfThatIsShort() {
        assertThat(Sustained.laterRate(7, 999_999_999)).isEmpty();
        assertThat(Sustained.laterRate(0, 10)).isEmpty();
        assertThat(Sustained.laterRate(7, 2_000_000_000)).hasValue(3.5);
    }

    @Test
    void shouldTakeTheRatesOfWholeSeconds() {
        List<Second> seconds = List.of(
                new Second(0, 1_000_000_000L, 30, ""),
                new Second(1_000_000_000L, 2_000_000_000L, 10, ""),
                new Second(2_000_000_000L, 2_100_000_000L, 50, ""));

        assertThat(Sustained.rates(seconds)).containsExactly(10, 30);
        assertThat(Sustained.rates(seconds.subList(2, 3))).containsExactly(500);
        assertThat(Sustained.rateFigures(seconds))
                .containsOnly(
                        entry(Metric.SLOWEST_SECOND, 10.0),
                        entry(Metric.MEDIAN_SECOND, 20.0),
                        entry(Metric.FASTEST_SECOND, 30.0));
    }

    @Test
    void shouldFindTheLongestStretchThatIsFarBelowTheMean() {
        SlotCounts slots = new SlotCounts();
        long total = 0;
        for (long count : new long[] {100, 5, 100, 5, 9, 0, 100, 0, 0}) {
            total += count;
            slots.end(total);
        }

        assertThat(slots.size()).isEqualTo(9);
        // The mean is 35: 9 is above a tenth of it, 5 too, and 0 alone is below.
        assertThat(slots.longestBelowTenth()).isEqualTo(2);
        slots.end(total + 3);
        slots.end(total + 103);
        assertThat(slots.longestBelowTenth()).isEqualTo(3);
    }

    private static final class SleepyProducer implements Producer {

        static final long SLEEP_NS = 15_000_000;

        private final ByteBuffer message = ByteBuffer.allocate(64);
        private long firstSleepNs = SLEEP_NS;
        private int appended;

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() {
            long endNs = System.nanoTime() + (appended++ == 0 ? firstSleepNs : SLEEP_NS);
            while (System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(endNs - System.nanoTime());
            }
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
