package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThatIOException;

import io.persist.event.OpeningProgress;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.support.ForwardingFile;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What FailedWriterTest does not see: a file that changes meanwhile. */
class DirtyPagesTest {

    private static final int LENGTH = 200_000;

    /** A file that another program cuts right after its length was read. */
    private record CutLater(StorageFile file, int left) implements ForwardingFile {
        @Override
        public int read(long offset, byte[] target, int from, int length) throws IOException {
            return ForwardingFile.super.read(offset, target, from, (int) Math.max(0, Math.min(length, left - offset)));
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldFailIfTheFileIsCutMeanwhile() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        try (StorageFile file = storage.create(LogFileName.segment(0))) {
            file.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
        }
        ForwardingStorage cut = new ForwardingStorage() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public StorageFile open(String name, Access access) throws IOException {
                return new CutLater(storage.open(name, access), 150_000);
            }
        };
        assertThatIOException()
                .isThrownBy(() -> DirtyPages.writeAgain(cut, 1_000, LENGTH, OpeningProgress.unsaid()))
                .withMessageContaining("file was cut while its records were written again, length=200000");
    }
}
