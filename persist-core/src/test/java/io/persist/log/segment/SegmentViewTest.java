package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.DueRecord;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.FrameVerdict;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentViewTest {

    private static final long BASE = 1L << 20;
    private static final int LENGTH = 4096;
    private static final int FIRST = SegmentHeader.LENGTH;
    private static final int RECORD = 40;
    private static final long SEALED_AT_MS = 77;

    private final SegmentHeader header = new SegmentHeader(BASE, LENGTH, 0x5A17L, 1, 2);
    private final ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    @TempDir
    private Path directory;

    private Storage storage;

    @BeforeEach
    void threeRecordsAndASeal() throws IOException {
        storage = DirectoryStorage.open(directory);
        bytes.put(0, header.encode());
        for (int i = 0; i < 3; i++) {
            frame(FIRST + i * RECORD, 11 + i, Frame.TYPE_RECORD, new byte[RECORD - Frame.HEADER_LENGTH]);
        }
        frame(FIRST + 3 * RECORD, 14, Frame.TYPE_SEAL, Frame.sealPayload(SEALED_AT_MS));
    }

    private void frame(int offset, long sequence, byte type, byte[] payload) {
        int length = Frame.HEADER_LENGTH + payload.length;
        Frame.putHeader(bytes, offset, sequence, 8, type, (byte) 0);
        bytes.put(offset + Frame.HEADER_LENGTH, payload);
        Frame.putChecksum(bytes, offset, new FrameChecksum(bytes).of(offset, length, header.salt(), BASE + offset));
        Frame.putLength(bytes, offset, length);
    }

    private void write(int length) throws IOException {
        try (StorageFile file = storage.create(LogFileName.segment(BASE))) {
            file.write(0, bytes.array(), 0, length, WriteThrough.NONE);
        }
    }

    private SegmentView open() throws IOException {
        write(LENGTH);
        return SegmentView.open(storage, BASE);
    }

    @Test
    void shouldWalkFromFrameToFrame() throws IOException {
        List<Long> sequences = new ArrayList<>();
        try (SegmentView segment = open()) {
            FrameWalk frame = segment.walk(FIRST);
            for (; frame.isWhole() && !frame.isSeal(); frame.advance()) {
                assertThat(frame.isRecord()).isTrue();
                assertThat(frame.position()).isEqualTo(BASE + frame.offset());
                assertThat(frame.syncedPosition()).isEqualTo(frame.position() - 8);
                assertThat(frame.nextSequence()).isEqualTo(frame.sequence() + 1);
                sequences.add(frame.sequence());
            }
            assertThat(frame.sealTimeMs()).isEqualTo(SEALED_AT_MS);
            assertThat(frame.nextSequence()).isEqualTo(14);
            assertThat(frame.end()).isEqualTo(FIRST + 3 * RECORD + Frame.SEAL_LENGTH);
        }
        assertThat(sequences).containsExactly(11L, 12L, 13L);
    }

    @Test
    void shouldStopAtDamageAndGoOnBehindIt() throws IOException {
        bytes.put(FIRST + RECORD + Frame.HEADER_LENGTH, (byte) 1);
        try (SegmentView segment = open()) {
            FrameWalk frame = segment.walk(FIRST);
            frame.advance();
            assertThat(frame.verdict()).isEqualTo(FrameVerdict.BAD_CHECKSUM);
            assertThat(frame.search(LENGTH, 14, 14)).isTrue();
            assertThat(frame.isSeal()).isTrue();
            assertThat(frame.search(LENGTH, 15, 20)).isFalse();
            assertThat(frame.offset()).isEqualTo(FIRST + 3 * RECORD);

            DueRecord due = new DueRecord(1, BASE + FIRST, 0);
            FrameWalk over = segment.walk(FIRST);
            assertThat(over.advanceOrSearch(LENGTH, due)).isTrue();
            assertThat(over.sequence()).isEqualTo(13);
            assertThat(segment.stored().highestSynced(FIRST, due)).isEqualTo(BASE + FIRST + 3 * RECORD - 8);
        }
    }

    @Test
    void shouldFindTheFrameAtAPosition() throws IOException {
        try (SegmentView segment = open()) {
            assertThat(segment.frameAt(BASE + FIRST + RECORD).sequence()).isEqualTo(12);
            assertThat(segment.frameAt(BASE + FIRST + 8)).isNull();
            assertThat(segment.at(BASE + FIRST + 8).isWhole()).isFalse();
            assertThat(segment.at(BASE + FIRST + 4)).isNull();
            assertThat(segment.at(BASE + LENGTH - 8)).isNotNull();
            for (long outside : new long[] {0, BASE, BASE + FIRST - 8, BASE + LENGTH, Long.MAX_VALUE}) {
                assertThat(segment.at(outside)).isNull();
            }
            assertThat(segment.seal().offset()).isEqualTo(FIRST + 3 * RECORD);
        }
    }

    /** A number is no further ahead than there is room for, from the end of the log on, wherever that is. */
    @Test
    void shouldFindHeadersOfRecordsThatAreDueLater() throws IOException {
        bytes.put(FIRST + Frame.HEADER_LENGTH, (byte) 1); // the first record is not whole
        try (SegmentView segment = open()) {
            long known = BASE + LENGTH;
            assertThat(segment.stored().hasHeaders(new DueRecord(11, BASE - 64, known)))
                    .isTrue();
            assertThat(segment.stored().hasHeaders(new DueRecord(14, BASE - 64, known)))
                    .as("the seal's")
                    .isTrue();
            assertThat(segment.stored().hasHeaders(new DueRecord(15, BASE - 64, known)))
                    .as("lower numbers")
                    .isFalse();
            assertThat(segment.stored().hasHeaders(new DueRecord(1, BASE - 64, known)))
                    .as("so soon")
                    .isFalse();
            assertThat(segment.stored().hasHeaders(new DueRecord(1, BASE - 64 - 10 * Frame.HEADER_LENGTH, known)))
                    .isTrue();
            assertThat(segment.stored().hasHeaders(new DueRecord(0, BASE - 64, known)))
                    .as("no number is known")
                    .isFalse();
        }
    }

    /** Payload of a file's earlier life can have a number in the right place. All else has to be as in a header, too. */
    @Test
    void shouldTakeNothingForAHeaderThatCannotBeOne() throws IOException {
        DueRecord due = new DueRecord(5, BASE - 64, 0);
        int place = FIRST + 4 * RECORD;
        header(place, 10, place + 64, Frame.TYPE_RECORD, Frame.FLAG_STARTS_COMMIT, 40);
        try (SegmentView segment = open()) {
            assertThat(segment.stored().hasHeaders(due)).isTrue();
        }
        assertThat(isHeader(due, place, Frame.UNSYNCED_UNKNOWN, Frame.TYPE_RECORD, 1, 40))
                .isTrue();
        assertThat(isHeader(due, place, place + 56, Frame.TYPE_RECORD, 1, 40))
                .as("more would be synced than there is")
                .isFalse();
        assertThat(isHeader(new DueRecord(5, BASE - 64, BASE - 56), place, place + 56, Frame.TYPE_RECORD, 1, 40))
                .as("that is known to be synced")
                .isTrue();
        assertThat(isHeader(due, place, place + 68, Frame.TYPE_RECORD, 1, 40))
                .as("synced up to the middle of a word")
                .isFalse();
        assertThat(isHeader(due, place, -8, Frame.TYPE_RECORD, 1, 40)).isFalse();
        assertThat(isHeader(due, place, place + 64, Frame.TYPE_RECORD, 2, 40))
                .as("a flag that nobody knows")
                .isFalse();
        assertThat(isHeader(due, place, place + 64, (byte) 3, 1, 40)).isFalse();
        assertThat(isHeader(due, place, place + 64, Frame.TYPE_RECORD, 1, LENGTH - place - 24))
                .as("no room for a seal")
                .isFalse();
        assertThat(isHeader(due, place, place + 64, Frame.TYPE_SEAL, 0, 40)).isFalse();
        assertThat(isHeader(due, place, place + 64, Frame.TYPE_SEAL, 0, Frame.SEAL_LENGTH))
                .isTrue();
    }

    private boolean isHeader(DueRecord due, int place, int unsynced, byte type, int flags, int length)
            throws IOException {
        header(place, 10, unsynced, type, (byte) flags, length);
        storage.delete(LogFileName.segment(BASE));
        try (SegmentView segment = open()) {
            return segment.stored().hasHeaders(due);
        }
    }

    /** One whose payload is gone. */
    private void header(int place, long sequence, int unsynced, byte type, byte flags, int length) {
        bytes.put(FIRST, new byte[place - FIRST]);
        Frame.putHeader(bytes, place, sequence, unsynced, type, flags);
        Frame.putChecksum(bytes, place, 77);
        Frame.putLength(bytes, place, length);
    }

    @Test
    void shouldHaveNoSealIfSomethingElseIsLast() throws IOException {
        bytes.put(LENGTH - 1, (byte) 1);
        try (SegmentView segment = open()) {
            assertThat(segment.seal()).isNull();
        }
    }

    @Test
    void shouldTakeADamagedHeaderForAFact() throws IOException {
        bytes.put(SegmentHeader.SALT_OFFSET, (byte) 1);
        try (SegmentView segment = open()) {
            assertThat(segment.damage()).hasMessageContaining("wrong checksum of the segment header");
            assertThatThrownBy(segment::intact).isSameAs(segment.damage());
            assertThat(segment.at(BASE + FIRST)).isNull();
            assertThat(segment.hasData()).isTrue();
        }
    }

    @Test
    void shouldShowWhatIsLeftOfACutFile() throws IOException {
        int left = FIRST + 3 * RECORD + 8; // no frame but a seal may end nearer to the end than that
        write(left);
        try (SegmentView segment = SegmentView.open(storage, BASE)) {
            assertThat(segment.damage()).isInstanceOf(CorruptLogException.class);
        }
        try (SegmentView segment = SegmentView.openCut(storage, BASE)) {
            assertThat(segment.damage()).isNull();
            assertThat(segment.length()).isEqualTo(left);
            assertThat(segment.frameAt(BASE + FIRST + RECORD).sequence()).isEqualTo(12);
            assertThat(segment.at(BASE + FIRST + 3 * RECORD).verdict()).isEqualTo(FrameVerdict.EMPTY);
        }
    }

    @Test
    void shouldNotOpenAFileThatEndsInItsHeader() throws IOException {
        write(FIRST - 1);
        try (SegmentView segment = SegmentView.openCut(storage, BASE)) {
            assertThat(segment.damage()).hasMessageContaining("the file ends within its header");
        }
    }
}
