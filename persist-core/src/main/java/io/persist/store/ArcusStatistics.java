package io.persist.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The numbers of a store that ARCUS (the memcached of naver) has in its "stats persistence", at one moment: for a
 * program that watches both. {@link #asMap} has them under the names of ARCUS.
 *
 * @param dataPath the directory of the checkpoints; empty if it is not known
 * @param logsPath the directory of the log
 * @param isAsync whether commits do not wait for a sync by themselves
 * @param tuning what is set now
 * @param recoveryNs how long the last opening took
 * @param inProgress whether a checkpoint is being written
 * @param failures how many checkpoints could not be written since the store was opened
 * @param startedAtMs wall clock at which the last one began, ms since 1970; 0 if there is none
 * @param elapsedNs how long the last one took that was written since the store was opened; 0 if none was
 * @param checkpointBytes length of the newest one, 0 if there is none
 * @param logBytes bytes of the log since then, which opening would have to replay
 */
public record ArcusStatistics(
        String dataPath,
        String logsPath,
        boolean isAsync,
        StoreTuning tuning,
        long recoveryNs,
        boolean inProgress,
        long failures,
        long startedAtMs,
        long elapsedNs,
        long checkpointBytes,
        long logBytes) {

    private static final DateTimeFormatter START_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * The values by their names, both as ARCUS has them and in its order; times with three decimals, the start in UTC.
     */
    public Map<String, String> asMap() {
        Map<String, String> stats = new LinkedHashMap<>();
        stats.put("use_persistence", "on");
        if (!dataPath.isEmpty()) {
            stats.put("data_path", dataPath);
        }
        stats.put("logs_path", logsPath);
        stats.put("async_logging", Boolean.toString(isAsync));
        stats.put("chkpt_interval_pct_snapshot", Integer.toString(tuning.checkpointPercent()));
        stats.put("chkpt_interval_min_logsize", megabytes(tuning.checkpointMinLogBytes()));
        stats.put("recovery_elapsed_time_sec", seconds(recoveryNs));
        stats.put("last_chkpt_in_progress", Boolean.toString(inProgress));
        stats.put("last_chkpt_failure_count", Long.toString(failures));
        stats.put(
                "last_chkpt_start_time", startedAtMs == 0 ? "0" : START_TIME.format(Instant.ofEpochMilli(startedAtMs)));
        stats.put("last_chkpt_elapsed_time_sec", seconds(elapsedNs));
        stats.put("last_chkpt_snapshot_filesize_bytes", Long.toString(checkpointBytes));
        stats.put("current_command_log_filesize_bytes", Long.toString(logBytes));
        return Collections.unmodifiableMap(stats);
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e9);
    }

    /** ARCUS has whole ones. */
    private static String megabytes(long bytes) {
        long whole = bytes >> 20;
        return whole << 20 == bytes ? Long.toString(whole) : String.format(Locale.ROOT, "%.3f", bytes / 1048576.0);
    }
}
