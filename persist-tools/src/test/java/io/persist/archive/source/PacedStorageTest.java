package io.persist.archive.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacedStorageTest {

    private static final int PIECE_LENGTH = 1 << 20;

    private final CrashableStorage files = new CrashableStorage();
    private final List<Long> spent = new ArrayList<>();
    private final PacedStorage paced = new PacedStorage(files, spent::add);

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(files.openHandles()).isZero();
    }

    @Test
    void shouldTellWhatWasReadAndWritten() throws IOException {
        try (StorageFile file = paced.create("file")) {
            file.write(0, new byte[100], 0, 100, WriteThrough.NONE);
            assertThat(file.length()).isEqualTo(100);
        }
        try (StorageFile file = paced.open("file", Access.READ)) {
            assertThat(file.read(90, new byte[50], 0, 50)).isEqualTo(10);
            assertThat(file.read(40, ByteBuffer.allocateDirect(50), 0, 20)).isEqualTo(20);
        }
        assertThat(spent).containsExactly(100L, 10L, 20L);
    }

    /** A sync at the end of all of it would be one that other syncs on the device wait for. */
    @Test
    void shouldSyncWhatIsWrittenInBetween() throws IOException {
        List<String> steps = new ArrayList<>();
        files.hook((number, what) -> steps.add(what));
        try (StorageFile file = paced.create("file")) {
            for (int i = 0; i < 6; i++) {
                file.write((long) i * PIECE_LENGTH, new byte[PIECE_LENGTH], 0, PIECE_LENGTH, WriteThrough.NONE);
            }
            file.sync();
        }
        assertThat(steps)
                .containsExactly(
                        "create file",
                        "write file",
                        "write file",
                        "write file",
                        "write file",
                        "sync file",
                        "write file",
                        "write file",
                        "sync file");
    }

    @Test
    void shouldEndWhatThePaceEnds() throws IOException {
        PacedStorage ended = new PacedStorage(files, bytes -> {
            throw new IOException("no more");
        });
        try (StorageFile file = ended.create("file")) {
            assertThatThrownBy(() -> file.write(0, new byte[1], 0, 1, WriteThrough.NONE))
                    .hasMessage("no more");
        }
    }
}
