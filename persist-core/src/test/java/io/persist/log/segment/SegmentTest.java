package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a segment is synced while it is mapped and when it is not any more. */
class SegmentTest {

    private static final int LENGTH = 4096;
    private static final String NAME = "00000000000000000000.log";

    private final CrashableStorage storage = new CrashableStorage();
    private final List<String> operations = new CopyOnWriteArrayList<>();

    private Segment segment;

    @BeforeEach
    void open() throws IOException {
        StorageFile file = storage.create(NAME);
        file.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
        SegmentHeader header = new SegmentHeader(0, LENGTH, 1, 1, 0, LogContent.MESSAGES, 0);
        segment = new Segment(header, 0, file, file, file.map(LENGTH), false);
        storage.hook((number, what) -> operations.add(what));
    }

    @AfterEach
    void close() {
        segment.close();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldForceWhatIsMapped() throws IOException {
        segment.sync(64, 128);
        assertThat(operations).containsExactly("force " + NAME);
    }

    @Test
    void shouldSyncTheFileOnceItIsUnmapped() throws IOException {
        segment.mappedBytes().putLong(64, 42);
        segment.unmap();
        segment.unmap();
        segment.sync(64, 128);
        assertThat(operations).containsExactly("sync " + NAME);
        try (StorageFile again = storage.open(NAME, Storage.Access.READ)) {
            byte[] read = new byte[1];
            again.read(64, read, 0, 1);
            assertThat(read[0]).isEqualTo((byte) 42);
        }
    }

    /** No page can be found missing any more, and the sync of a file that was cut says nothing. */
    @Test
    void shouldNotCallASegmentSyncedThatWasCut() throws IOException {
        segment.unmap();
        segment.close();
        storage.delete(NAME);
        StorageFile cut = storage.create(NAME);
        Segment shorter = new Segment(segment.header(), 0, cut, cut, mapping(), false);
        shorter.unmap();
        assertThatIOException().isThrownBy(() -> shorter.sync(64, 128)).withMessageContaining("was cut: length=0");
        segment = shorter;
    }

    private Mapping mapping() throws IOException {
        try (StorageFile other = storage.create("other")) {
            other.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
            return other.map(LENGTH);
        }
    }
}
