package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.segment.LogFiles;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NavigableSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A search passes a segment whose header is damaged, or another log's. Behind it there may be any number of records:
 * here as many as a hundred million numbers, of which compaction has taken most.
 */
class SearchBesideDamageTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int ROLLS = 11;
    private static final int VACATED = 8;
    private static final long GONE = 100_000_000;
    private static final int LAST = 20;

    private final CrashableStorage storage = new CrashableStorage();
    private long last;

    @BeforeEach
    void write() throws IOException {
        long end;
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            Records.appendUntilRolled(log, ROLLS);
            Records.append(log, LAST);
            log.sync();
            assertThat(log.vacate((long) VACATED * LENGTH)).isTrue();
            last = log.lastSequence() + GONE;
            end = log.position();
        }
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        for (long base : bases.tailSet(end)) {
            storage.delete(LogFileName.segment(base)); // made ahead, so many as there was time for
        }
        for (long base : bases.subSet((long) VACATED * LENGTH, end)) {
            String name = LogFileName.segment(base);
            storage.replace(name, numberedAnew(storage.content(name), name, base));
        }
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    /** The segment with the numbers that its records have behind so many that are gone. */
    private static byte[] numberedAnew(byte[] segment, String name, long base) {
        ByteBuffer bytes = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        FrameWriter frames = new FrameWriter(bytes);
        frames.moveTo(
                bytes, SegmentHeader.decode(bytes, name, segment.length, base).salt(), base);
        int at = SegmentHeader.LENGTH;
        while (at <= segment.length - Frame.HEADER_LENGTH && Frame.length(bytes, at) > 0) {
            int length = Frame.length(bytes, at);
            byte[] payload = new byte[length - Frame.HEADER_LENGTH];
            bytes.get(at + Frame.HEADER_LENGTH, payload);
            long state = Frame.stateWord(Frame.UNSYNCED_UNKNOWN, Frame.type(bytes, at), Frame.flags(bytes, at));
            frames.put(at, Frame.sequence(bytes, at) + GONE, state, payload, 0, payload.length);
            at += Frame.aligned(length);
        }
        return segment;
    }

    private static byte[] ofAnotherLog(byte[] segment, String name, long base) {
        SegmentHeader header = SegmentHeader.decode(ByteBuffer.wrap(segment), name, segment.length, base);
        byte[] other = segment.clone();
        byte[] another = new SegmentHeader(
                        base, header.segmentLength(), header.salt(), header.logId() + 1, header.createdAtMs())
                .encode();
        System.arraycopy(another, 0, other, 0, another.length);
        return other;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFindWhatLiesBehind(boolean isAnother) throws IOException {
        assertThat(LogFiles.basePositions(storage).size() / 2)
                .as("a search begins with the one in the middle, which is harmed here")
                .isLessThan(VACATED);
        for (int segment = 0; segment < VACATED; segment++) {
            long base = (long) segment * LENGTH;
            String name = LogFileName.segment(base);
            byte[] whole = storage.content(name);
            byte[] harmed = isAnother ? ofAnotherLog(whole, name, base) : whole.clone();
            harmed[0] ^= (byte) (isAnother ? 0 : 1);
            storage.replace(name, harmed);
            assertFound(name);
            storage.replace(name, whole);
        }
    }

    private void assertFound(String harmed) {
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            for (int count = 1; count <= LAST; count++) {
                tailer.toLast(count);
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).as(harmed).isEqualTo(last - count + 1);
            }
            tailer.toFirst(record -> false);
            assertThat(tailer.next()).as(harmed).isFalse();
            assertThat(tailer.nextPosition()).isGreaterThan((long) ROLLS * LENGTH);
        }
    }
}
