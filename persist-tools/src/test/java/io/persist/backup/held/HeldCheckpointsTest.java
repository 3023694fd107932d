package io.persist.backup.held;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.DirectoryStorage;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two chains, as a store has them: 20 builds on 10, and 40 on 30. */
class HeldCheckpointsTest {

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws IOException {
        write(10, CheckpointHeader.NONE);
        write(20, 10);
        write(30, CheckpointHeader.NONE);
        write(40, 30);
    }

    private void write(long position, long predecessor) throws IOException {
        CheckpointHeader header = new CheckpointHeader(1, position, 1, 2, 3, predecessor, 4);
        Files.write(directory.resolve(CheckpointName.of(position)), header.encode());
    }

    private HeldCheckpoints held() throws IOException {
        HeldCheckpoints held = new HeldCheckpoints();
        held.open(DirectoryStorage.open(directory));
        return held;
    }

    @Test
    void shouldLeaveOutWhatCompactionHasOvertaken() throws IOException {
        try (HeldCheckpoints held = held()) {
            assertThat(held.newest()).isEqualTo(40);
            assertThat(held.usefulFrom(0).keySet()).containsExactly(10L, 20L, 30L, 40L);
            assertThat(held.usefulFrom(21).keySet()).containsExactly(30L, 40L);
        }
    }

    @Test
    void shouldKeepWhatAUsefulOneBuildsOn() throws IOException {
        try (HeldCheckpoints held = held()) {
            assertThat(held.usefulFrom(40).keySet()).containsExactly(30L, 40L);
            assertThat(held.usefulFrom(20).keySet()).containsExactly(10L, 20L, 30L, 40L);
        }
    }

    @Test
    void shouldKeepADamagedOneAsItIs() throws IOException {
        Files.write(directory.resolve(CheckpointName.of(40)), new byte[] {1, 2, 3});

        try (HeldCheckpoints held = held()) {
            assertThat(held.usefulFrom(31).keySet()).containsExactly(40L);
        }
    }

    @Test
    void shouldHaveNoneInALog() throws IOException {
        try (HeldCheckpoints held = new HeldCheckpoints()) {
            assertThat(held.newest()).isZero();
            assertThat(held.usefulFrom(0)).isEmpty();
        }
    }
}
