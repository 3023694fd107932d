package io.persist.tool.stats;

import io.persist.monitor.Counter;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A metric of logs, under the name and with the help that the meters of {@code persist-micrometer} have in Prometheus.
 * {@code docs/operations.md} has the table of all; tests compare both modules with it.
 *
 * @param name of the metric, with its unit; that of a counter ends with {@code _total}
 * @param help one line
 * @param value the number of one log; in ns if the unit is seconds, else in the unit
 */
record PrometheusMetric(String name, String help, ToLongFunction<LogNumbers> value) {

    private static final String PREFIX = "persist_log_";
    private static final int NS_DIGITS = 9;

    /** Of each named cursor of a log; there is no number without a cursor. */
    static final PrometheusMetric CURSOR_LAG = of(
            "named_cursor_lag_bytes",
            "what the named cursor of the tag cursor has still to read, of what is committed or synced",
            log -> 0);

    /** All of a log but {@link #CURSOR_LAG}. */
    static List<PrometheusMetric> ofLog() {
        return Stream.of(counters(), state(), files()).flatMap(List::stream).toList();
    }

    private static List<PrometheusMetric> counters() {
        return List.of(
                of("records_total", Counter.RECORDS),
                of("payload_bytes_total", Counter.BYTES),
                of("commits_total", Counter.COMMITS),
                of("commits_synced_total", Counter.SYNCED_COMMITS),
                of("rolls_total", Counter.ROLLS),
                of("segments_filled_total", Counter.SEGMENTS_FILLED),
                of("filled_bytes_total", Counter.FILLED_BYTES),
                of("stalls_total", Counter.STALLS),
                of("stall_time_seconds_total", Counter.STALL_NS),
                of("stall_max_seconds", Counter.STALL_MAX_NS),
                of("refusals_total", Counter.REFUSALS),
                of("paces_total", Counter.PACES),
                of("pace_time_seconds_total", Counter.PACE_NS),
                of("syncs_total", Counter.SYNCS),
                of("sync_time_seconds_total", Counter.SYNC_NS),
                of("sync_max_seconds", Counter.SYNC_MAX_NS),
                of("queue_capacity", Counter.QUEUE_CAPACITY),
                of("queue_size", Counter.QUEUE_DEPTH),
                of("queue_max", Counter.QUEUE_MAX_DEPTH),
                of("queue_full_total", Counter.QUEUE_FULL),
                of("queue_wait_time_seconds_total", Counter.QUEUE_WAIT_NS),
                of("batches_total", Counter.BATCHES),
                of("batch_entries_total", Counter.BATCH_ENTRIES),
                of("batch_max", Counter.BATCH_MAX));
    }

    private static List<PrometheusMetric> state() {
        return List.of(
                of("sync_age_seconds", "how long the sync under way has taken so far", LogNumbers::syncAgeNs),
                of(
                        "failed",
                        "1 if the log has failed and takes no more",
                        log -> log.now().hasFailed() ? 1 : 0),
                of("position_bytes", "where the log ends", log -> log.now().endPosition()),
                of(
                        "unflushed_bytes",
                        "what a kill of the process would lose",
                        log -> log.now().behind(log.now().flushedPosition())),
                of(
                        "unsynced_bytes",
                        "what a power cut would lose",
                        log -> log.now().unsyncedBytes()),
                of(
                        "cursor_lag_bytes",
                        "what the slowest named cursor has still to read, of what is committed or synced",
                        log -> log.now().slowestCursorLag()));
    }

    /** What is read from the log's directory. */
    private static List<PrometheusMetric> files() {
        return List.of(
                of(
                        "first_position_bytes",
                        "where the log begins",
                        log -> log.extent().firstPosition()),
                of(
                        "size_bytes",
                        "log from where it begins to where it ends",
                        log -> log.extent().bytes()),
                of("segments", "files that hold the log", log -> log.extent().segments()),
                of(
                        "files_bytes",
                        "lengths of all files in the log's directory",
                        log -> log.extent().fileBytes()),
                of(
                        "oldest_age_seconds",
                        "how long ago the oldest sealed segment was sealed; 0: none was",
                        LogNumbers::oldestAgeNs),
                of(
                        "disk_usable_bytes",
                        "what can still be written to the log's file system",
                        log -> log.extent().usableBytes()),
                of("cursors", "named cursors", log -> log.now().cursors().size()));
    }

    private static PrometheusMetric of(String name, Counter counter) {
        return of(name, counter.meaning(), log -> log.now().statistics().get(counter));
    }

    private static PrometheusMetric of(String name, String help, ToLongFunction<LogNumbers> value) {
        return new PrometheusMetric(PREFIX + name, help, value);
    }

    /** What Prometheus calls its type. */
    String type() {
        return name.endsWith("_total") ? "counter" : "gauge";
    }

    /** The number of {@code log}, as it is printed. */
    String valueOf(LogNumbers log) {
        long number = value.applyAsLong(log);
        return name.contains("_seconds")
                ? BigDecimal.valueOf(number, NS_DIGITS).stripTrailingZeros().toPlainString()
                : Long.toString(number);
    }
}
