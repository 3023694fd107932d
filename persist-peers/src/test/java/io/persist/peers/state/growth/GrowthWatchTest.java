package io.persist.peers.state.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.state.workflow.WorkflowRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The windows have LittleHorse's figures, by the machine's clock. */
class GrowthWatchTest {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** 10 s after a window of 30 s has begun. */
    private static final long START_MS = 1_790_000_010_000L / 30_000 * 30_000 + 10_000;

    private static final long START_NS = 77;

    @TempDir
    Path directory;

    private GrowthWatch watch() throws IOException {
        return new GrowthWatch(2, 30_000, START_NS, START_MS, directory.resolve("latencies.hlog"));
    }

    private static void done(GrowthWatch watch, WorkflowRun.Kind kind, int workflow, long atMs) {
        watch.commandDone(kind, workflow, START_NS + atMs * MS, 1000);
    }

    @Test
    void shouldSumUpTheLatenciesOfEachWindow() throws IOException {
        try (GrowthWatch watch = watch()) {
            done(watch, WorkflowRun.Kind.WORKFLOW_START, 0, 0);
            done(watch, WorkflowRun.Kind.WORKFLOW_START, 1, 1);
            done(watch, WorkflowRun.Kind.TASK_START, 0, 5);
            done(watch, WorkflowRun.Kind.TASK_START, 1, 9);
            done(watch, WorkflowRun.Kind.TASK_COMPLETION, 0, 30);
            done(watch, WorkflowRun.Kind.TASK_COMPLETION, 1, 19_999);
            done(watch, WorkflowRun.Kind.TASK_START, 0, 20_000); // the window ends after 20 s
            done(watch, WorkflowRun.Kind.TASK_COMPLETION, 0, 20_002);
            done(watch, WorkflowRun.Kind.TASK_START, 1, 50_000);

            assertThat(watch.windows()).hasSize(3);
            MetricsWindow first = watch.windows().get(0);
            assertThat(first.windowStart).isEqualTo(START_MS - 10_000);
            assertThat(first.totalTaskStarts).isEqualTo(2);
            assertThat(first.totalTaskStartLatency).isEqualTo(5 + 8);
            assertThat(first.maxTaskStartLatency).isEqualTo(8);
            assertThat(first.totalTaskCompletes).isEqualTo(2);
            assertThat(first.totalTaskCompleteLatency).isEqualTo(25 + 19_990);
            assertThat(first.maxTaskCompleteLatency).isEqualTo(19_990);
            MetricsWindow second = watch.windows().get(1);
            assertThat(second.windowStart).isEqualTo(first.windowStart + 30_000);
            assertThat(second.totalTaskStarts).isEqualTo(1);
            assertThat(second.maxTaskStartLatency).isEqualTo(19_970);
            assertThat(second.maxTaskCompleteLatency).isEqualTo(2);
            MetricsWindow third = watch.windows().get(2);
            assertThat(third.windowStart).isEqualTo(second.windowStart + 30_000);
            assertThat(third.totalTaskCompletes).isZero();
            assertThat(third.maxTaskStartLatency).isEqualTo(30_001);
        }
    }

    @Test
    void shouldCountTheTaskRunsOfEachSecond() throws IOException {
        GrowthWatch watch = watch();
        try (watch) {
            long[] live = {0};
            watch.begin(() -> live[0]);
            for (int ms = 1; ms <= 2500; ms++) {
                live[0] += 10;
                done(watch, ms % 2 == 0 ? WorkflowRun.Kind.TASK_COMPLETION : WorkflowRun.Kind.TASK_START, 0, ms);
                if (ms == 1200) {
                    watch.timersDeleted(33, START_NS + ms * MS, 5 * MS);
                }
            }
            assertThat(watch.seconds()).hasSize(2);
            assertThat(watch.seconds().get(0))
                    .isEqualTo(new GrowthWatch.Second(
                            1000 * MS, 500, watch.seconds().get(0).longestNs(), 0, 10_000));
            assertThat(watch.seconds().get(1).endNs()).isEqualTo(2000 * MS);
            assertThat(watch.seconds().get(1).timerScans()).isEqualTo(1);
            assertThat(watch.seconds().get(1).liveBytes()).isEqualTo(20_000);
            assertThat(watch.scans()).containsExactly(new GrowthWatch.TimerScan(1200 * MS, 33, 5 * MS));
        }
        assertThat(watch.seconds()).hasSize(3);
        assertThat(watch.seconds().get(2).taskRuns()).isEqualTo(250);
        assertThat(directory.resolve("latencies.hlog")).content().contains("StartTime");
    }
}
