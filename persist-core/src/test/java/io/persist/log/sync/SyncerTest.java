package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.CounterBlock;
import io.persist.format.control.HolderBlock;
import io.persist.log.LogContent;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentFactory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What syncs do with the positions of a log; their segments are on a device of their own. */
class SyncerTest {

    private static final class NoFiles implements Syncer.FilesCheck {
        @Override
        public void check() {}

        @Override
        public void checkThoroughly() {}

        @Override
        public void roll(Segment next) {}
    }

    private final Log log = Log.open(WriterKind.FILE_RW.config().build(), new CrashableStorage());
    private final CrashableStorage device = new CrashableStorage();
    private final Syncer syncer = new Syncer(
            log.positions(),
            new CounterBlock(ByteBuffer.allocateDirect(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN)),
            new NoFiles());
    private Segment first;

    @BeforeEach
    void open() throws IOException {
        first = segment(0);
    }

    private Segment segment(long base) throws IOException {
        SegmentFactory factory =
                new SegmentFactory(device, WriterKind.FILE_RWD.config().build(), LogContent.MESSAGES, 1);
        factory.create(base);
        Segment segment = factory.openNew(base);
        syncer.add(segment);
        return segment;
    }

    @AfterEach
    void close() {
        syncer.close();
        assertThat(device.openHandles()).isZero();
    }

    /** Whoever gets the turn next would begin a sync, and might be told by the kernel that all is well. */
    @Test
    void shouldHaveFailedBeforeAnotherThreadGetsTheTurn() {
        device.hook((number, what) -> {
            throw new IOException("the device");
        });
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(
                        () -> syncer.writeThrough(first, SegmentHeader.LENGTH, new byte[100], 100, WriteThrough.DATA))
                .withMessageContaining("the device");
        assertThat(log.positions().hasFailed()).isTrue();
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
    }

    /** While the thread waited for the turn. The other process may have synced records of its own there. */
    @Test
    void shouldWriteNothingThroughOnceTheLogWasOvertaken() {
        HolderBlock holder = log.positions().holder();
        holder.epoch(holder.epoch() + 1);
        assertNothingIsWritten("another process has opened the log");
    }

    /** The thread that had the turn may have been the one that has noticed. */
    @Test
    void shouldWriteNothingThroughOnceTheLogHasFailed() {
        log.positions().fail("test", new IOException("injected"));
        assertNothingIsWritten("injected");
    }

    private void assertNothingIsWritten(String why) {
        String name = LogFileName.segment(0);
        byte[] before = device.content(name);
        byte[] record = new byte[100];
        Arrays.fill(record, (byte) 1);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() ->
                        syncer.writeThrough(first, SegmentHeader.LENGTH, record, record.length, WriteThrough.DATA))
                .withMessageContaining(why);
        assertThat(device.content(name)).isEqualTo(before);
        assertThat(log.positions().hasFailed()).isTrue();
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
    }

    /** Or tailers would show a record of which the device has a part, and recovery would take that for damage. */
    @Test
    void shouldNotEndWithinARecord() throws IOException {
        segment(WriterKind.SEGMENT_LENGTH);
        Records.appendUntilRolled(log, 1);
        log.flush();
        long before = log.syncedPosition();
        syncer.syncSealed(before + 1);
        assertThat(before).isLessThan(WriterKind.SEGMENT_LENGTH);
        assertThat(log.syncedPosition()).isEqualTo(WriterKind.SEGMENT_LENGTH);
        log.close();
    }
}
