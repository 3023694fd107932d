package io.persist.peers.trial.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each mode measures what its table shows, and says when it does so. */
class WorkloadTest {

    private static final int MESSAGES = 500;
    private static final double UNPACED_SECONDS = 0.005;

    /** What a profiler is told, in its order. */
    private static final class Calls implements Sampling {

        private final List<String> all = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void begin() {
            all.add("begin");
        }

        @Override
        public void end() {
            all.add("end");
        }

        @Override
        public void enter() {
            all.add("enter");
        }

        @Override
        public void leave() {
            all.add("leave");
        }
    }

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldMeasureWhatItsTableShowsAndTellTheProfiler(Mode mode) throws IOException, InterruptedException {
        boolean isUnpaced = mode.work() == Mode.Work.UNPACED;
        double seconds = isUnpaced ? UNPACED_SECONDS : 10;
        Trial trial =
                new Trial("bare-copy", mode, 1, MESSAGES, MESSAGES, seconds, 0, 2, 64, 100_000, directory.toString());
        Calls sampling = new Calls();

        TrialResult result = Workload.of(mode).run(trial, new Logs(trial), sampling);

        assertThat(sampling.all.get(0)).isEqualTo("begin");
        assertThat(Collections.frequency(sampling.all, "begin")).isEqualTo(Collections.frequency(sampling.all, "end"));
        if (!isUnpaced) {
            assertThat(sampling.all.subList(1, sampling.all.size() - 1)).containsOnly("enter", "leave");
        }
        assertThat(Collections.frequency(sampling.all, "enter"))
                .isEqualTo(Collections.frequency(sampling.all, "leave"))
                .isGreaterThanOrEqualTo(mode.producers());
        assertThat(sampling.all.get(sampling.all.size() - 1)).isEqualTo("end");

        // Not everywhere can the device be seen, and here nothing comes after the least that is to be appended.
        assertThat(result.metrics().keySet())
                .containsAll(mode.metrics().stream()
                        .filter(metric -> metric != Metric.DEVICE_BYTES && metric != Metric.LATER_RATE)
                        .toList());
        if (mode.metrics().contains(Metric.RATE)) {
            assertThat(result.elapsedNs()).isPositive();
        }
        if (isUnpaced) {
            // A log holds fewer messages than that takes, and one engine has no shorter pass than another.
            assertThat(result.elapsedNs()).isGreaterThanOrEqualTo((long) (UNPACED_SECONDS * 1e9));
            assertThat(result.count()).isPositive();
        } else if (mode.metrics().contains(Metric.RATE)) {
            assertThat(result.count()).isEqualTo(MESSAGES);
        }
        if (mode.metrics().contains(Metric.P50) && !isUnpaced) {
            assertThat(result.histogram().getTotalCount()).isEqualTo(MESSAGES / mode.batch());
        }
        if (mode.metrics().contains(Metric.LOG_MIB)) {
            assertThat(result.metrics()).containsEntry(Metric.LOG_MIB, MESSAGES * 64.0 / (1 << 20));
        }
    }
}
