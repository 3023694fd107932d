package io.persist.store.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.disk.DirectoryStorage;
import io.persist.store.Texts;
import io.persist.support.CountingStorage;
import io.persist.testkit.CrashableStorage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files from which segments are read that are not warm. */
class SegmentFileReadsTest {

    private static final int LENGTH = Texts.SEGMENT_LENGTH;
    private static final int SEGMENTS = 5;

    private final CrashableStorage disk = new CrashableStorage();
    private final CountingStorage storage = new CountingStorage(disk);
    private final byte[] bytes = new byte[100];

    @BeforeEach
    void fill() {
        try (StoreLogger store = Texts.open(disk)) {
            while (store.position() < SEGMENTS * LENGTH) {
                Texts.fill(store, 10, 10);
            }
        }
    }

    private MappedSegments segments(long writtenFrom, int mostIdle) {
        return new MappedSegments(storage, writtenFrom, () -> 0, mostIdle);
    }

    @Test
    void shouldTakeOnlyWhatThisProcessHasWrittenToBeWarm() {
        try (MappedSegments segments = segments(2 * LENGTH + 100, 8)) {
            assertThat(segments.at(LENGTH).isWarm()).isFalse();
            assertThat(segments.at(2 * LENGTH).isWarm()).isTrue();
            assertThat(segments.at(3 * LENGTH).isWarm()).isTrue();
        }
        try (MappedSegments segments = MappedSegments.ofOthers(storage)) {
            assertThat(segments.at(3 * LENGTH).isWarm()).isFalse();
        }
    }

    /** Compaction takes it away after this thread has listed the files. */
    private record DeletedBeforeOpened(Storage storage) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            storage.delete(name);
            return storage.open(name, access);
        }
    }

    /** It is listed, and cannot be opened. */
    private record WithoutHandles(Storage storage) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            throw new FileNotFoundException(name + " (Too many open files)");
        }
    }

    @Test
    void shouldSayThatASegmentIsGoneWhichWasTakenAwayMeanwhile() {
        try (MappedSegments segments = MappedSegments.ofOthers(new DeletedBeforeOpened(disk))) {
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> segments.at(LENGTH + 64))
                    .withMessageContaining("position " + (LENGTH + 64));
        }
        try (MappedSegments segments = MappedSegments.ofOthers(new WithoutHandles(disk))) {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> segments.at(2 * LENGTH + 64))
                    .withMessageContaining("Too many open files");
        }
    }

    @Test
    void shouldReadTheSameAsTheMappingShows() {
        try (MappedSegments segments = segments(Long.MAX_VALUE, 8)) {
            MappedSegment segment = segments.at(LENGTH);
            assertThat(segment.read(64, bytes, 10, 90)).isTrue();
            for (int i = 0; i < 90; i++) {
                assertThat(bytes[10 + i]).isEqualTo(segment.view().get(64 + i));
            }
        }
    }

    @Test
    void shouldKeepAFileForASegmentAndNoMoreThanItMay() {
        MappedSegments segments = segments(Long.MAX_VALUE, 3);
        for (int i = 0; i < SEGMENTS; i++) {
            assertThat(segments.at(i * LENGTH).read(64, bytes, 0, 10)).isTrue();
        }
        assertThat(storage.open()).isEqualTo(3);
        assertThat(storage.opens()).isEqualTo(SEGMENTS);
        segments.at((SEGMENTS - 1) * LENGTH).read(64, bytes, 0, 10);
        assertThat(storage.opens()).as("of one that is kept").isEqualTo(SEGMENTS);
        segments.at(0).read(64, bytes, 0, 10);
        assertThat(storage.opens()).as("of one that is not").isEqualTo(SEGMENTS + 1);
        assertThat(storage.open()).isEqualTo(3);
        segments.close();
        assertThat(storage.open()).isZero();
    }

    /** Two threads at once have a file each; then one of them is enough. */
    @Test
    void shouldHaveAFileForEachThreadThatReads() {
        try (MappedSegments segments = segments(Long.MAX_VALUE, 3)) {
            MappedSegment segment = segments.at(0);
            StorageFile first = segments.take(segment);
            StorageFile second = segments.take(segment);
            assertThat(second).isNotNull().isNotSameAs(first);
            segments.giveBack(segment, first);
            segments.giveBack(segment, second);
            assertThat(storage.open()).isEqualTo(1);
            assertThat(segments.take(segment)).isSameAs(first);
            segments.giveBack(segment, first);
        }
        assertThat(storage.open()).isZero();
    }

    @Test
    void shouldCloseAFileThatIsGivenBackAfterTheEnd() {
        MappedSegments segments = segments(Long.MAX_VALUE, 3);
        MappedSegment segment = segments.at(0);
        MappedSegment dropped = segments.at(LENGTH);
        List<StorageFile> files = new ArrayList<>(List.of(segments.take(segment), segments.take(dropped)));
        segments.drop(LENGTH);
        segments.giveBack(dropped, files.get(1));
        assertThat(storage.open()).isEqualTo(1);
        segments.close();
        segments.giveBack(segment, files.get(0));
        assertThat(storage.open()).isZero();
    }

    /** The mapping still has what the file had. */
    @Test
    void shouldSayThatAFileIsGoneOrAnotherOne() throws IOException {
        try (MappedSegments segments = segments(Long.MAX_VALUE, 1)) {
            MappedSegment gone = segments.at(0);
            MappedSegment replaced = segments.at(LENGTH);
            MappedSegment last = segments.at(2 * LENGTH); // whose file is the one that is kept
            disk.delete(gone.name());
            try (StorageFile file = disk.open(replaced.name(), io.persist.file.Storage.Access.WRITE)) {
                file.write(8, new byte[8], 0, 8, StorageFile.WriteThrough.NONE);
            }
            assertThat(gone.read(64, bytes, 0, 10)).isFalse();
            assertThat(replaced.read(64, bytes, 0, 10)).isFalse();
            assertThat(last.read(64, bytes, 0, 10)).isTrue();
            assertThat(storage.open()).isEqualTo(1);
        }
    }

    @Test
    void shouldThrowWhatTheOperatingSystemSays() {
        try (MappedSegments segments = segments(Long.MAX_VALUE, 1)) {
            MappedSegment segment = segments.at(LENGTH);
            storage.fail();
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> segment.read(64, bytes, 0, 10))
                    .withMessage("cannot read the log at position " + (LENGTH + 64) + ": Input/output error");
            storage.mend();
            assertThat(segment.read(64, bytes, 0, 10)).isTrue();
        }
    }

    /** An interrupt neither ends the file nor is it lost. */
    @Test
    void shouldReadRealFilesWhateverHappensToThem(@TempDir Path directory) throws IOException {
        for (String name : disk.list()) {
            try (StorageFile file = disk.open(name, io.persist.file.Storage.Access.READ)) {
                byte[] all = new byte[(int) file.length()];
                file.read(0, all, 0, all.length);
                Files.write(directory.resolve(name), all);
            }
        }
        try (MappedSegments segments = MappedSegments.ofOthers(DirectoryStorage.open(directory))) {
            MappedSegment segment = segments.at(0);
            Thread.currentThread().interrupt();
            assertThat(segment.read(64, bytes, 0, 10)).isTrue();
            assertThat(segment.read(64, bytes, 0, 10)).isTrue();
            assertThat(Thread.interrupted()).isTrue();
            try (RandomAccessFile file =
                    new RandomAccessFile(directory.resolve(segment.name()).toFile(), "rw")) {
                file.setLength(70);
            }
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> segment.read(64, bytes, 0, 10))
                    .withMessageContaining("ends");
        }
    }
}
