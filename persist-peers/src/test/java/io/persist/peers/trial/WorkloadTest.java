package io.persist.peers.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each mode measures what its table shows. */
class WorkloadTest {

    private static final int MESSAGES = 500;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldMeasureWhatItsTableShows(Mode mode) throws IOException, InterruptedException {
        Trial trial = new Trial("bare-copy", mode, 1, MESSAGES, 10, 0, 64, 100_000, directory.toString());

        TrialResult result = Workload.of(mode).run(trial, new Logs(trial));

        assertThat(result.metrics().keySet()).containsAll(mode.metrics());
        if (mode.metrics().contains(Metric.RATE)) {
            assertThat(result.count()).isEqualTo(MESSAGES);
            assertThat(result.elapsedNs()).isPositive();
        }
        if (mode.metrics().contains(Metric.P50)) {
            assertThat(result.histogram().getTotalCount()).isEqualTo(MESSAGES / mode.batch());
        }
        if (mode.metrics().contains(Metric.LOG_MIB)) {
            assertThat(result.metrics()).containsEntry(Metric.LOG_MIB, MESSAGES * 64.0 / (1 << 20));
        }
    }
}
