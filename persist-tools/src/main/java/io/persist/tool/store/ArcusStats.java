package io.persist.tool.store;

import io.persist.store.ArcusStatistics;
import io.persist.store.checkpoint.CheckpointFile;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The numbers of a store under the names that ARCUS (the memcached of naver) has for them in "stats persistence", for
 * who watches both. What the writer has told of itself is completed by what its files tell; without it, only that.
 */
final class ArcusStats {

    private static final DateTimeFormatter START_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ArcusStats() {}

    /** The values by their names, in the order of ARCUS. */
    static Map<String, String> of(StoreNumbers store) {
        Map<String, String> stats = new LinkedHashMap<>(
                store.now().said().map(ArcusStatistics::asMap).orElse(Map.of()));
        stats.put("use_persistence", "on");
        stats.put("data_path", store.checkpoints());
        stats.put("logs_path", store.log());
        stats.putIfAbsent(
                "recovery_elapsed_time_sec",
                String.format(Locale.ROOT, "%.3f", store.recovery().elapsedNs() / 1e9));
        stats.put("last_chkpt_in_progress", Boolean.toString(store.now().isWritingCheckpoint()));
        stats.put(
                "last_chkpt_start_time",
                store.newest().map(ArcusStats::startTime).orElse("0"));
        stats.put(
                "last_chkpt_snapshot_filesize_bytes",
                Long.toString(store.newest().map(CheckpointFile::bytes).orElse(0L)));
        stats.put("current_command_log_filesize_bytes", Long.toString(store.logBytes()));
        return stats;
    }

    private static String startTime(CheckpointFile file) {
        return START_TIME.format(Instant.ofEpochMilli(file.createdAtMs()));
    }
}
