package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

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
        return new LogInspector(storage).inspect(LogScan.Start.BEGINNING, base -> {});
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

    /** Without a control block it is only the frames that say so, by what they know to be synced. */
    @Test
    void shouldTellDamageFromATornEnd() throws Exception {
        storage.delete(LogFileName.CONTROL);
        LeftLog.change(storage, OLDEST, SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1);
        assertThat(inspect().findings().row().label()).isEqualTo("F");
    }
}
