package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.format.Frames;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log of which all records but the newest are gone, and whose numbers are high. */
class HighNumbersTest {

    private static final long FIRST = (1L << 40) + 7;
    private static final String OLDEST = LogFileName.segment(Frames.BASE);

    private final CrashableStorage storage = new CrashableStorage();
    private long last;

    /** Two segments and the begin of a third one. */
    @BeforeEach
    void write() {
        ByteBuffer segment = Frames.segment(WriterKind.SEGMENT_LENGTH);
        int end = Frames.record(segment, SegmentHeader.LENGTH, FIRST, new byte[8]);
        Frames.record(segment, end, FIRST + 1, new byte[8]);
        storage.replace(OLDEST, Frames.bytes(segment, 0, segment.capacity()));
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            assertThat(log.lastSequence()).isEqualTo(FIRST + 1);
            Records.appendUntilRolled(log, 2);
            last = log.lastSequence();
        }
    }

    private LogInspector.Inspection inspect() {
        return new LogInspector(storage).inspect(LogScan.Start.BEGINNING);
    }

    @Test
    void shouldFindAllBehindADamagedFirstFrame() {
        LeftLog.change(storage, OLDEST, SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1);
        TrailingData trailing = inspect().trailing();
        assertThat(trailing.firstSequence()).isEqualTo(FIRST + 1);
        assertThat(trailing.lastSequence()).isEqualTo(last);
        assertThat(trailing.records()).isEqualTo(last - FIRST);
    }

    @Test
    void shouldFindAllOfTheOtherSegmentsBehindADamagedFirstHeader() {
        LeftLog.change(storage, OLDEST, SegmentHeader.MAGIC_OFFSET, 1);
        TrailingData trailing = inspect().trailing();
        assertThat(trailing.firstSequence()).isBetween(FIRST + 2, last);
        assertThat(trailing.lastSequence()).isEqualTo(last);
        assertThat(trailing.records()).isEqualTo(last - trailing.firstSequence() + 1);
    }

    /** What was appended behind the greatest number would have a negative one, and be read by nobody. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 3, (1L << 62) + 1})
    void shouldRefuseALogWhoseNumbersAreUsedUp(long number) {
        CrashableStorage forged = new CrashableStorage();
        ByteBuffer segment = Frames.segment(WriterKind.SEGMENT_LENGTH);
        Frames.record(segment, SegmentHeader.LENGTH, number, new byte[8]);
        byte[] bytes = Frames.bytes(segment, 0, segment.capacity());
        forged.replace(OLDEST, bytes);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Log.open(WriterKind.MAPPED.config().build(), forged))
                .withMessageContaining("the numbers of the log are used up: lastSequence=" + number);
        assertThat(forged.content(OLDEST)).isEqualTo(bytes);
        assertThat(forged.openHandles()).isZero();
    }

    @Test
    void shouldFindWhatIsBehindDamageUpToTheGreatestNumber() {
        long first = Long.MAX_VALUE - 10;
        ByteBuffer segment = Frames.segment(WriterKind.SEGMENT_LENGTH);
        int second = Frames.record(segment, SegmentHeader.LENGTH, first, new byte[8]);
        int third = Frames.record(segment, second, first + 1, new byte[8]);
        Frames.record(segment, third, first + 2, new byte[8]);
        Frames.flipBit(segment, 8 * (second + Frame.HEADER_LENGTH));
        CrashableStorage forged = new CrashableStorage();
        forged.replace(OLDEST, Frames.bytes(segment, 0, segment.capacity()));
        TrailingData trailing =
                new LogInspector(forged).inspect(LogScan.Start.BEGINNING).trailing();
        assertThat(trailing.firstSequence()).isEqualTo(first + 2);
        assertThat(trailing.records()).isOne();
    }

    /** Without a control block it is only the frames that say so, by what they know to be synced. */
    @Test
    void shouldTellDamageFromATornEnd() throws Exception {
        storage.delete(LogFileName.CONTROL);
        LeftLog.change(storage, OLDEST, SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1);
        assertThat(inspect().findings().row().label()).isEqualTo("F");
    }
}
