package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.LogMonitor.Reading;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.LogCursors;
import io.persist.monitor.WriterState;
import io.persist.support.ChildJvm;
import io.persist.support.DeadLog;
import io.persist.support.HolderMark;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.support.RefusedFiles;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

@Timeout(120)
class LogMonitorTest {

    private static final int RECORDS = 20_000; // some 3 MB

    @TempDir(factory = InMemory.class)
    Path directory;

    private final CrashableStorage storage = new CrashableStorage();
    private final LogMonitor monitor = new LogMonitor(storage);

    private Log open() {
        return Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    @Test
    void shouldNotTakeAWriterOfAnotherContainerForADeadOneOrALivingOne() throws IOException {
        LogConfig config = LogConfig.builder(directory).segmentLength(4096).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            logger.append(new byte[8]);
            logger.commit();
            HolderMark.move(directory);
            LogMonitor.Reading reading = LogMonitor.open(directory).read();
            assertThat(reading.writer()).isEqualTo(WriterState.UNSEEN);
            assertThat(reading.writer().mayWrite()).isTrue();
            assertThat(reading.statistics().records()).isEqualTo(1);
        }
        assertThat(LogMonitor.open(directory).read().writer()).isEqualTo(WriterState.CLOSED);
    }

    @Test
    void shouldFollowALogThroughItsLives() {
        Reading live;
        try (Log log = open()) {
            live = monitor.read();
            assertThat(live.writer()).isEqualTo(WriterState.LIVE);
            assertThat(live.pid()).isEqualTo(ProcessHandle.current().pid());
            Records.append(log, 10);
            log.commit(Durability.BUFFERED);
            live = monitor.read();
            assertThat(live.committedPosition()).isEqualTo(log.committedPosition());
            assertThat(live.flushedPosition()).isEqualTo(log.flushedPosition());
            assertThat(live.syncedPosition()).isEqualTo(log.syncedPosition());
            assertThat(live.unsyncedBytes())
                    .isEqualTo(log.committedPosition() - log.syncedPosition())
                    .isPositive();
            assertThat(live.hasFailed()).isFalse();
            Records.append(log, 1);
            assertThat(monitor.read().flushedPosition())
                    .as("bounded by the last commit")
                    .isLessThan(log.flushedPosition());
            log.sync();
            assertThat(monitor.read().syncedPosition()).isGreaterThan(log.committedPosition());
            assertThat(monitor.read().unsyncedBytes()).isZero();
        }
        Reading closed = monitor.read();
        assertThat(closed.writer()).isEqualTo(WriterState.CLOSED);
        assertThat(closed.statistics().records()).isEqualTo(11);
        try (Log again = open()) {
            assertThat(monitor.read().writer()).isEqualTo(WriterState.LIVE);
            assertThat(monitor.read().statistics().records()).isZero();
            assertThat(monitor.read().syncedPosition()).isEqualTo(again.syncedPosition());
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** An application may append, and wait for the device, and never commit: a reader that stands still must be seen. */
    @Test
    void shouldTellTheLagOfACursorWhereNothingIsCommitted() {
        try (Log log = open()) {
            log.tailer("slow", TailerConfig.defaults()).close();
            Records.append(log, 10);
            log.sync();
            long cursor = monitor.read().cursors().get("slow");
            assertThat(log.committedPosition()).isLessThanOrEqualTo(cursor);
            assertThat(monitor.read().slowestCursorLag()).isEqualTo(log.syncedPosition() - cursor);
            assertThat(new LogCursors(storage).list())
                    .singleElement()
                    .satisfies(state -> assertThat(state.lagBytes()).isEqualTo(log.syncedPosition() - cursor));
        }
    }

    /** As that of another user whose files this one may not read. */
    @Test
    void shouldTellAllElseBesideACursorThatCannotBeRead() {
        try (Log log = open()) {
            log.tailer("slow", TailerConfig.defaults()).close();
            log.tailer("secret", TailerConfig.defaults()).close();
            Records.append(log, 10);
            log.commit(Durability.SYNCED);
            Storage refusing =
                    new RefusedFiles(storage, name -> name.contains("secret"), new AccessDeniedException("secret"));
            Reading reading = new LogMonitor(refusing).read();
            assertThat(reading.cursors()).containsEntry("secret", 0L).containsKey("slow");
            assertThat(reading.slowestCursorLag()).isEqualTo(log.committedPosition());
        }
    }

    @Test
    void shouldTellAFailedLogFromThenOn() {
        Log log = open();
        Records.append(log, 1);
        storage.hook((number, what) -> {
            if (what.startsWith("force 0")) {
                throw new IOException("broken");
            }
        });
        assertThatThrownBy(log::sync).isInstanceOf(LogIOException.class);
        assertThat(monitor.read().writer()).isEqualTo(WriterState.FAILED);
        assertThat(monitor.read().hasFailed()).isTrue();
        assertThatThrownBy(log::close).isInstanceOf(LogIOException.class);
        assertThat(monitor.read().hasFailed()).isTrue();
        storage.hook((number, what) -> {});
        open().close();
        assertThat(monitor.read().hasFailed()).isFalse();
    }

    @Test
    void shouldTakeAWriterOfAnotherBootForKilled() {
        Log log = open();
        Records.append(log, 10);
        log.commit(Durability.SYNCED);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_KEPT);
        DeadLog.end(log);
        Reading reading = new LogMonitor(after).read();
        assertThat(reading.writer()).isEqualTo(WriterState.KILLED);
        assertThat(reading.syncedPosition()).isEqualTo(reading.committedPosition());
        assertThat(reading.statistics().records()).isEqualTo(10);
    }

    @Test
    void shouldNotBelieveATornPositionOfAnotherBoot() {
        Log log = open();
        Records.append(log, 10);
        log.commit(Durability.SYNCED);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_KEPT);
        DeadLog.end(log);
        byte[] control = after.content(LogFileName.CONTROL);
        control[264] ^= 1; // the complement of the synced position
        after.replace(LogFileName.CONTROL, control);
        assertThat(new LogMonitor(after).read().syncedPosition()).isZero();
    }

    /** A writer stores a position and then its complement; on the same boot nothing can be torn for good. */
    @Test
    void shouldTellAPositionWhoseComplementIsStillToBeStored() {
        try (Log log = open()) {
            Records.append(log, 10);
            log.commit(Durability.SYNCED);
        }
        Reading before = monitor.read();
        byte[] control = storage.content(LogFileName.CONTROL);
        control[264] ^= 1; // the complement of the synced position
        control[200] ^= 1; // that of the flushed one
        storage.replace(LogFileName.CONTROL, control);
        assertThat(monitor.read()).isEqualTo(before);
        assertThat(before.syncedPosition()).isPositive();
    }

    /** A reader may look at any moment of a writer's first ones. */
    @Test
    void shouldFindNothingUntilANewLogIsThere() {
        List<Boolean> found = Collections.synchronizedList(new ArrayList<>()); // of several threads
        storage.hook((number, what) -> {
            if (what.matches("(create|write|sync|rename|syncDirectory)\\b.*")) { // and not what this itself does
                found.add(monitor.find().isPresent());
            }
        });
        try (Log log = open()) {
            storage.hook((number, what) -> {});
            assertThat(monitor.find().orElseThrow().pid())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(log.hasFailed()).isFalse();
        }
        assertThat(found).startsWith(false).contains(true);
        assertThat(found.subList(found.indexOf(true), found.size())).containsOnly(true);
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        assertThatThrownBy(monitor::read)
                .isInstanceOf(LogIOException.class)
                .hasMessage("not a log: no control file and no segments, directory=memory;"
                        + " name the directory that a logger writes to");
        assertThatThrownBy(() -> LogMonitor.open(directory.resolve("nothing")))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("no such directory");
        open().close();
        storage.delete(LogFileName.CONTROL);
        assertThat(monitor.find()).isEmpty();
        assertThatThrownBy(monitor::read)
                .isInstanceOf(LogIOException.class)
                .hasMessage("log has no readable control file, directory=memory;"
                        + " the next writer makes one when it opens the log");
        try (Log log = open()) { // which makes it anew
            assertThat(monitor.read().writer()).isEqualTo(WriterState.LIVE);
            assertThat(monitor.read().syncedPosition()).isEqualTo(log.syncedPosition());
        }
        storage.replace(LogFileName.CONTROL, new byte[100]);
        assertThatThrownBy(monitor::read).hasMessageContaining("no readable control file");
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldSeePositionsThatOnlyGrowWhileTheyAreWritten() throws InterruptedException {
        LogConfig config = LogConfig.builder(directory).segmentLength(1 << 20).build();
        try (Log log = Log.open(config)) {
            Thread writer = new Thread(() -> {
                for (int i = 0; i < RECORDS; i++) {
                    Records.append(log);
                    log.commit(Durability.BUFFERED);
                    log.sync();
                }
            });
            writer.start();
            LogMonitor real = LogMonitor.open(directory);
            try {
                Reading before = real.read();
                while (writer.isAlive()) {
                    Reading now = real.read();
                    assertThat(now.syncedPosition()).isGreaterThanOrEqualTo(before.syncedPosition());
                    assertThat(now.flushedPosition()).isGreaterThanOrEqualTo(before.flushedPosition());
                    assertThat(now.statistics().records())
                            .isGreaterThanOrEqualTo(before.statistics().records());
                    assertThat(now.flushedPosition()).isGreaterThanOrEqualTo(now.syncedPosition());
                    assertThat(now.committedPosition()).isGreaterThanOrEqualTo(now.flushedPosition());
                    before = now;
                }
            } finally {
                writer.join(); // before the log is closed under it
            }
            assertThat(real.read().statistics().records()).isEqualTo(RECORDS);
        }
    }

    @Test
    void shouldBeAskedWhileTheLogIsClosed() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            Log log = Log.open(LogConfig.builder(directory).segmentLength(4096).build());
            Records.append(log);
            AtomicBoolean closed = new AtomicBoolean();
            Thread asker = new Thread(() -> {
                while (!closed.get()) {
                    log.statistics(); // after the mapping is gone this would end the JVM
                }
            });
            asker.start();
            log.close();
            closed.set(true);
            asker.join();
            assertThat(log.statistics().records()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldWatchAnotherProcessAndSurviveItsDeath(WriterKind kind) throws Exception {
        LogMonitor other = LogMonitor.open(Files.createDirectories(directory.resolve("log")));
        long records;
        try (ChildJvm child = ChildJvm.startBriefly(WritingJvm.class, directory.resolve("log"), kind)) {
            assertThat(child.ask("BUFFERED")).isEqualTo("1");
            Reading reading = other.read();
            assertThat(reading.writer()).isEqualTo(WriterState.LIVE);
            assertThat(reading.pid()).isEqualTo(child.pid());
            assertThat(reading.statistics().records()).isEqualTo(1);
            records = Long.parseLong(child.ask("SYNCED"));
            reading = other.read();
            assertThat(reading.statistics().records()).isEqualTo(records);
            assertThat(reading.statistics().syncs()).isPositive();
            assertThat(reading.syncedPosition()).isEqualTo(reading.committedPosition());
            child.kill();
        }
        Reading dead = other.read();
        assertThat(dead.writer()).isEqualTo(WriterState.KILLED);
        assertThat(dead.statistics().records()).isEqualTo(records);
        assertThat(dead.syncedPosition()).isEqualTo(dead.committedPosition());
    }

    /** The other direction: this JVM writes, a child reads. */
    @Test
    void shouldBeReadableByAnotherProcessWhileTheWriterLives() throws Exception {
        try (Log log = Log.open(
                        LogConfig.builder(directory).segmentLength(1 << 16).build());
                ChildJvm child = ChildJvm.startBriefly(ReadingJvm.class, directory)) {
            for (int i = 1; i <= 3; i++) {
                Records.append(log, 5);
                log.commit(Durability.BUFFERED);
                assertThat(child.ask("read"))
                        .isEqualTo("LIVE " + log.committedPosition() + " "
                                + log.statistics().records());
            }
            assertThat(log.statistics().records()).isEqualTo(15);
        }
    }

    static final class WritingJvm {

        public static void main(String[] arguments) throws IOException {
            WriterKind kind = WriterKind.valueOf(arguments[1]);
            Log log = Log.open(
                    kind.config(Path.of(arguments[0])).segmentLength(1 << 16).build());
            BufferedReader questions = ChildJvm.questions();
            for (String level = questions.readLine(); level != null; level = questions.readLine()) {
                Records.append(log);
                log.commit(Durability.valueOf(level));
                System.out.println(log.lastSequence());
            }
        }
    }

    static final class ReadingJvm {

        public static void main(String[] arguments) throws IOException {
            LogMonitor monitor = LogMonitor.open(Path.of(arguments[0]));
            BufferedReader questions = ChildJvm.questions();
            while (questions.readLine() != null) {
                Reading now = monitor.read();
                System.out.println(now.writer() + " " + now.committedPosition() + " "
                        + now.statistics().records());
            }
        }
    }
}
