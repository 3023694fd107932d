package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.ReadMode;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.recovery.RecoveryTable;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogFiles;
import io.persist.store.value.MappedSegments;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.support.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The writer's process retires segments, or vacates them, between two calls of a reader at the storage. */
class RetiredMeanwhileTest {

    private static final int ROLLS = 5;

    /** What happens to the log's older segments. */
    private enum Change {
        DELETED,
        RECYCLED,
        VACATED
    }

    @TempDir(factory = InMemory.class)
    Path directory;

    private Log log;
    private long last;
    private long endOfLast;

    @BeforeEach
    void write() {
        log = Log.open(WriterKind.MAPPED.config(directory).build());
        Records.append(log, 2);
        log.commit(Durability.SYNCED); // so a scan that trusts what is synced begins in the first segment
        Records.appendUntilRolled(log, ROLLS);
        last = log.lastSequence();
        endOfLast = log.position();
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void make(Change change) {
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(2L * WriterKind.SEGMENT_LENGTH));
        assertThat(plan.retired()).hasSizeGreaterThan(1);
        switch (change) {
            case DELETED -> log.retire(plan, Retirement.DELETE);
            case RECYCLED -> {
                log.retire(plan, Retirement.RECYCLE);
                awaitTheirNextLife(plan.retired().size());
            }
            case VACATED -> vacate(plan);
        }
    }

    private void awaitTheirNextLife(int files) {
        Records.appendUntilRolled(log, files);
        Await.until(
                "the files begin their next life",
                () -> directory.toFile().list((where, name) -> name.endsWith(LogFileName.SPARE_SUFFIX)).length == 0);
    }

    private void vacate(RetentionPlan plan) {
        log.commit(Durability.SYNCED);
        for (RetentionPlan.Item segment : plan.retired()) {
            assertThat(log.vacate(segment.basePosition())).isTrue();
        }
    }

    private interface Use {
        void of(Storage asReadersSeeIt) throws IOException;
    }

    /** What readers ask a storage and its files for. */
    private static final String[] LOOKS = {"list", "open", "read", "length", "map"};

    /**
     * The change comes right behind the first look of each kind, the second, and so on until there are no more; in a
     * build behind every sixth one.
     */
    private void meanwhile(Change change, Use use) throws IOException {
        int step = Seeds.isNightly() ? 1 : 6;
        for (String look : LOOKS) {
            for (int n = 1 + (int) (Seeds.seed() % step), left = 0; left <= 0; n += step) {
                AtomicInteger ahead = new AtomicInteger(n);
                use.of(Interposed.afterEach(storage(), call -> {
                    if (call.equals(look) && ahead.decrementAndGet() == 0) {
                        make(change);
                    }
                }));
                left = ahead.get();
                again();
            }
        }
    }

    private Storage storage() throws IOException {
        return DirectoryStorage.open(directory);
    }

    private void again() throws IOException {
        log.close();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        write();
    }

    private static Stream<Arguments> readers() {
        return Stream.of(ReadMode.values())
                .flatMap(mode -> Stream.of(Change.values()).map(change -> Arguments.of(mode, change)));
    }

    private static TailerConfig reading(ReadMode mode) {
        return WriterKind.reader().readMode(mode).build();
    }

    @ParameterizedTest
    @MethodSource("readers")
    void shouldFindARecordThatIsStillThere(ReadMode mode, Change change) throws IOException {
        meanwhile(change, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                tailer.toSequence(last);
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).isEqualTo(last);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("readers")
    void shouldSayThatARecordIsGoneOrShowIt(ReadMode mode, Change change) throws IOException {
        long position = WriterKind.SEGMENT_LENGTH + 64;
        meanwhile(change, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                tailer.toSequence(1);
                if (tailer.next() && !isBehind(change, tailer)) {
                    assertThat(tailer.sequence()).isEqualTo(1);
                }
                tailer.toPosition(position);
                if (tailer.next() && !isBehind(change, tailer)) {
                    assertThat(tailer.position()).isEqualTo(position);
                }
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("go on from the log's first record");
            }
        });
    }

    /** The position of a record that the tailer has shown, which is not the first of its segment. */
    @ParameterizedTest
    @MethodSource("readers")
    void shouldSayThatAPositionIsGoneOrGoThere(ReadMode mode, Change change) throws IOException {
        meanwhile(change, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                tailer.toSequence(2);
                if (tailer.next() && tailer.sequence() == 2) {
                    tailer.toPosition(tailer.position());
                    assertThat(tailer.next()).isTrue();
                    assertThat(tailer.sequence()).isEqualTo(2);
                }
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("go on from the log's first record");
            }
        });
    }

    /** The two ends of what is left of a segment that was vacated are still places of the log. */
    @ParameterizedTest
    @MethodSource("readers")
    void shouldSayThatAPositionIsGone(ReadMode mode, Change change) throws IOException {
        long first = SegmentHeader.LENGTH;
        long behind = WriterKind.SEGMENT_LENGTH + first;
        try (Tailer tailer = Tailer.open(storage(), reading(mode))) {
            tailer.toSequence(2);
            long second = tailer.nextPosition();
            make(change);
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> tailer.toPosition(second))
                    .withMessage("position is gone: position=" + second + "; go on from the log's first record");
            if (change == Change.VACATED) {
                tailer.toPosition(first);
                assertThat(tailer.nextPosition()).isEqualTo(first);
                assertThat(tailer.next()).isTrue();
                tailer.toPosition(behind);
                assertThat(tailer.nextPosition()).isEqualTo(behind);
                assertThat(tailer.next()).isTrue();
            }
        }
    }

    /** A tailer of its process holds what it has to read, also if the owner retires while another thread opens it. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldShowATailerOfTheWriterItsFirstRecord(Retirement retirement) throws IOException {
        log.close();
        Thread opening = Thread.currentThread();
        AtomicBoolean isDue = new AtomicBoolean();
        Storage storage = Interposed.afterEach(storage(), call -> {
            if (call.equals("list") && Thread.currentThread() == opening && isDue.getAndSet(false)) {
                log.retire(log.planRetention(RetentionRule.keepBytes(WriterKind.SEGMENT_LENGTH)), retirement);
            }
        });
        log = Log.open(WriterKind.MAPPED.config(directory).build(), storage);
        isDue.set(true);
        try (Tailer tailer = log.tailer()) {
            assertThat(isDue).isFalse();
            assertThat(tailer.next()).isTrue();
        }
    }

    /** The lock of the cursors is held meanwhile. A tailer needs none to go back. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldHoldWhatATailerOfTheWriterGoesBackTo(Retirement retirement) throws IOException {
        log.close();
        Thread retiring = Thread.currentThread();
        AtomicReference<Tailer> going = new AtomicReference<>();
        Storage storage = Interposed.afterEach(storage(), call -> {
            if (call.equals("syncDirectory") && Thread.currentThread() == retiring && going.get() != null) {
                going.getAndSet(null).toStart();
            }
        });
        log = Log.open(WriterKind.MAPPED.config(directory).build(), storage);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        assertThat(plan.retired()).hasSizeGreaterThan(2);
        try (Tailer tailer = log.tailer()) {
            tailer.toEnd();
            going.set(tailer);
            RetentionPlan done = log.retireSynced(plan, retirement);
            assertThat(done.retired()).hasSize(1);
            assertThat(done.held())
                    .hasSize(plan.retired().size() - 1)
                    .allMatch(held -> held.why().startsWith("a tailer that this log has opened reads at position "));
            assertThat(tailer.next()).isTrue();
        }
    }

    /** Whether {@code tailer} has gone over segments that were vacated meanwhile. */
    private static boolean isBehind(Change change, Tailer tailer) {
        return change == Change.VACATED && tailer.position() > 2L * WriterKind.SEGMENT_LENGTH;
    }

    @ParameterizedTest
    @MethodSource("readers")
    void shouldSayThatTheNextRecordIsGoneOrShowIt(ReadMode mode, Change change) throws IOException {
        meanwhile(change, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                for (long next = 1; next <= last && tailer.next(); next = tailer.sequence() + 1) {
                    if (change == Change.VACATED) {
                        assertThat(tailer.sequence()).isGreaterThanOrEqualTo(next);
                    } else {
                        assertThat(tailer.sequence()).isEqualTo(next);
                    }
                    assertThat(tailer.payloadBytes()).isEqualTo(Records.of(tailer.sequence()));
                }
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("go on from the log's first record");
            }
        });
    }

    /** As a reader of a store does in another process; what a store has taken away is not used again. */
    @ParameterizedTest
    @EnumSource(names = {"DELETED", "VACATED"})
    void shouldShowTheBytesThatWereThereOrSayThatTheyAreGone(Change change) throws IOException {
        meanwhile(change, storage -> {
            byte[] segment = Files.readAllBytes(directory.resolve(LogFileName.segment(WriterKind.SEGMENT_LENGTH)));
            try (MappedSegments segments = MappedSegments.ofOthers(storage)) {
                byte[] seen = new byte[segment.length];
                segments.at(WriterKind.SEGMENT_LENGTH + 64).view().get(seen);
                assertThat(seen).isEqualTo(segment);
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("were taken away");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void shouldListTheSegmentsThatAreThere(Change change) throws IOException {
        meanwhile(
                change,
                storage -> assertThat(LogFiles.headers(storage))
                        .extracting(SegmentHeader::basePosition)
                        .isSorted()
                        .doesNotHaveDuplicates()
                        .contains(baseOfLast()));
    }

    /** The base of the segment that has record {@link #last}. */
    private long baseOfLast() {
        return endOfLast - endOfLast % WriterKind.SEGMENT_LENGTH;
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void shouldPlanForTheSegmentsThatAreThere(Change change) throws IOException {
        RetentionRule rule = RetentionRule.keepBytes(WriterKind.SEGMENT_LENGTH);
        meanwhile(
                change,
                storage -> assertThat(new LogRetention(storage).plan(rule).retired())
                        .isNotEmpty()
                        .allMatch(item -> item.endPosition() < log.position()));
    }

    private static Stream<Arguments> scans() {
        return Stream.of(LogScan.Start.values())
                .flatMap(start -> Stream.of(Change.values()).map(change -> Arguments.of(start, change)));
    }

    @ParameterizedTest
    @MethodSource("scans")
    void shouldFindNothingWrong(LogScan.Start start, Change change) throws IOException {
        meanwhile(change, storage -> {
            ScanFindings found = new LogInspector(storage).inspect(start).findings();
            assertThat(found.row().decision()).isEqualTo(RecoveryTable.Decision.END);
            assertThat(found.lastPosition()).isLessThan(log.position());
        });
    }
}
