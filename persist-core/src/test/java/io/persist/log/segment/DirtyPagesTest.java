package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThatIOException;

import io.persist.event.OpeningProgress;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What FailedWriterTest does not see: a file that changes meanwhile. */
class DirtyPagesTest {

    private static final int LENGTH = 200_000;
    private static final int CUT_LENGTH = 150_000;

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldFailIfTheFileIsCutMeanwhile() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        try (StorageFile file = storage.create(LogFileName.segment(0))) {
            file.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
        }
        Storage cut = Interposed.afterFiles(storage, (name, call) -> {
            if (call.equals("length")) { // by another program, right after it was asked for
                storage.replace(name, new byte[CUT_LENGTH]);
            }
        });
        assertThatIOException()
                .isThrownBy(() -> DirtyPages.writeAgain(cut, 1_000, LENGTH, OpeningProgress.unsaid()))
                .withMessageContaining(
                        "file was cut while its records were written again, length=150000, needed=200000");
    }
}
