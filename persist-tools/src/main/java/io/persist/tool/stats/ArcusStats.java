package io.persist.tool.stats;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.StoreStatistics.Checkpoint;
import io.persist.store.StoreTuning;
import io.persist.store.engine.StoreMonitor;
import io.persist.store.engine.StoreMonitor.Reading;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of a store under the names that ARCUS (the memcached of naver) has for them in "stats persistence", and
 * in its order: for a program that watches both. Times have three decimals, and the start of a checkpoint is in UTC.
 *
 * <p><b>Threads:</b> any.
 */
public final class ArcusStats {

    private ArcusStats() {}

    /**
     * Those of a store that this process has open, at this moment, also if its log has failed.
     *
     * @throws IllegalStateException if the store is closed
     */
    public static Map<String, String> of(StoreLogger store) {
        StoreConfig config = store.config();
        StoreStatistics now = store.statistics();
        Reading reading = new Reading(
                config.log().durability() == Durability.SYNCED,
                store.tuning(),
                store.recovery().elapsedNs(),
                now.checkpoint(),
                now.logBytes());
        return of(
                reading,
                config.checkpointDirectory().toString(),
                config.log().directory().toString());
    }

    /**
     * Those that the store says whose log is {@code log}, in whatever process, or has said last; none if no store does.
     * The store is not read, so this takes no time, however large it is.
     *
     * @param dataPath the directory of the checkpoints, which the log does not tell; empty if it is not known
     * @throws io.persist.error.LogIOException if the log cannot be looked at
     */
    public static Map<String, String> of(Storage log, String dataPath) {
        return StoreMonitor.read(log)
                .map(reading -> of(reading, dataPath, log.description()))
                .orElse(Map.of());
    }

    private static Map<String, String> of(Reading store, String dataPath, String logsPath) {
        StoreTuning tuning = store.tuning();
        Checkpoint checkpoint = store.checkpoint();
        Map<String, String> stats = new LinkedHashMap<>();
        stats.put("use_persistence", "on");
        if (!dataPath.isEmpty()) {
            stats.put("data_path", dataPath);
        }
        stats.put("logs_path", logsPath);
        stats.put("async_logging", Boolean.toString(!store.commitsSynced()));
        stats.put("chkpt_interval_pct_snapshot", Integer.toString(tuning.checkpointPercent()));
        stats.put("chkpt_interval_min_logsize", ArcusForm.megabytes(tuning.checkpointMinLogBytes()));
        stats.put("recovery_elapsed_time_sec", ArcusForm.seconds(store.recoveryNs()));
        stats.put("last_chkpt_in_progress", Boolean.toString(checkpoint.inProgress()));
        stats.put("last_chkpt_failure_count", Long.toString(checkpoint.failures()));
        stats.put("last_chkpt_start_time", ArcusForm.time(checkpoint.startedAtMs()));
        stats.put("last_chkpt_elapsed_time_sec", ArcusForm.seconds(checkpoint.elapsedNs()));
        stats.put("last_chkpt_snapshot_filesize_bytes", Long.toString(checkpoint.bytes()));
        stats.put("current_command_log_filesize_bytes", Long.toString(store.logBytes()));
        return Collections.unmodifiableMap(stats);
    }
}
