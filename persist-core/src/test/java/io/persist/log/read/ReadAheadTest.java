package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.segment.LogFiles;
import io.persist.support.InMemory;
import io.persist.support.Interposed;
import io.persist.support.Records;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much a tailer reads of the file at a time, and when. */
class ReadAheadTest {

    private static final int FIRST = 8192;
    private static final int MOST = 64 << 10;

    /** Some 500 KB. */
    private static final int RECORDS = 4000;

    @TempDir(factory = InMemory.class)
    Path directory;

    private static final long FORGED_NUMBER = 7;

    /** What was asked for by each read of a frame. */
    private final List<Integer> asked = new ArrayList<>();

    private LogConfig config;
    private TailerConfig reading =
            TailerConfig.builder().readMode(ReadMode.FILE).build();

    @BeforeEach
    void configure() {
        config = LogConfig.builder(directory).segmentLength(1 << 20).build();
    }

    private Tailer tailer() throws IOException {
        Storage storage =
                Interposed.after(Storage.class, DirectoryStorage.open(directory), (call, arguments, result) -> {
                    boolean isSegment =
                            call.equals("open") && arguments[0].toString().endsWith(".log");
                    return isSegment ? Interposed.after(StorageFile.class, (StorageFile) result, this::note) : result;
                });
        return Tailer.open(storage, reading);
    }

    private Object note(String call, Object[] arguments, Object result) {
        if (call.equals("read") && (long) arguments[0] >= SegmentHeader.LENGTH) {
            asked.add((int) arguments[3]);
        }
        return result;
    }

    @Test
    void shouldReadMoreWhileItIsBehind() throws IOException {
        try (Log log = Log.open(config)) {
            Records.append(log, RECORDS);
        }
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(RECORDS + 1);
        }
        assertThat(asked).startsWith(FIRST, 2 * FIRST, 4 * FIRST, MOST, MOST).doesNotContain(2 * MOST);
        assertThat(asked).hasSizeLessThan(15);
    }

    /** What is filled ahead is zeros, of which a reader that waits would copy as many. */
    @Test
    void shouldReadLittleWhileItWaits() throws IOException {
        try (Log log = Log.open(config)) {
            Records.append(log, RECORDS);
            log.flush();
            try (Tailer tailer = tailer()) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(RECORDS + 1);
                asked.clear();
                Stream.generate(() -> tailer).limit(20).forEach(Tailer::next);
                assertThat(asked).hasSize(20).containsOnly(FIRST);
                Records.append(log, 10);
                log.flush();
                assertThat(Records.readOn(tailer, RECORDS + 1)).isEqualTo(RECORDS + 11);
                assertThat(asked).contains(FIRST).doesNotContain(MOST);
            }
        }
    }

    @Test
    void shouldReadTheFileWhileItIsBehindAndTheMappingThen() throws IOException {
        reading = TailerConfig.defaults();
        try (Log log = Log.open(config)) {
            Records.append(log, RECORDS);
            try (Tailer tailer = tailer()) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(RECORDS + 1);
                assertThat(asked).startsWith(FIRST, 2 * FIRST, 4 * FIRST, MOST).hasSizeLessThan(20);
                asked.clear();
                Stream.generate(() -> tailer).limit(20).forEach(Tailer::next);
                for (int i = 0; i < 400; i++) { // some 50 KB, of which it never finds the end
                    Records.append(log, 1);
                    assertThat(tailer.next()).isTrue();
                }
                assertThat(asked).isEmpty();
                for (int i = 0; i < 1600; i++) {
                    Records.append(log, 1);
                    assertThat(tailer.next()).isTrue();
                }
                assertThat(asked).hasSizeLessThan(5);
            }
        }
    }

    /** Frames are verified some at a time; what is damaged is told when the reader gets there, and not before. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldShowAllBeforeADamagedRecord(ReadMode mode) throws IOException {
        reading = TailerConfig.builder().readMode(mode).build();
        long damaged = 0;
        try (Log log = Log.open(config)) {
            Records.append(log, RECORDS / 2);
            damaged = log.position();
            Records.append(log, RECORDS / 2);
        }
        flipABit(damaged + Frame.UNSYNCED_OFFSET);
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> Records.readOn(tailer, 1));
            assertThat(tailer.sequence()).isEqualTo(RECORDS / 2);
            assertThat(tailer.nextPosition()).isEqualTo(damaged);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(tailer::next);
            flipABit(damaged + Frame.UNSYNCED_OFFSET);
            assertThat(Records.readOn(tailer, RECORDS / 2 + 1)).isEqualTo(RECORDS + 1);
        }
    }

    private void flipABit(long position) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(directory.resolve(LogFileName.segment(0)).toFile(), "rw")) {
            file.seek(position);
            int before = file.read();
            file.seek(position);
            file.write(before ^ 1);
        }
    }

    /** The bytes are those of a frame, and lie among frames that are verified already; but there is none. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTakeNoPayloadForAFrame(ReadMode mode) throws IOException {
        reading = TailerConfig.builder().readMode(mode).build();
        byte[] forged = forgedFrame();
        long first;
        try (Log log = Log.open(config)) {
            for (int i = 0; i < RECORDS; i++) {
                log.append(forged, 0, forged.length);
            }
            first = LogFiles.basePositions(DirectoryStorage.open(directory)).first() + SegmentHeader.LENGTH;
        }
        int frame = Frame.HEADER_LENGTH + forged.length;
        try (Tailer tailer = tailer()) {
            while (tailer.nextPosition() < first + 2000L * frame) {
                assertThat(tailer.next()).isTrue();
            }
            tailer.toRecord(tailer.nextPosition() + Frame.HEADER_LENGTH, FORGED_NUMBER);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(tailer::next);
        }
    }

    private static byte[] forgedFrame() {
        ByteBuffer forged = ByteBuffer.allocate(2 * Frame.HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        Frame.putHeader(forged, 0, FORGED_NUMBER, 0, Frame.TYPE_RECORD, (byte) 0);
        Frame.putLength(forged, 0, forged.capacity());
        return forged.array();
    }
}
