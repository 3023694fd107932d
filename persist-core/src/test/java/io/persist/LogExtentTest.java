package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.LogMonitor.Extent;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.segment.LogFiles;
import io.persist.support.CountingStorage;
import io.persist.support.DeadLog;
import io.persist.support.InMemory;
import io.persist.support.Interposed;
import io.persist.support.NewerSegments;
import io.persist.support.Records;
import io.persist.support.RefusedFiles;
import io.persist.testkit.CrashableStorage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

@Timeout(120)
class LogExtentTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final CrashableStorage storage = new CrashableStorage();
    private final LogMonitor monitor = new LogMonitor(storage);

    private Log open() {
        return Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    /** A log that was closed in its segment {@code sealed + 1}. */
    private void closed(int sealed) {
        try (Log log = WriterKind.MAPPED.openWithRolls(storage, sealed)) {
            assertThat(log.position()).isBetween((long) sealed * LENGTH, (sealed + 1L) * LENGTH);
        }
    }

    private long lengths() {
        return storage.list().stream()
                .mapToLong(name -> storage.content(name).length)
                .sum();
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldFollowALogThroughItsLives(WriterKind kind) {
        storage.capacityBytes(1 << 20);
        LogConfig config = kind.config().build();
        Extent now;
        try (Log log = Log.open(config, storage)) {
            now = monitor.extent();
            assertThat(now.firstPosition()).isZero();
            assertThat(now.bytes()).isLessThanOrEqualTo(SegmentHeader.LENGTH);
            assertThat(now.segments()).isEqualTo(1);
            assertThat(now.oldestSealedAtMs()).isZero();
            assertThat(now.oldestAgeMs(Long.MAX_VALUE)).isZero();

            Records.appendUntilRolled(log, 1);
            Records.appendUntilRolled(log, 1);
            log.commit(Durability.BUFFERED);
            now = monitor.extent();
            assertThat(now.endPosition()).isEqualTo(log.position()).isGreaterThan(2 * LENGTH);
            assertThat(now.bytes()).isEqualTo(log.position());
            assertThat(now.segments()).isEqualTo(3);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
            now = monitor.extent();
            assertThat(now.firstPosition()).isEqualTo(LENGTH);
            assertThat(now.bytes()).isEqualTo(log.position() - LENGTH);
            assertThat(now.segments()).isEqualTo(2);
        }
        Extent closed = monitor.extent();
        assertThat(closed.fileBytes() + closed.usableBytes()).isEqualTo(1 << 20); // no segment is made meanwhile
        assertThat(closed.firstPosition()).isEqualTo(LENGTH);
        assertThat(closed.endPosition()).isEqualTo(now.endPosition());
        assertThat(closed.oldestSealedAtMs()).isEqualTo(now.oldestSealedAtMs()).isPositive();
        Log killed = Log.open(config, storage);
        Records.append(killed, 1);
        long end = killed.commit(Durability.FLUSHED);
        CrashableStorage left = DeadLog.ofNobody(DeadLog.kill(killed, storage));
        assertThat(new LogMonitor(left).extent().endPosition()).isEqualTo(end);
        assertThat(storage.openHandles() + left.openHandles()).isZero();
    }

    /** And not of the birth of the segment, which may be long before that. */
    @Test
    void shouldTellWhenTheOldestSegmentWasSealed() {
        try (Log log = open()) {
            long bornMs = System.currentTimeMillis();
            while (System.currentTimeMillis() == bornMs) {
                Thread.onSpinWait();
            }
            long fromMs = System.currentTimeMillis();
            Records.append(log, 1);
            log.roll();
            long toMs = System.currentTimeMillis();
            Records.append(log, 1);
            assertThat(monitor.extent().oldestSealedAtMs())
                    .as("before a commit nobody knows that the log has gone on")
                    .isZero();
            log.commit(Durability.SYNCED);
            Extent now = monitor.extent();
            assertThat(now.oldestSealedAtMs()).isBetween(fromMs, toMs);
            assertThat(now.oldestAgeMs(now.oldestSealedAtMs() + 7)).isEqualTo(7);
            assertThat(now.oldestAgeMs(fromMs - 1)).as("a clock that went back").isZero();
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(plan.retired())
                    .first()
                    .extracting(RetentionPlan.Item::sealedAtMs)
                    .isEqualTo(now.oldestSealedAtMs());
        }
    }

    @Test
    void shouldCountEachFileOfTheDirectory() {
        try (Log log = WriterKind.MAPPED.openWithRolls(storage, 2)) {
            log.tailer("reader", TailerConfig.defaults()).close();
        }
        Extent before = monitor.extent();
        assertThat(before.fileBytes()).isEqualTo(lengths());
        storage.replace("checkpoint-00000000000000004096.chk", new byte[1000]);
        storage.replace("00000000000000000000.log.at-392.1.aside", new byte[200]);
        storage.replace("00000000000000000000.log.spare", new byte[30]);
        assertThat(monitor.extent().fileBytes()).isEqualTo(before.fileBytes() + 1230);
    }

    /** A process that closes any descriptor of a lock's file loses the lock. */
    @Test
    void shouldNotOpenALock() {
        closed(1);
        assertThat(storage.list()).contains(LogFileName.LOCK);
        storage.replace(LogFileName.LOCK, new byte[5]);
        List<String> opened = new ArrayList<>();
        Storage noting = new ForwardingStorage() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public StorageFile open(String name, Access access) throws IOException {
                opened.add(name);
                return storage.open(name, access);
            }
        };
        assertThat(new LogMonitor(noting).extent().fileBytes()).isEqualTo(lengths() - 5);
        assertThat(opened).contains(LogFileName.CONTROL).doesNotContain(LogFileName.LOCK);
    }

    @Test
    void shouldMeasureADirectoryOfTheFileSystem() throws IOException {
        LogConfig config = LogConfig.builder(directory).segmentLength(LENGTH).build();
        LogMonitor real = LogMonitor.open(directory);
        try (MessageLogger logger = MessageLogger.open(config)) {
            Files.createDirectory(directory.resolve("lost+found"));
            Files.createSymbolicLink(directory.resolve("link"), directory.resolve(LogFileName.segment(0)));
            Path other = directory.resolve("other.aside");
            Files.write(other, new byte[77]);
            logger.append(new byte[1000]);
            logger.commit();
            logger.roll();
            logger.append(new byte[1000]);
            long end = logger.commit();
            Extent now = real.extent();
            assertThat(now.endPosition()).isEqualTo(end);
            assertThat(now.segments()).isEqualTo(2);
            assertThat(now.usableBytes()).isPositive();
            long withOther = now.fileBytes();
            Files.delete(other);
            assertThat(withOther).isGreaterThanOrEqualTo(77 + 2 * LENGTH + 4096);
        }
        long closed = 0;
        try (var files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !Files.isSymbolicLink(file))
                    .toList()) {
                closed += Files.size(file);
            }
        }
        assertThat(real.extent().fileBytes()).isEqualTo(closed);
    }

    /** However many segments there are: an application asks for hundreds of logs at each scrape. */
    @Test
    void shouldReadTwoHeadersOnceItKnowsTheSeal() {
        closed(40);
        CountingStorage counting = new CountingStorage(storage);
        LogMonitor counted = new LogMonitor(counting);
        Extent first = counted.extent();
        assertThat(first.segments()).isEqualTo(41);
        assertThat(counting.opens()).isEqualTo(3);
        assertThat(counted.extent()).isEqualTo(first);
        assertThat(counting.opens()).isEqualTo(5);
    }

    /** The next one has another seal. */
    @Test
    void shouldLookForTheSealAgainOnceAnotherSegmentIsTheOldest() throws IOException {
        try (Log log = WriterKind.MAPPED.openWithRolls(storage, 3)) {
            log.sync();
            List<RetentionPlan.Item> sealed =
                    log.planRetention(RetentionRule.keepBytes(0)).retired();
            assertThat(sealed).hasSize(3);
            assertThat(monitor.extent().oldestSealedAtMs())
                    .isEqualTo(sealed.get(0).sealedAtMs());
            byte[] another = sealedAt(LENGTH, 4711);
            storage.replace(LogFileName.segment(LENGTH), another);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
            assertThat(monitor.extent().oldestSealedAtMs()).isEqualTo(4711);
        }
    }

    /** The segment at {@code base} with nothing but a seal of this time, as after compaction. */
    private byte[] sealedAt(long base, long atMs) throws IOException {
        SegmentHeader header = LogFiles.header(storage, base);
        byte[] bytes = new byte[LENGTH];
        ByteBuffer segment = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        segment.put(0, header.encode());
        byte[] time = Frame.sealPayload(atMs);
        FrameWriter frames = new FrameWriter(segment);
        frames.moveTo(segment, header.salt(), base);
        long state = Frame.stateWord(Frame.UNSYNCED_UNKNOWN, Frame.TYPE_SEAL, (byte) 0);
        frames.put(SegmentHeader.LENGTH, 1, state, time, 0, time.length);
        frames.publish(SegmentHeader.LENGTH, Frame.SEAL_LENGTH);
        return bytes;
    }

    /** The sealed segments have seals of the times 1, 2, 3 and so on. */
    private void seal(int segments) throws IOException {
        closed(segments);
        for (int i = 0; i < segments; i++) {
            storage.replace(LogFileName.segment((long) i * LENGTH), sealedAt((long) i * LENGTH, i + 1));
        }
    }

    @Test
    void shouldGoByTheNextSegmentWhereTheOldestOneCannotBeRead() throws IOException {
        seal(3);
        assertThat(monitor.extent().oldestSealedAtMs()).isEqualTo(1);
        Extent whole = monitor.extent();
        damageHeader(0);
        Extent now = monitor.extent();
        assertThat(now.oldestSealedAtMs()).isEqualTo(2);
        assertThat(now.firstPosition()).isZero();
        assertThat(now.segments()).isEqualTo(whole.segments());
        assertThat(now.fileBytes()).isEqualTo(whole.fileBytes());
        damageHeader(LENGTH);
        assertThat(monitor.extent().oldestSealedAtMs()).isZero();
        assertThat(monitor.extent().bytes()).isEqualTo(whole.bytes());
        storage.replace(LogFileName.segment(0), new byte[0]);
        assertThat(monitor.extent().fileBytes()).isEqualTo(whole.fileBytes() - LENGTH);
    }

    private void damageHeader(long base) {
        byte[] bytes = storage.content(LogFileName.segment(base));
        bytes[SegmentHeader.CREATED_AT_OFFSET] ^= 1;
        storage.replace(LogFileName.segment(base), bytes);
    }

    @Test
    void shouldGoByTheNextSegmentWhereTheDiskCannotReadTheOldestOne() throws IOException {
        seal(3);
        Storage bad = new RefusedFiles(storage, LogFileName.segment(0)::equals, new IOException("Input/output error"));
        assertThat(new LogMonitor(bad).extent().oldestSealedAtMs()).isEqualTo(2);
    }

    /** Any number of them: they were there when the directory was listed. */
    @Test
    void shouldGoByTheFirstSegmentThatWasNotRetiredMeanwhile() throws IOException {
        seal(4);
        Set<String> gone = Set.of(
                LogFileName.segment(0), LogFileName.segment(LENGTH), LogFileName.segment(2 * LENGTH), "gone.aside");
        storage.replace("gone.aside", new byte[10]);
        Storage without = new RefusedFiles(storage, gone::contains, new FileNotFoundException("gone"));
        Extent now = new LogMonitor(without).extent();
        assertThat(now.oldestSealedAtMs()).isEqualTo(4);
        assertThat(now.fileBytes()).isEqualTo(lengths() - 3 * LENGTH - 10);
    }

    @Test
    void shouldNotTakeAnotherLogsSegmentForTheBeginning() throws IOException {
        CrashableStorage other = new CrashableStorage();
        Log.open(WriterKind.MAPPED.config().build(), other).close();
        try (Log log = WriterKind.MAPPED.openWithRolls(storage, 2)) {
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
        }
        Extent alone = monitor.extent();
        storage.replace(LogFileName.segment(0), other.content(LogFileName.segment(0)));
        Extent now = monitor.extent();
        assertThat(now.firstPosition()).isEqualTo(LENGTH);
        assertThat(now.segments()).isEqualTo(alone.segments());
        assertThat(now.oldestSealedAtMs()).isEqualTo(alone.oldestSealedAtMs());
        assertThat(now.fileBytes()).as("it is on the disk").isEqualTo(alone.fileBytes() + LENGTH);
    }

    @Test
    void shouldNotEndBeforeASegmentThatItHasSeen() {
        try (Log log = WriterKind.MAPPED.openWithRolls(storage, 1)) {
            Storage written = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
                if (call.equals("list")) {
                    Records.append(log, 1);
                    log.commit(Durability.BUFFERED);
                }
                return result;
            });
            assertThat(new LogMonitor(written).extent().endPosition()).isEqualTo(log.position());
        }
    }

    /** After a power cut the control block may be older than the segments; and none may be left. */
    @Test
    void shouldNotEndBeforeItBegins() throws IOException {
        byte[] old;
        try (Log log = open()) {
            old = storage.content(LogFileName.CONTROL);
            Records.appendUntilRolled(log, 1);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
        }
        storage.replace(LogFileName.CONTROL, old);
        Extent now = monitor.extent();
        assertThat(now.firstPosition()).isEqualTo(LENGTH).isEqualTo(now.endPosition());
        assertThat(now.segments()).isEqualTo(1);
        for (String name : storage.list()) {
            if (LogFileName.basePosition(name).isPresent()) {
                storage.delete(name);
            }
        }
        now = monitor.extent();
        assertThat(now.bytes()).isZero();
        assertThat(now.segments()).isZero();
        assertThat(now.oldestSealedAtMs()).isZero();
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(monitor::extent)
                .withMessageStartingWith("not a log: no control file and no segments, directory=memory;");
        closed(1);
        storage.delete(LogFileName.CONTROL);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(monitor::extent)
                .withMessageStartingWith("log has no readable control file, directory=memory;");
        open().close();
        NewerSegments.make(storage, 0);
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(monitor::extent);
    }
}
