package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointsTest {

    private static final List<Entry> ENTRIES = List.of(entry("a", 64, 1), entry("b", 100, 2));

    private final CrashableStorage storage = new CrashableStorage();
    private final Checkpoints checkpoints = new Checkpoints(storage);

    @Test
    void shouldListTheNewestFirstAndNothingElse() throws IOException {
        for (long position : new long[] {64, 1L << 40, 99_999, 100_000}) {
            CheckpointEntries.write(storage, position, ENTRIES);
        }
        storage.replace("00000000000000000000.log", new byte[4096]);
        storage.replace(CheckpointName.temporary(1L << 41), new byte[10]);
        storage.replace("checkpoint.cursor", new byte[10]);
        assertThat(checkpoints.list()).containsExactly(1L << 40, 100_000L, 99_999L, 64L);
    }

    @Test
    void shouldKeepTheTwoNewest() throws IOException {
        for (long position = 1; position <= 5; position++) {
            CheckpointEntries.write(storage, position, ENTRIES);
            checkpoints.deleteOlder();
            assertThat(checkpoints.list()).hasSize(position == 1 ? 1 : 2).startsWith(position);
        }
        assertThat(checkpoints.list()).containsExactly(5L, 4L);
        checkpoints.delete(5);
        assertThat(checkpoints.list()).containsExactly(4L);
    }

    @Test
    void shouldDeleteTemporariesOfCheckpointsOnly() throws IOException {
        CheckpointEntries.write(storage, 1, ENTRIES);
        storage.replace(CheckpointName.temporary(2), new byte[10]);
        storage.replace("billing.cursor.tmp", new byte[10]);
        storage.replace("00000000000000004096.log.tmp", new byte[10]);
        checkpoints.deleteTemporaries();
        assertThat(storage.list())
                .containsExactlyInAnyOrder(CheckpointName.of(1), "billing.cursor.tmp", "00000000000000004096.log.tmp");
    }

    @Test
    void shouldMakeAnotherSaltEachTime() throws IOException {
        CheckpointHeader[] headers = new CheckpointHeader[2];
        for (int i = 0; i < 2; i++) {
            try (CheckpointWriter writer = checkpoints.create(7, 64, 3, bytes -> {})) {
                writer.add(new byte[] {(byte) i}, 1, 0, 0);
                assertThat(writer.finish()).isEqualTo(checkpoints.length(64));
            }
            try (CheckpointReader reader = checkpoints.open(64)) {
                headers[i] = reader.header();
                assertThat(reader.next()).isTrue();
                assertThat(reader.key()[0])
                        .as("the second one replaces the first one")
                        .isEqualTo((byte) i);
            }
        }
        assertThat(headers[0].salt()).isNotEqualTo(headers[1].salt());
        assertThat(headers[1].logId()).isEqualTo(7);
        assertThat(headers[1].sequence()).isEqualTo(3);
    }

    /** They may lie in the log's directory: the log leaves them alone, but clears up what was being made. */
    @Test
    void shouldLiveBesideALog() throws IOException {
        LogConfig config =
                LogConfig.builder(Path.of("unused")).segmentLength(4096).build();
        CheckpointEntries.write(storage, 64, ENTRIES);
        storage.replace(CheckpointName.temporary(128), new byte[10]);
        try (Log log = Log.open(config, storage)) {
            log.append(new byte[10], 0, 10);
            log.sync();
        }
        assertThat(storage.list()).doesNotContain(CheckpointName.temporary(128));
        assertThat(checkpoints.list()).containsExactly(64L);
        assertThat(CheckpointEntries.read(storage, 64)).isEqualTo(ENTRIES);
    }
}
