package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.archive.Archive;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.BadBlocks;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** It is the log that cannot be read, and not the disk of the copy: the message names the file. */
class UnreadableSourceTest {

    private static final LogConfig CONFIG = LogConfig.builder(Path.of("memory"))
            .segmentLength(4 * BadBlocks.LENGTH)
            .build();

    private final CrashableStorage disk = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothing() {
        assertThat(disk.openHandles() + target.openHandles()).isZero();
        assertThat(target.list()).isEmpty();
    }

    private void write() {
        try (Log log = Log.open(CONFIG, disk)) {
            ToolLog.append(log, 1000);
        }
    }

    private static String nameOf(Storage storage, String file) {
        return storage.description() + "/" + file;
    }

    @Test
    void shouldBeNamedIfItIsASegment() {
        write();
        String first = LogFileName.segment(0);
        Storage bad = new BadBlocks(disk, first, BadBlocks.LENGTH, 2 * BadBlocks.LENGTH);
        for (Runnable copy : List.<Runnable>of(
                () -> Backup.zip(target, "b.zip").take(bad, bad),
                () -> Archive.zip(target, "a.zip").pack(bad))) {
            assertThatThrownBy(copy::run)
                    .isInstanceOf(LogIOException.class)
                    .hasMessageStartingWith("cannot read the log: file=" + nameOf(disk, first) + ": ");
        }
    }

    @Test
    void shouldBeNamedIfItIsACheckpoint() {
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(CONFIG).build(), disk, disk)) {
            ToolStore.put(store, "key", "value");
            store.checkpoint();
        }
        String checkpoint = disk.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .findFirst()
                .orElseThrow();
        Storage bad = new BadBlocks(disk, checkpoint, 0, BadBlocks.LENGTH);
        assertThatThrownBy(() -> Backup.zip(target, "b.zip").take(bad, bad))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("cannot read " + nameOf(disk, checkpoint) + ": " + BadBlocks.REASON);
    }
}
