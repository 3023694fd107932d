package io.persist.tool.store;

import io.persist.store.checkpoint.CheckpointFile;
import io.persist.tool.stats.ArcusForm;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of a store under the names of ARCUS. What the writer has told of itself is completed by what its files
 * tell; without it, only that.
 */
final class StoreNumbersArcus {

    private StoreNumbersArcus() {}

    /** The values by their names, in the order of ARCUS. */
    static Map<String, String> of(StoreNumbers store) {
        Map<String, String> stats = new LinkedHashMap<>(store.now().said());
        stats.put("use_persistence", "on");
        stats.put("data_path", store.checkpoints());
        stats.put("logs_path", store.log());
        stats.putIfAbsent(
                "recovery_elapsed_time_sec", ArcusForm.seconds(store.recovery().elapsedNs()));
        stats.put("last_chkpt_in_progress", Boolean.toString(store.now().isWritingCheckpoint()));
        stats.put(
                "last_chkpt_start_time",
                ArcusForm.time(store.newest().map(CheckpointFile::createdAtMs).orElse(0L)));
        stats.put(
                "last_chkpt_snapshot_filesize_bytes",
                Long.toString(store.newest().map(CheckpointFile::bytes).orElse(0L)));
        stats.put("current_command_log_filesize_bytes", Long.toString(store.logBytes()));
        return stats;
    }
}
