package io.persist.tool.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.LogMonitor.Extent;
import io.persist.LogMonitor.Reading;
import io.persist.command.Run;
import io.persist.file.Storage;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import io.persist.monitor.WriterState;
import io.persist.support.MeterTable;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrometheusStatsToolTest {

    private static final long NOW_MS = 1_800_000_000_000L;

    private final CrashableStorage storage = new CrashableStorage();

    private String text(Storage... logs) {
        PrometheusStatsTool tool = new PrometheusStatsTool(() -> NOW_MS);
        for (Storage log : logs) {
            Run run = ToolLog.run(log, tool);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).as("it is said of all logs together").isEmpty();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        tool.finish(ToolLog.print(out));
        return ToolLog.text(out);
    }

    private static String line(String metric, long value) {
        return "\npersist_log_" + metric + "{log=\"memory\"} " + value + "\n";
    }

    @Test
    void shouldPrintTheNumbersOfALog() {
        try (Log log = ToolLog.open(storage)) {
            ToolLog.append(log, 10);
            log.sync();
            log.roll();
            ToolLog.append(log, 5);
            Reading now = new LogMonitor(storage).read();
            assertThat(now.unsyncedBytes()).isPositive();
            assertThat(text(storage))
                    .startsWith("# HELP persist_log_records_total records appended\n"
                            + "# TYPE persist_log_records_total counter\n"
                            + "persist_log_records_total{log=\"memory\"} 15\n# HELP ")
                    .contains(line("payload_bytes_total", 126))
                    .contains(line("position_bytes", log.position()))
                    .contains(line("unsynced_bytes", now.unsyncedBytes()))
                    .contains(line("unflushed_bytes", 0))
                    .contains(line("failed", 0));
        }
        Extent extent = new LogMonitor(storage).extent();
        assertThat(text(storage))
                .contains(line("size_bytes", extent.bytes()))
                .contains(line("segments", 2))
                .contains(line("files_bytes", extent.fileBytes()))
                .contains(line("disk_usable_bytes", extent.usableBytes()))
                .contains(line("cursors", 0))
                .doesNotContain("named_cursor");
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldPrintTimesInSeconds() {
        Map<Counter, Long> counted = Map.of(
                Counter.SYNC_MAX_NS, 4_711L,
                Counter.SYNC_NS, 12_000_000_000L,
                Counter.SYNC_BEGAN_AT_MS, NOW_MS - 7_500);
        LogStatistics statistics = LogStatistics.of(counter -> counted.getOrDefault(counter, 0L));
        Reading now = new Reading(WriterState.FAILED, 1, 100, 90, 80, statistics, Collections.emptySortedMap());
        LogNumbers log = new LogNumbers(now, new Extent(0, 100, 1, 200, NOW_MS - 86_400_001, 300), NOW_MS);
        assertThat(new PrometheusText(Map.of("memory", log)).toString())
                .contains("\npersist_log_sync_max_seconds{log=\"memory\"} 0.000004711\n")
                .contains("\npersist_log_sync_time_seconds_total{log=\"memory\"} 12\n")
                .contains("\npersist_log_stall_max_seconds{log=\"memory\"} 0\n")
                .contains("\npersist_log_sync_age_seconds{log=\"memory\"} 7.5\n")
                .contains("\npersist_log_oldest_age_seconds{log=\"memory\"} 86400.001\n")
                .contains(line("failed", 1));
    }

    @Test
    void shouldPrintTheLagOfEachCursor() {
        try (Log log = ToolLog.open(storage)) {
            log.tailer("audit", TailerConfig.defaults()).close();
            ToolLog.append(log, 3);
            try (Tailer billing = log.tailer("billing")) {
                billing.toEnd();
                billing.store();
            }
            long lag = new LogMonitor(storage).read().slowestCursorLag();
            assertThat(lag).isPositive();
            assertThat(text(storage))
                    .contains(line("cursor_lag_bytes", lag))
                    .contains(line("cursors", 2))
                    .endsWith("# TYPE persist_log_named_cursor_lag_bytes gauge\n"
                            + "persist_log_named_cursor_lag_bytes{cursor=\"audit\",log=\"memory\"} " + lag + "\n"
                            + "persist_log_named_cursor_lag_bytes{cursor=\"billing\",log=\"memory\"} 0\n");
        }
    }

    /** A name that comes twice with the same labels is refused, and all of the file with it. */
    @Test
    void shouldPrintALogOnce() {
        ToolLog.closed(storage, 3);
        assertThat(text(storage, storage)).isEqualTo(text(storage));
        assertThat(text()).isEmpty();
    }

    /** That table is what persist-micrometer is compared with, and what it is called by the registry for Prometheus. */
    @Test
    void shouldCallTheMetricsAsMicrometerDoes() {
        List<String> expected = MeterTable.rows().stream()
                .filter(row -> row.get(0).startsWith("persist.log."))
                .flatMap(row -> MeterTable.heads(row).stream())
                .toList();
        try (Log log = ToolLog.open(storage)) {
            log.tailer("audit", TailerConfig.defaults()).close();
            assertThat(text(storage).lines().filter(line -> line.startsWith("#")))
                    .containsExactlyElementsOf(expected)
                    .hasSizeGreaterThan(60);
        }
    }
}
