package io.persist.tool.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store's numbers as ARCUS names them, in the process that has the store open and in another one. */
class ArcusStatsTest {

    /** As ARCUS has them, in its order. */
    private static final List<String> NAMES = List.of(
            "use_persistence",
            "data_path",
            "logs_path",
            "async_logging",
            "chkpt_interval_pct_snapshot",
            "chkpt_interval_min_logsize",
            "recovery_elapsed_time_sec",
            "last_chkpt_in_progress",
            "last_chkpt_failure_count",
            "last_chkpt_start_time",
            "last_chkpt_elapsed_time_sec",
            "last_chkpt_snapshot_filesize_bytes",
            "current_command_log_filesize_bytes");

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private StoreLogger open(Durability durability) {
        LogConfig log = LogConfig.builder(Path.of("logs"))
                .segmentLength(ToolLog.SEGMENT_LENGTH)
                .durability(durability)
                .build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointDirectory(Path.of("data"))
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        return StoreLogger.open(config, storage, storage);
    }

    @Test
    void shouldTellTheNumbersOfAStore() {
        try (StoreLogger store = open(Durability.BUFFERED)) {
            ToolStore.put(store, "a", "one");
            Map<String, String> before = ArcusStats.of(store);
            assertThat(before.keySet()).containsExactlyElementsOf(NAMES);
            assertThat(before)
                    .containsEntry("use_persistence", "on")
                    .containsEntry("data_path", "data")
                    .containsEntry("logs_path", "logs")
                    .containsEntry("async_logging", "true")
                    .containsEntry("chkpt_interval_pct_snapshot", "0")
                    .containsEntry("chkpt_interval_min_logsize", "256")
                    .containsEntry("last_chkpt_in_progress", "false")
                    .containsEntry("last_chkpt_failure_count", "0")
                    .containsEntry("last_chkpt_start_time", "0")
                    .containsEntry("last_chkpt_elapsed_time_sec", "0.000")
                    .containsEntry("last_chkpt_snapshot_filesize_bytes", "0")
                    .containsEntry("current_command_log_filesize_bytes", Long.toString(store.position()));
            assertThat(before.get("recovery_elapsed_time_sec")).matches("\\d+\\.\\d{3}");
            assertSameFromOutside(store);
        }
    }

    @Test
    void shouldTellWhatHasChanged() {
        try (StoreLogger store = open(Durability.BUFFERED)) {
            ToolStore.put(store, "a", "one");
            long length = store.checkpoint();
            long from = store.position();
            ToolStore.put(store, "a", "two");
            failACheckpoint(store);
            store.tune(store.tuning().withCheckpointPercent(70).withCheckpointMinLogBytes(3 << 19));
            assertThat(ArcusStats.of(store))
                    .containsEntry("chkpt_interval_pct_snapshot", "70")
                    .containsEntry("chkpt_interval_min_logsize", "1.500")
                    .containsEntry("last_chkpt_failure_count", "1")
                    .containsEntry("last_chkpt_snapshot_filesize_bytes", Long.toString(length))
                    .containsEntry("current_command_log_filesize_bytes", Long.toString(store.position() - from))
                    .hasEntrySatisfying(
                            "last_chkpt_start_time", time -> assertThat(time).matches("20\\d{12}"));
            assertSameFromOutside(store);
        }
        try (StoreLogger again = open(Durability.SYNCED)) {
            assertThat(ArcusStats.of(again))
                    .containsEntry("async_logging", "false")
                    .containsEntry("last_chkpt_failure_count", "0")
                    .hasEntrySatisfying(
                            "last_chkpt_start_time", time -> assertThat(time).isNotEqualTo("0"));
            assertSameFromOutside(again);
        }
    }

    private void failACheckpoint(StoreLogger store) {
        storage.hook((number, what) -> {
            if (what.contains("checkpoint")) {
                throw new IOException("no checkpoint today");
            }
        });
        assertThatThrownBy(store::checkpoint).isInstanceOf(LogIOException.class);
        storage.hook((number, what) -> {});
    }

    /** Another process looks at the log. */
    private void assertSameFromOutside(StoreLogger store) {
        Map<String, String> expected = new LinkedHashMap<>(ArcusStats.of(store));
        expected.put("logs_path", storage.description());
        assertThat(ArcusStats.of(storage, "data")).containsExactlyEntriesOf(expected);
        expected.remove("data_path");
        assertThat(ArcusStats.of(storage, "")).containsExactlyEntriesOf(expected);
    }

    @Test
    void shouldTellNothingWhereNoStoreIs() {
        ToolLog.closed(storage, 3);
        assertThat(ArcusStats.of(storage, "")).isEmpty();
    }

    @Test
    void shouldRefuseAStoreThatIsClosed() {
        StoreLogger store = open(Durability.BUFFERED);
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> ArcusStats.of(store));
    }
}
