package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.LogFullException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.ReadMode;
import io.persist.log.RecoveryReport;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogRepair;
import io.persist.log.recovery.LogScan;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The end of a log in a recycled file, behind which bytes of its earlier life are, as many as a power cut brings back:
 * nobody takes them for records, for damage, or for something that was cut.
 */
@ParameterizedClass
@MappedAndFile
class RecycledTailTest extends RecycledFixture {

    private void checkRecords(long last) {
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
            assertThat(tailer.next()).isFalse();
        }
    }

    private byte[] tailSegment() {
        return storage.content(LogFileName.segment(log.lastPosition() / LENGTH * LENGTH));
    }

    private boolean isZeroBehindTheEnd() {
        byte[] bytes = tailSegment();
        int end = (int) (log.position() % LENGTH);
        return Arrays.equals(bytes, end, LENGTH, new byte[LENGTH - end], 0, LENGTH - end);
    }

    /** Records overwrite the zeros ahead of them before the kernel writes them: so a sync must leave them alone. */
    @Test
    void shouldSyncRecordsWithoutTheZerosAheadOfThem() throws IOException {
        openInARecycledFile(5);
        Await.segmentsAhead(log, 2);
        log.sync();
        String name = LogFileName.segment(log.lastPosition() / LENGTH * LENGTH);
        int behind = (int) (log.position() % LENGTH / PAGE + 1) * PAGE;
        byte[] cached = storage.content(name);
        assertThat(Arrays.copyOfRange(cached, behind, LENGTH)).containsOnly(0);
        byte[] device = Objects.requireNonNull(storage.durableContent(name));
        assertThat(Arrays.mismatch(cached, behind, LENGTH, device, behind, LENGTH))
                .as("where zeros are not on the device")
                .isNotNegative();
    }

    @Test
    void shouldWriteOnePageAtTheBirthAndSyncNoZeros() throws IOException {
        ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
        log = Log.open(
                kind.config()
                        .segmentLength(LENGTH)
                        .durability(Durability.SYNCED)
                        .build(),
                storage);
        goOnInARecycledFile(5);
        Await.segmentsAhead(log, 2);
        log.sync();
        storage.hook((number, what) -> done.add(Thread.currentThread().getName() + ": " + what));
        Records.appendUntilRolled(log, 1);
        log.retire(log.planRetention(RetentionRule.below(log.lastPosition() / LENGTH * LENGTH)), Retirement.RECYCLE);
        Await.segmentsAhead(log, 2);
        Records.appendUntilRolled(log, 1);
        Await.segmentsAhead(log, 2);
        storage.hook((number, what) -> {});
        assertThat(done).anyMatch(what -> what.matches("fill .*: write .*"));
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        for (String what : done) {
            long base = what.matches("fill .*: sync .*") ? base(what) : -1;
            assertThat(bases.contains(base) && isReused(base)).as(what).isFalse();
        }
        List<String> births =
                done.stream().filter(what -> what.endsWith(".spare")).toList();
        assertThat(births).filteredOn(what -> what.contains(": sync ")).isNotEmpty();
        assertThat(births)
                .filteredOn(what -> what.contains(": write "))
                .hasSameSizeAs(
                        births.stream().filter(what -> what.contains(": sync ")).toList());
    }

    private static long base(String what) {
        return LogFileName.basePosition(what.substring(what.lastIndexOf(' ') + 1))
                .orElseThrow();
    }

    @Test
    void shouldFindNothingToCutAfterAKill() throws IOException {
        openInARecycledFile(10);
        for (int round = 0; round < 5; round++) {
            log.flush();
            long last = log.lastSequence();
            storage = DeadLog.kill(log, storage);
            log = Log.open(config(), storage);
            assertThat(log.recovery().reason().row()).isEqualTo("A");
            assertThat(log.recovery().cut()).isEqualTo(RecoveryReport.Cut.NOTHING);
            checkRecords(last);
            goOnInARecycledFile(1 + round * 7);
        }
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldNotTakeWhatAnEarlierLifeHasLeftForATornRecord(Loss loss) {
        Seeds.run(6, seed -> {
            Random random = new Random(seed);
            storage = new CrashableStorage();
            openInARecycledFile(random.nextInt(40));
            log.sync();
            long synced = log.lastSequence();
            boolean isZero = isZeroBehindTheEnd();
            long tail = log.position();
            storage = storageAfter(storage.crash(random, loss));
            if (kind.isMapped() && loss == Loss.ALL_LOST) { // a sync of the file would have synced the zeros too
                assertThat(isZero).isTrue();
                assertThat(isZeroBehindTheEnd()).isFalse();
            }
            if (random.nextBoolean()) { // what is synced with the last record is zero else
                bringBack(tail);
            }
            log = Log.open(config(), storage);
            assertThat(log.recovery().reason().row()).isEqualTo("A");
            assertThat(log.recovery().cut()).isEqualTo(RecoveryReport.Cut.NOTHING);
            checkRecords(synced);
            goOnInARecycledFile(random.nextInt(40));
            log.sync();
            checkRecords(log.lastSequence());
            log.close();
        });
    }

    /** From {@code tail} on there is what a power cut can bring back: bytes of an earlier life, and a length first. */
    private void bringBack(long tail) {
        String name = LogFileName.segment(tail / LENGTH * LENGTH);
        byte[] bytes = storage.content(name);
        byte[] old = new byte[LENGTH - (int) (tail % LENGTH)];
        new Random(tail).nextBytes(old);
        ByteBuffer.wrap(old).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 200);
        System.arraycopy(old, 0, bytes, (int) (tail % LENGTH), old.length);
        storage.replace(name, bytes);
    }

    private CrashableStorage storageAfter(CrashableStorage left) {
        DeadLog.end(log);
        return left;
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldEndForReadersOfAClosedLogWhoseVolumeWasMountedAnew(ReadMode mode) throws IOException {
        openInARecycledFile(30);
        long last = log.lastSequence();
        long tail = log.position();
        log.close();
        storage = storage.afterRemount(new Random(1), Loss.ALL_LOST);
        bringBack(tail);
        try (Tailer tailer =
                Tailer.open(storage, WriterKind.reader().readMode(mode).build())) {
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
            assertThat(tailer.next()).isFalse();
            tailer.toSequence(last + 1);
            assertThat(tailer.next()).isFalse();
        }
        LogInspector.Inspection found = new LogInspector(storage).inspect(LogScan.Start.BEGINNING);
        assertThat(found.findings().row().label()).isEqualTo("A");
        log = Log.open(config(), storage);
        assertThat(log.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
        assertThat(log.recovery().cut()).isEqualTo(RecoveryReport.Cut.NOTHING);
        checkRecords(last);
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldEndForReadersBeforeZerosCouldBeWritten(ReadMode mode) throws IOException {
        openInARecycledFile(30);
        log.sync();
        long last = log.lastSequence();
        long tail = log.position();
        byte[] control = storage.content(LogFileName.CONTROL);
        storage = storageAfter(storage.crash(new Random(1), Loss.ALL_LOST));
        storage.replace(LogFileName.CONTROL, control); // else the last records would be written again
        bringBack(tail);
        storage.hook((number, what) -> {
            if (what.matches("write .*[.]log")) {
                throw new IOException("No space left on device");
            }
        });
        log = Log.open(config(), storage);
        assertThat(isZeroBehindTheEnd()).isFalse();
        TailerConfig reading = WriterKind.reader().readMode(mode).build();
        try (Tailer tailer = log.tailer(reading)) {
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
            assertThat(tailer.next()).isFalse();
            tailer.toSequence(last + 1);
            assertThat(tailer.next()).isFalse();
        }
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> Records.append(log, 1));
        storage.hook((number, what) -> {});
        Records.append(log, 10);
        log.flush();
        checkRecords(last + 10);
    }

    @Test
    void shouldSetAsideARecordOfThisLifeThatIsTorn() throws IOException {
        openInARecycledFile(30);
        log.sync();
        long last = log.lastSequence();
        long tail = log.position();
        log.append(new byte[300], 0, 300);
        log.flush();
        spoil(tail + Frame.HEADER_LENGTH + 100);
        log = Log.open(config(), storage);
        assertThat(log.recovery().reason().row()).isEqualTo("D");
        assertThat(log.recovery().cut().bytes()).isEqualTo(Frame.aligned(Frame.HEADER_LENGTH + 300));
        assertThat(log.recovery().cut().setAside()).hasSize(1);
        checkRecords(last);
    }

    @Test
    void shouldRemoveRecordsOfThisLifeThatFollowAHole() throws IOException {
        openInARecycledFile(30);
        log.sync();
        long last = log.lastSequence();
        long tail = log.position();
        byte[] record = new byte[100];
        for (int i = 0; i < 5; i++) {
            log.append(record, 0, record.length);
        }
        log.flush();
        int length = Frame.aligned(Frame.HEADER_LENGTH + record.length);
        spoil(tail, tail + Frame.HEADER_LENGTH);
        log = Log.open(config(), storage);
        assertThat(log.recovery().reason().row()).isEqualTo("E");
        assertThat(log.recovery().cut().records()).isEqualTo(4);
        assertThat(log.recovery().cut().bytes()).isEqualTo(5L * length);
        checkRecords(last);
        byte[] cut = storage.durableContent(LogFileName.segment(tail / LENGTH * LENGTH));
        int from = (int) (tail % LENGTH);
        assertThat(Arrays.copyOfRange(cut, from, from + 5 * length)).containsOnly(0);
    }

    /** Frames of the next segment say how much was synced, and so stored, also if the control block is lost. */
    @Test
    void shouldCountAllThatWasSyncedOfADamagedSegmentAsStored() throws IOException {
        openInARecycledFile(10);
        long damaged = log.position();
        Records.appendUntilRolled(log, 1);
        log.sync();
        Records.append(log, 5); // their frames say it
        log.sync();
        long next = log.lastPosition() / LENGTH * LENGTH;
        storage = DeadLog.kill(log, storage);
        storage.delete(LogFileName.CONTROL);
        byte[] bytes = storage.content(LogFileName.segment(next - LENGTH));
        byte[] noise = new byte[(int) (next - damaged)];
        new Random(1).nextBytes(noise);
        System.arraycopy(noise, 0, bytes, (int) (damaged % LENGTH), noise.length);
        storage.replace(LogFileName.segment(next - LENGTH), bytes);
        LogInspector.Inspection found = new LogInspector(storage).inspect(LogScan.Start.BEGINNING);
        assertThat(found.findings().tail()).isEqualTo(damaged);
        assertThat(found.findings().stop().endOfData()).isEqualTo(next);
    }

    @Test
    void shouldFindRecordsOfThisLifeInTheNextSegmentWhoseFirstPageIsLost() throws IOException {
        openInARecycledFile(10);
        log.sync();
        long last = log.lastSequence();
        long tail = log.position();
        Records.appendUntilRolled(log, 1);
        Records.append(log, 60);
        log.flush();
        long next = log.lastPosition() / LENGTH * LENGTH;
        assertThat(log.position() - next).isGreaterThan(5000);
        spoil(tail, tail + Frame.HEADER_LENGTH);
        byte[] bytes = storage.content(LogFileName.segment(next));
        Arrays.fill(bytes, SegmentHeader.LENGTH, 4096, (byte) 0);
        storage.replace(LogFileName.segment(next), bytes);
        byte[] hole = storage.content(LogFileName.segment(tail / LENGTH * LENGTH));
        Arrays.fill(hole, (int) (tail % LENGTH), LENGTH, (byte) 0);
        storage.replace(LogFileName.segment(tail / LENGTH * LENGTH), hole);
        log = Log.open(config(), storage);
        assertThat(log.recovery().reason().row()).isEqualTo("E");
        assertThat(log.recovery().cut().records()).isPositive();
        assertThat(log.recovery().cut().setAside()).anyMatch(name -> name.startsWith(LogFileName.segment(next)));
        checkRecords(last);
    }

    @Test
    void shouldRefuseDamageToWhatWasSyncedAndKeepItAside() throws IOException {
        openInARecycledFile(30);
        byte[] record = new byte[500];
        Arrays.fill(record, (byte) 7);
        log.append(record, 0, record.length);
        log.sync();
        long last = log.lastSequence();
        long position = log.lastPosition();
        spoil(position, position + 8, position + 16);
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> Log.open(config(), storage));
        List<String> aside = new LogRepair(storage).repair().setAside();
        assertThat(aside).hasSize(2);
        byte[] kept = storage.content(aside.get(0));
        int from = SegmentHeader.LENGTH + Frame.HEADER_LENGTH;
        assertThat(Arrays.copyOfRange(kept, from, from + record.length)).isEqualTo(record);
        log = Log.open(config(), storage);
        checkRecords(last - 1);
    }

    /** The power is cut when all is on the device, and of that these bytes are not. */
    private void spoil(long... positions) {
        String name = LogFileName.segment(positions[0] / LENGTH * LENGTH);
        storage = storageAfter(storage.crash(new Random(1), Loss.ALL_KEPT));
        byte[] bytes = storage.content(name);
        for (long position : positions) {
            int offset = (int) (position % LENGTH);
            Arrays.fill(bytes, offset, offset + Frame.ALIGNMENT, (byte) 0x5A);
        }
        storage.replace(name, bytes);
    }

    @Test
    void shouldFindTheSealBeforeWhatAnEarlierLifeHasLeft() throws IOException {
        openInARecycledFile(5);
        long base = log.lastPosition() / LENGTH * LENGTH;
        Records.appendUntilRolled(log, 1);
        log.flush();
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk seal = segment.seal();
            assertThat(seal.isSeal()).isTrue();
            long sealedAt = seal.sealTimeMs();
            int end = seal.end();
            byte[] bytes = storage.content(LogFileName.segment(base));
            Arrays.fill(bytes, end, LENGTH, (byte) 1);
            CrashableStorage other = new CrashableStorage();
            other.replace(LogFileName.segment(base), bytes);
            try (SegmentView left = SegmentView.open(other, base)) {
                assertThat(left.seal().sealTimeMs()).isEqualTo(sealedAt);
                assertThat(left.seal().offset()).isEqualTo(seal.offset());
            }
        }
        RetentionPlan plan = log.planRetention(RetentionRule.below(base + LENGTH));
        assertThat(plan.retired()).extracting(RetentionPlan.Item::basePosition).contains(base);
    }

    @Test
    void shouldSayInTheHeaderThatTheFileHadAnotherLife() throws IOException {
        openInARecycledFile(0);
        byte[] bytes = tailSegment();
        int flags = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(SegmentHeader.FLAGS_OFFSET);
        assertThat(flags).isEqualTo(SegmentHeader.FLAG_REUSED);
        assertThat(LogFiles.header(storage, log.lastPosition() / LENGTH * LENGTH)
                        .isVacated())
                .isFalse();
    }
}
