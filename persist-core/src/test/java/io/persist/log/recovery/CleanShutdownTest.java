package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A control block that says where a closed log ends is believed if nothing else is possible, and it is not needed. */
class CleanShutdownTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final LogConfig config = WriterKind.MAPPED.config().build();
    private final List<Long> positions = new ArrayList<>();
    private long tail;

    /** A log with records in four segments. */
    private void write(Consumer<Log> ending) {
        try (Log log = Log.open(config, storage)) {
            while (log.statistics().rolls() < 3) {
                append(log);
            }
            append(log);
            append(log);
            ending.accept(log);
            tail = log.position();
        }
    }

    private void append(Log log) {
        Records.append(log);
        positions.add(log.lastPosition());
    }

    /** The longest record fits into an empty segment only. */
    private static void rollWithoutARecord(Log log) {
        log.claim(log.layout().maxPayload()).abort();
        assertThat(log.position() % WriterKind.SEGMENT_LENGTH).isEqualTo(SegmentHeader.LENGTH);
    }

    private void say(long saidTail, long saidLast) {
        byte[] bytes = storage.content(LogFileName.CONTROL);
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        new ControlBlock(copy.put(bytes).clear()).closed(saidTail, saidLast);
        copy.get(0, bytes);
        storage.replace(LogFileName.CONTROL, bytes);
    }

    /** Returns how many records were looked at. */
    private long open() {
        try (Log log = Log.open(config, storage)) {
            assertThat(log.position()).isEqualTo(tail);
            assertThat(log.lastSequence()).isEqualTo(positions.size());
            assertThat(log.lastPosition()).isEqualTo(positions.get(positions.size() - 1));
            return log.recovery().checked().records();
        }
    }

    private void sayAnything() {
        long last = positions.get(positions.size() - 1);
        say(tail, last);
        assertThat(open()).isZero();
        for (long other : positions.subList(0, positions.size() - 1)) {
            say(tail, other);
            assertThat(open()).as("with %d as the last record", other).isPositive();
            say(other, positions.get(0));
            assertThat(open()).as("with %d as the end", other).isPositive();
        }
        say(tail, 0);
        assertThat(open()).as("without a last record").isPositive();
    }

    @Test
    void shouldFindTheLastRecordOfTheLastSegment() {
        write(log -> {});
        sayAnything();
    }

    @Test
    void shouldFindTheLastRecordBeforeTheLastSegment() {
        write(CleanShutdownTest::rollWithoutARecord);
        sayAnything();
    }

    /** Whoever looks there has read the rest of the segment, which may be a GiB, for a log that needs no scan. */
    @Test
    void shouldNotLookBehindTheSeal() {
        write(CleanShutdownTest::rollWithoutARecord);
        long last = positions.get(positions.size() - 1);
        String name = LogFileName.segment(last - last % WriterKind.SEGMENT_LENGTH);
        byte[] segment = storage.content(name);
        segment[segment.length - 1] = 1;
        storage.replace(name, segment);
        assertThat(open()).isZero();
    }
}
