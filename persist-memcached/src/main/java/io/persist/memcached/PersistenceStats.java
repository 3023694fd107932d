package io.persist.memcached;

import io.persist.memcached.MemcachedFlags.Mode;
import io.persist.memcached.cache.Items;
import io.persist.memcached.cache.StoredItems;
import io.persist.store.StoreStatistics;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What {@code stats persistence} tells, under the names of ARCUS. */
final class PersistenceStats {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private PersistenceStats() {}

    static Map<String, String> of(Items items, MemcachedFlags flags, double recoverySeconds) {
        Map<String, String> values = new LinkedHashMap<>();
        if (!(items instanceof StoredItems stored)) {
            values.put("use_persistence", "off");
            return values;
        }
        StoreStatistics statistics = stored.store().statistics();
        StoreStatistics.Checkpoint checkpoint = statistics.checkpoint();
        values.put("use_persistence", "on");
        values.put("data_path", flags.data.toString());
        values.put("logs_path", flags.data.toString());
        values.put("async_logging", Boolean.toString(flags.mode == Mode.ASYNC));
        values.put("chkpt_interval_pct_snapshot", Integer.toString(flags.checkpointPercent));
        values.put("chkpt_interval_min_logsize", Integer.toString(flags.checkpointMinLog));
        values.put("recovery_elapsed_time_sec", seconds(recoverySeconds));
        values.put("last_chkpt_in_progress", Boolean.toString(checkpoint.inProgress()));
        values.put("last_chkpt_failure_count", Long.toString(checkpoint.failures()));
        values.put(
                "last_chkpt_start_time",
                checkpoint.startedAtMs() == 0 ? "0" : TIME.format(Instant.ofEpochMilli(checkpoint.startedAtMs())));
        values.put("last_chkpt_elapsed_time_sec", seconds(checkpoint.elapsedNs() / 1e9));
        values.put("last_chkpt_snapshot_filesize_bytes", Long.toString(checkpoint.bytes()));
        values.put("current_command_log_filesize_bytes", Long.toString(statistics.logBytes()));
        return values;
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }
}
