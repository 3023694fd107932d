package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.support.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tailer keeps up with a writer that goes on appending: on its own thread, on another one and in another process. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerFollowsWriterTest extends TailedLogFixture {

    private static final int CONCURRENT_RECORDS = Seeds.isNightly() ? 30_000 : 10_000;

    private LogConfig config(Path directory, int segmentLength) {
        return TailedLog.config(writeMode, directory, segmentLength);
    }

    @Test
    void shouldFollowAWriterOnTheSameThread() {
        open();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
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

    /** The look for the place goes over the seal before it, and in the same step over the record. */
    @Test
    void shouldGoToTheBeginOfASegmentWhereARecordIsAppendedMeanwhile() {
        openWith(20);
        log.claim(3000).abort(); // for which it has rolled
        long end = log.position();
        assertThat(log.statistics().rolls()).isEqualTo(1);
        AtomicInteger lists = new AtomicInteger(Integer.MIN_VALUE);
        Storage seen = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
            if (call.equals("list") && lists.incrementAndGet() == 2) { // it has found no record there
                Records.append(log, 2);
                log.flush();
            }
            return result;
        });
        try (Tailer tailer = Tailer.open(seen, TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(21);
            lists.set(0);
            tailer.toPosition(end);
            assertThat(lists.get()).isGreaterThan(1);
            assertThat(tailer.nextPosition()).isEqualTo(end);
            assertThat(Records.readOn(tailer, 21)).isEqualTo(23);
        }
    }

    @Test
    void shouldSeeOnlyWhatIsFlushed() {
        open();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
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
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
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
        try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
            open();
            CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> follow(tailer, CONCURRENT_RECORDS));
            write(reader);
        }
    }

    @Test
    void shouldFollowAWriterInAFile(@TempDir Path directory) throws Exception {
        LogConfig config = config(directory, 1 << 20);
        try (Log onDisk = Log.open(config);
                Tailer tailer = Tailer.open(directory, TailedLog.reader(readMode))) {
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
        Records.append(log); // a tailer has no number before it has read a record
        log.flush();
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
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
    void shouldFollowAWriterInAnotherProcess(@TempDir Path directory) throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.startBriefly(FollowingReader.class, directory, readMode)) {
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
            TailerConfig config = TailerConfig.builder()
                    .readMode(ReadMode.valueOf(arguments[1]))
                    .readBufferLength(1000)
                    .build();
            try (Tailer tailer = Tailer.open(Path.of(arguments[0]), config)) {
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
