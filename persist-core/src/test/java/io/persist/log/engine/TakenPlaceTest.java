package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.support.Await;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The directory of an open log has made way for a copy, which another writer has opened: the old one leaves it alone. */
class TakenPlaceTest {

    @TempDir
    Path top;

    private Path directory() {
        return top.resolve("log");
    }

    /** As {@code mv} and {@code cp -a} do it; but half-made segments may be made in the new directory by now. */
    private void exchange() throws IOException {
        Path before = top.resolve("before");
        Files.move(directory(), before);
        Files.createDirectory(directory());
        try (Stream<Path> files = Files.list(before)) {
            for (Path file : files.filter(file -> !isTemporary(file)).toList()) {
                Files.copy(file, directory().resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static boolean isTemporary(Path file) {
        return file.toString().endsWith(LogFileName.TEMPORARY_SUFFIX);
    }

    private static void commit(Log log, int records) {
        Records.append(log, records);
        log.commit(Durability.SYNCED);
    }

    /** Where there is another writer at work. */
    private static void commitInVain(Log old) {
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> {
                    old.append(new byte[100], 0, 100);
                    old.commit(Durability.SYNCED);
                })
                .withStackTraceContaining("deleted, renamed or replaced");
        assertThatExceptionOfType(LogIOException.class).isThrownBy(old::close);
    }

    @ParameterizedTest
    @EnumSource(
            value = WriterKind.class,
            names = {"FILE_RW", "FILE_RWD", "FILE_RWS"})
    void shouldNotWriteToAFileThatHasTakenTheName(WriterKind kind) throws IOException {
        try (Log log = Log.open(kind.config(directory()).build())) {
            commit(log, 3);
        }
        Log old = Log.open(kind.config(directory()).build());
        Await.segmentsAhead(old, 2);
        exchange();
        Log now = Log.open(kind.config(directory()).build());
        commit(now, 3);
        commitInVain(old);
        commit(now, 3);
        assertThat(Records.readAll(now)).isEqualTo(9);
        now.close();
        try (Log again = Log.open(kind.config(directory()).build())) {
            assertThat(again.recovery().start()).isEqualTo(Left.CLOSED);
            assertThat(Records.readAll(again)).isEqualTo(9);
        }
    }

    /** The thread that makes segments has to wait, as a full disk or a busy one makes it wait. */
    private record Slow(Storage storage, CountDownLatch waits, CountDownLatch goOn) implements ForwardingStorage {

        @Override
        public long usableBytes() throws IOException {
            if (Thread.currentThread().getName().startsWith("make ")) {
                waits.countDown();
                Await.latch(goOn);
            }
            return storage.usableBytes();
        }
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldNotMakeASegmentWhereAnotherLogIs(WriterKind kind) throws IOException {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Log old =
                Log.open(kind.config(directory()).build(), new Slow(DirectoryStorage.create(directory()), waits, goOn));
        commit(old, 3);
        Await.latch(waits);
        exchange();
        Log now = Log.open(kind.config(directory()).build());
        Records.appendUntilRolled(now, 1);
        now.commit(Durability.SYNCED);
        goOn.countDown();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Records.appendUntilRolled(old, 1))
                .withStackTraceContaining("deleted, renamed or replaced");
        Records.appendUntilRolled(now, 3);
        now.commit(Durability.SYNCED);
        long last = now.lastSequence();
        assertThatExceptionOfType(LogIOException.class).isThrownBy(old::close);
        now.close();
        try (Log again = Log.open(kind.config(directory()).build())) {
            assertThat(again.recovery().start()).isEqualTo(Left.CLOSED);
            assertThat(Records.readAll(again)).isEqualTo(last);
        }
    }

    /** What a log does with segments that it does not need. */
    private enum TakingAway {
        VACATE {
            @Override
            void run(Log log) {
                log.vacate(WriterKind.SEGMENT_LENGTH);
            }
        },
        RETIRE {
            @Override
            void run(Log log) {
                log.retireSynced(log.planRetention(new RetentionRule.KeepBytes(0)), Retirement.DELETE);
            }
        };

        abstract void run(Log log);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotTakeSegmentsAwayFromAnotherLog(TakingAway takingAway) throws IOException {
        Log old = Log.open(WriterKind.MAPPED.config(directory()).build());
        Records.appendUntilRolled(old, 3);
        old.commit(Durability.SYNCED);
        exchange();
        Log now = Log.open(WriterKind.MAPPED.config(directory()).build());
        commit(now, 3);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> takingAway.run(old))
                .withStackTraceContaining("deleted, renamed or replaced");
        assertThatExceptionOfType(LogIOException.class).isThrownBy(old::close);
        assertThat(Records.readAll(now)).isEqualTo(now.lastSequence());
        now.close();
    }

    /** It is told of the failure by the thread that takes the segments away. */
    @ParameterizedTest
    @EnumSource
    void shouldLetAStepWaitForAThreadThatCloses(TakingAway takingAway) throws IOException {
        Log old = Log.open(WriterKind.MAPPED.config(directory()).build());
        Records.appendUntilRolled(old, 3);
        old.commit(Durability.SYNCED);
        CompletableFuture<Boolean> step =
                old.reached(old.position() + 1, Durability.SYNCED).handle((reached, thrown) -> hasClosed(old));
        exchange();
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> takingAway.run(old));
        assertThat(step).isCompletedWithValue(true);
    }

    /** Closes {@code failed} in another thread; returns whether that has ended. */
    private static boolean hasClosed(Log failed) {
        Thread closing =
                new Thread(() -> assertThatExceptionOfType(LogIOException.class).isThrownBy(failed::close));
        closing.start();
        try {
            closing.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return !closing.isAlive();
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldNotGoOnInASegmentWhoseNameAnotherFileHas(WriterKind kind) throws IOException {
        Log log = Log.open(kind.config(directory()).build());
        Await.segmentsAhead(log, 2);
        String name = LogFileName.segment(WriterKind.SEGMENT_LENGTH);
        Files.copy(directory().resolve(name), top.resolve("copy"));
        Files.move(top.resolve("copy"), directory().resolve(name), StandardCopyOption.REPLACE_EXISTING);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Records.appendUntilRolled(log, 1))
                .withStackTraceContaining("file of the open log was deleted, renamed or replaced: file=" + name);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
    }
}
