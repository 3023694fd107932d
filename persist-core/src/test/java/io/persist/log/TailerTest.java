package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.SegmentHeader;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("modes")
class TailerTest {

    private static final int CONCURRENT_RECORDS = 30_000;

    @Parameter(0)
    WriteMode writeMode;

    @Parameter(1)
    ReadMode readMode;

    private final CrashableStorage storage = new CrashableStorage();
    private Log log;

    static List<Arguments> modes() {
        List<Arguments> modes = new ArrayList<>();
        for (WriteMode write : WriteMode.values()) {
            for (ReadMode read : ReadMode.values()) {
                modes.add(Arguments.of(write, read));
            }
        }
        return modes;
    }

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private LogConfig config() {
        return config(Path.of("memory"), 4096);
    }

    private LogConfig config(Path directory, int segmentLength) {
        return LogConfig.builder(directory)
                .segmentLength(segmentLength)
                .writeBufferLength(600)
                .readBufferLength(700)
                .writeMode(writeMode)
                .readMode(readMode)
                .build();
    }

    private Log open() {
        log = Log.open(config(), storage);
        return log;
    }

    private Log openWith(int records) {
        open();
        Records.append(log, records);
        log.flush();
        return log;
    }

    // ---- places to start from

    @Test
    void shouldReadFromTheStart() {
        openWith(300);
        try (Tailer tailer = log.tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(301);
            assertThat(tailer.next()).isFalse();
            tailer.toStart();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(301);
        }
    }

    @Test
    void shouldWaitBehindTheEnd() {
        openWith(300);
        try (Tailer tailer = log.tailer()) {
            tailer.toEnd();
            assertThat(tailer.nextPosition()).isEqualTo(log.position());
            assertThat(tailer.next()).isFalse();
            Records.append(log, 20);
            log.flush();
            assertThat(Records.readOn(tailer, 301)).isEqualTo(321);
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldGoToTheEndOfAnEmptyLog() {
        open();
        try (Tailer tailer = log.tailer()) {
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
            tailer.toPosition(log.position());
            tailer.toSequence(1);
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(2));
            Records.append(log, 1);
            log.flush();
            tailer.toSequence(1);
            assertThat(Records.readOn(tailer, 1)).isEqualTo(2);
        }
    }

    @Test
    void shouldGoToThePositionOfEveryRecord() {
        openWith(300);
        List<Long> positions = new ArrayList<>();
        try (Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                positions.add(tailer.position());
            }
            for (int i = positions.size() - 1; i >= 0; i--) {
                tailer.toPosition(positions.get(i));
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.position()).isEqualTo(positions.get(i));
                Records.check(tailer.sequence(), tailer.payload(), i + 1);
            }
            tailer.toPosition(log.lastPosition());
            assertThat(Records.readOn(tailer, 300)).isEqualTo(301);
            tailer.toPosition(log.position());
            assertThat(tailer.next()).isFalse();
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, 301)).isEqualTo(302);
        }
    }

    @Test
    void shouldGoToTheReturnedPositionOfEveryAppend() {
        open();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ends.add(Records.append(log));
        }
        log.flush();
        try (Tailer tailer = log.tailer()) {
            for (int i = 0; i < 200; i++) {
                tailer.toPosition(ends.get(i));
                assertThat(tailer.next()).isEqualTo(i < 199);
                if (i < 199) {
                    Records.check(tailer.sequence(), tailer.payload(), i + 2);
                }
            }
        }
    }

    @Test
    void shouldRefusePositionsWhereNoRecordBegins() {
        openWith(100);
        long last = log.lastPosition();
        long end = log.position();
        long prepared = Math.floorDiv(end, 4096) * 4096 + 4096;
        Await.until("the next segments are prepared", () -> storage.list().size() > prepared / 4096 + 2 + 1);
        try (Tailer tailer = log.tailer()) {
            for (long position : new long[] {
                0,
                1,
                SegmentHeader.LENGTH - 8,
                SegmentHeader.LENGTH + 8,
                4096,
                4096 + 8,
                last - 1,
                last + 1,
                last + 4,
                end - 1,
                end + 8,
                end + 500,
                prepared,
                prepared + SegmentHeader.LENGTH,
                prepared + SegmentHeader.LENGTH + 8,
                prepared + 4096 + SegmentHeader.LENGTH,
                end + (1L << 40),
                Long.MAX_VALUE
            }) {
                assertThatIllegalArgumentException()
                        .as("position " + position + ", end " + end)
                        .isThrownBy(() -> tailer.toPosition(position))
                        .withMessage("no record begins here: position=" + position);
                assertThat(Records.readAll(tailer)).isEqualTo(100);
            }
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> tailer.toPosition(-1));
        }
    }

    @Test
    void shouldNotTakeABogusFrameWithinARecordForARecord() {
        open();
        Records.append(log, 1);
        log.flush();
        byte[] segment = storage.content("00000000000000000000.log");
        byte[] frame = new byte[400];
        System.arraycopy(segment, SegmentHeader.LENGTH, frame, 0, 300);
        log.append(frame, 0, frame.length);
        log.flush();
        try (Tailer tailer = log.tailer()) {
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toPosition(log.lastPosition() + 24));
        }
    }

    @Test
    void shouldGoToEverySequenceNumber() {
        openWith(400);
        assertThat(log.statistics().rolls()).isGreaterThan(5);
        try (Tailer tailer = log.tailer()) {
            for (long sequence = 1; sequence <= 400; sequence++) {
                tailer.toSequence(sequence);
                assertThat(tailer.next()).isTrue();
                Records.check(tailer.sequence(), tailer.payload(), sequence);
            }
            tailer.toSequence(401);
            assertThat(tailer.next()).isFalse();
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, 401)).isEqualTo(402);
        }
    }

    @Test
    void shouldFindNumbersInALongSegmentOfRecordsOfEveryLength() {
        log = Log.open(config(Path.of("memory"), 1 << 20), storage);
        for (int i = 1; i <= 2000; i++) {
            byte[] record = Records.of(i, (int) Math.abs(i * 7919L % 1500));
            log.append(record, 0, record.length);
        }
        log.flush();
        try (Tailer tailer = log.tailer()) {
            for (int sequence = 1; sequence <= 2000; sequence += 13) {
                tailer.toSequence(sequence);
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).isEqualTo(sequence);
            }
        }
    }

    @Test
    void shouldRefuseNumbersThatDoNotExist() {
        openWith(100);
        try (Tailer tailer = log.tailer()) {
            tailer.next();
            for (long sequence : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toSequence(sequence))
                        .withMessage("sequence=" + sequence + ", min=1");
            }
            for (long sequence : new long[] {102, 1000, Long.MAX_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toSequence(sequence))
                        .withMessage("record is not written yet: sequence=" + sequence + ", last=100");
            }
            assertThat(Records.readOn(tailer, 2))
                    .as("the tailer stays where it was")
                    .isEqualTo(101);
        }
    }

    // ---- handing over

    @Test
    void shouldPollUpToTheLimit() {
        openWith(100);
        try (Tailer tailer = log.tailer()) {
            long[] next = {1};
            RecordHandler handler = (position, sequence, payload) -> Records.check(sequence, payload, next[0]++);
            assertThat(tailer.poll(handler, 0)).isZero();
            assertThat(tailer.poll(handler, -1)).isZero();
            assertThat(tailer.poll(handler, 1)).isEqualTo(1);
            assertThat(tailer.poll(handler, 70)).isEqualTo(70);
            assertThat(tailer.sequence()).isEqualTo(71);
            assertThat(tailer.poll(handler, 70)).isEqualTo(29);
            assertThat(tailer.poll(handler, 70)).isZero();
            assertThat(next[0]).isEqualTo(101);
        }
    }

    @Test
    void shouldGoOnAfterTheRecordWhoseHandlerThrew() {
        openWith(10);
        try (Tailer tailer = log.tailer()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> tailer.poll(
                            (position, sequence, payload) -> {
                                if (sequence == 4) {
                                    throw new IllegalStateException("handler");
                                }
                            },
                            10))
                    .withMessage("handler");
            assertThat(tailer.sequence()).isEqualTo(4);
            assertThat(Records.readOn(tailer, 5)).isEqualTo(11);
        }
    }

    @Test
    void shouldShowAReadOnlyPayload() {
        openWith(3);
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.payload().remaining()).isZero();
            tailer.next();
            assertThat(tailer.payload().isReadOnly()).isTrue();
            assertThat(tailer.payload().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
            tailer.payload().position(tailer.payload().limit()).limit(0);
            assertThat(Records.readOn(tailer, 2)).isEqualTo(4);
        }
    }

    @Test
    void shouldReadRecordsLargerThanTheReadBuffer() {
        open();
        for (int i = 0; i < 20; i++) {
            log.append(Records.of(i, i * 190), 0, i * 190);
        }
        log.flush();
        try (Tailer tailer = log.tailer()) {
            for (int i = 0; i < 20; i++) {
                assertThat(tailer.next()).isTrue();
                byte[] record = new byte[tailer.payload().remaining()];
                tailer.payload().get(record);
                assertThat(record).isEqualTo(Records.of(i, i * 190));
            }
        }
    }

    @Test
    void shouldRefuseEverythingOnceClosed() {
        openWith(3);
        Tailer tailer = log.tailer();
        tailer.next();
        tailer.close();
        tailer.close();
        assertThatIllegalStateException().isThrownBy(tailer::next).withMessage("tailer is closed");
        assertThatIllegalStateException().isThrownBy(() -> tailer.poll((p, s, b) -> {}, 1));
        assertThatIllegalStateException().isThrownBy(tailer::toStart);
        assertThatIllegalStateException().isThrownBy(tailer::toEnd);
        assertThatIllegalStateException().isThrownBy(() -> tailer.toPosition(64));
        assertThatIllegalStateException().isThrownBy(() -> tailer.toSequence(1));
    }

    // ---- together with a writer

    @Test
    void shouldFollowAWriterOnTheSameThread() {
        open();
        try (Tailer tailer = log.tailer()) {
            long next = 1;
            for (int i = 0; i < 300; i++) {
                assertThat(tailer.next()).isFalse();
                Records.append(log);
                log.flush();
                next = Records.readOn(tailer, next);
                assertThat(next).isEqualTo(i + 2);
            }
        }
    }

    @Test
    void shouldSeeOnlyWhatIsFlushed() {
        open();
        try (Tailer tailer = log.tailer()) {
            Records.append(log, 2);
            assertThat(Records.readOn(tailer, 1)).isEqualTo(writeMode == WriteMode.MAPPED ? 3 : 1);
            log.commit(Durability.BUFFERED);
            assertThat(tailer.next()).isFalse();
            log.flush();
            Records.readOn(tailer, writeMode == WriteMode.MAPPED ? 3 : 1);
            assertThat(tailer.sequence()).isEqualTo(2);
        }
    }

    @Test
    void shouldNotLookAtAWriteThatIsUnderWay() throws IOException {
        if (writeMode == WriteMode.MAPPED) {
            return; // there a length says that the frame is whole
        }
        openWith(10);
        ByteBuffer half = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 100)
                .putLong(8, 11);
        try (StorageFile file = storage.open("00000000000000000000.log", Storage.Access.WRITE)) {
            file.write(log.position(), half.array(), 0, 16, StorageFile.WriteThrough.NONE);
        }
        try (Tailer tailer = log.tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(11);
            tailer.toSequence(11);
            assertThat(tailer.next()).isFalse();
            tailer.toPosition(log.position());
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(12));
            Records.append(log, 50);
            log.flush();
            assertThat(Records.readOn(tailer, 11)).isEqualTo(61);
        }
    }

    @Test
    void shouldFollowAWriterOnAnotherThread() throws Exception {
        try (Tailer tailer = Tailer.open(config(), storage)) {
            open();
            CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> follow(tailer, CONCURRENT_RECORDS));
            write(reader);
        }
    }

    @Test
    void shouldFollowAWriterInAFile(@TempDir Path directory) throws Exception {
        LogConfig config = config(directory, 1 << 20);
        try (Log onDisk = Log.open(config);
                Tailer tailer = Tailer.open(config)) {
            log = onDisk;
            CompletableFuture<Long> reader =
                    CompletableFuture.supplyAsync(() -> follow(tailer, 5 * CONCURRENT_RECORDS));
            while (log.lastSequence() < 5 * CONCURRENT_RECORDS && !reader.isCompletedExceptionally()) {
                Records.append(log, 1 + (int) (log.lastSequence() % 17));
                log.flush();
            }
            assertThat(reader.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(5 * CONCURRENT_RECORDS);
        }
    }

    private void write(CompletableFuture<Long> reader)
            throws InterruptedException, ExecutionException, TimeoutException {
        while (log.lastSequence() < CONCURRENT_RECORDS && !reader.isCompletedExceptionally()) {
            Records.append(log, 1 + (int) (log.lastSequence() % 17));
            log.flush();
        }
        assertThat(reader.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(CONCURRENT_RECORDS);
    }

    private static long follow(Tailer tailer, long records) {
        long[] next = {1};
        Await.until("record " + records + " is read", () -> {
            next[0] = Records.readOn(tailer, next[0]);
            return next[0] > records;
        });
        return next[0] - 1;
    }

    @Test
    void shouldFindTheNewestNumberWhileTheWriterAppends() throws Exception {
        open();
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            try (Tailer tailer = Tailer.open(config(), storage)) {
                long found = 0;
                while (found < CONCURRENT_RECORDS) {
                    tailer.toEnd();
                    tailer.toSequence(tailer.sequence() + 1);
                    Records.readOn(tailer, tailer.sequence() + 1);
                    found = tailer.sequence();
                }
            }
        });
        while (log.lastSequence() < CONCURRENT_RECORDS && !reader.isCompletedExceptionally()) {
            Records.append(log);
            log.flush();
        }
        reader.get(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldReadALogThatIsMadeLater() {
        try (Tailer tailer = Tailer.open(config(), storage)) {
            assertThat(tailer.next()).isFalse();
            tailer.toStart();
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(1));
            open();
            assertThat(tailer.next()).isFalse();
            Records.append(log, 200);
            log.flush();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(201);
        }
    }

    @Test
    void shouldOutliveTheWriterAndSeeTheNextOne() {
        openWith(50);
        try (Tailer tailer = log.tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(51);
            log.close();
            assertThat(tailer.next()).isFalse();
            for (int life = 1; life < 5; life++) {
                openWith(50);
                long expected = 50 * (life + 1) + 1;
                assertThat(Records.readOn(tailer, 50 * life + 1)).isEqualTo(expected);
                log.close();
            }
            assertThat(Records.readAll(tailer)).isEqualTo(250);
        }
    }

    @Test
    void shouldFollowAWriterOfAnotherModeAfterReopening() {
        openWith(50);
        try (Tailer tailer = log.tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(51);
            log.close();
            WriteMode other = writeMode == WriteMode.MAPPED ? WriteMode.FILE : WriteMode.MAPPED;
            log = Log.open(
                    LogConfig.builder(Path.of("memory"))
                            .segmentLength(8192)
                            .writeBufferLength(8192)
                            .writeMode(other)
                            .build(),
                    storage);
            Records.append(log, 10);
            assertThat(tailer.next()).isEqualTo(other == WriteMode.MAPPED);
            Records.append(log, 90);
            log.flush();
            tailer.toSequence(51);
            assertThat(Records.readOn(tailer, 51)).isEqualTo(151);
        }
    }

    @Test
    void shouldReportDamageAndStayBeforeIt() {
        openWith(20);
        long next;
        try (Tailer tailer = log.tailer()) {
            tailer.toSequence(10);
            tailer.next();
            next = tailer.nextPosition();
            log.close();
            byte[] segment = storage.content("00000000000000000000.log");
            segment[(int) tailer.position() + 9] ^= 1;
            storage.replace("00000000000000000000.log", segment);
        }
        try (Tailer tailer = Tailer.open(config(), storage)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .satisfies(e -> assertThat(e.position()).isEqualTo(tailer.nextPosition()))
                    .satisfies(e -> assertThat(e.file()).isEqualTo("00000000000000000000.log"));
            assertThat(tailer.sequence()).isEqualTo(9);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(tailer::next);
            tailer.toPosition(next);
            assertThat(Records.readOn(tailer, 11)).isEqualTo(21);
        }
    }

    // ---- another process

    @Test
    void shouldFollowAWriterInAnotherProcess(@TempDir Path directory) throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.start(FollowingReader.class, directory, readMode)) {
            assertThat(child.hear()).as("before the log exists").isEqualTo("0");
            try (Log onDisk = Log.open(config(directory, 65536))) {
                for (int round = 1; round <= 5; round++) {
                    Records.append(onDisk, 1000);
                    onDisk.flush();
                    assertThat(child.ask(Integer.toString(round * 1000))).isEqualTo(Integer.toString(round * 1000));
                }
                child.tell("20000");
                while (onDisk.lastSequence() < 20_000) {
                    Records.append(onDisk, 10);
                    onDisk.flush();
                }
                assertThat(child.hear()).isEqualTo("20000");
            }
            assertThat(child.ask("20000")).isEqualTo("20000");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    /** Reads up to the number that it is told, and tells how far it came. */
    static final class FollowingReader {

        public static void main(String[] arguments) throws IOException {
            LogConfig config = LogConfig.builder(Path.of(arguments[0]))
                    .readMode(ReadMode.valueOf(arguments[1]))
                    .readBufferLength(1000)
                    .build();
            try (Tailer tailer = Tailer.open(config)) {
                long next = Records.readOn(tailer, 1);
                System.out.println(next - 1);
                BufferedReader questions = ChildJvm.questions();
                for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                    long goal = Long.parseLong(line);
                    while (next <= goal) {
                        next = Records.readOn(tailer, next);
                    }
                    System.out.println(next - 1);
                }
            }
        }
    }
}
