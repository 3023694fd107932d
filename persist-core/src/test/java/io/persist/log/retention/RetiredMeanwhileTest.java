package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
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
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.support.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The writer's process retires segments between two calls of a reader at the storage. */
class RetiredMeanwhileTest {

    private static final int ROLLS = 5;

    @TempDir(factory = InMemory.class)
    Path directory;

    private Log log;
    private long last;
    private long endOfLast;

    @BeforeEach
    void write() {
        log = Log.open(WriterKind.MAPPED.config(directory).build());
        Records.appendUntilRolled(log, ROLLS);
        last = log.lastSequence();
        endOfLast = log.position();
    }

    @AfterEach
    void close() {
        log.close();
    }

    /** Files that are to be used again are in use when it returns, if that is what is done to them. */
    private void retire(Retirement retirement) {
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(2L * WriterKind.SEGMENT_LENGTH));
        log.retire(plan, retirement);
        if (retirement == Retirement.RECYCLE) {
            Records.appendUntilRolled(log, plan.retired().size());
            Await.until(
                    "the files begin their next life",
                    () -> directory.toFile().list((where, name) -> name.endsWith(SegmentName.SPARE_SUFFIX)).length
                            == 0);
        }
    }

    private interface Use {
        void of(Storage asReadersSeeIt) throws IOException;
    }

    /** What readers ask a storage and its files for. */
    private static final String[] LOOKS = {"list", "open", "read", "length", "map"};

    /**
     * Retention comes right behind the first look of each kind, the second, and so on until there are no more; in a
     * build behind every second one.
     */
    private void whileRetiring(Retirement retirement, Use use) throws IOException {
        int step = Seeds.isNightly() ? 1 : 2;
        for (String look : LOOKS) {
            for (int n = 1 + (int) (Seeds.seed() % step), left = 0; left <= 0; n += step) {
                AtomicInteger ahead = new AtomicInteger(n);
                use.of(afterEach(storage(), call -> {
                    if (call.equals(look) && ahead.decrementAndGet() == 0) {
                        retire(retirement);
                    }
                }));
                left = ahead.get();
                again();
            }
        }
    }

    /** {@code storage} with something behind each call to it or to a file of it. */
    private static Storage afterEach(Storage storage, Consumer<String> then) {
        Storage files = Interposed.afterFiles(storage, (file, call) -> then.accept(call));
        return Interposed.after(Storage.class, files, (call, arguments, result) -> {
            then.accept(call);
            return result;
        });
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
                .flatMap(mode -> Stream.of(Retirement.values()).map(retirement -> Arguments.of(mode, retirement)));
    }

    private static TailerConfig reading(ReadMode mode) {
        return WriterKind.reader().readMode(mode).build();
    }

    @ParameterizedTest
    @MethodSource("readers")
    void shouldFindARecordThatIsStillThere(ReadMode mode, Retirement retirement) throws IOException {
        whileRetiring(retirement, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                tailer.toSequence(last);
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).isEqualTo(last);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("readers")
    void shouldSayThatARecordIsGoneOrShowIt(ReadMode mode, Retirement retirement) throws IOException {
        long position = WriterKind.SEGMENT_LENGTH + 64;
        whileRetiring(retirement, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                tailer.toSequence(1);
                if (tailer.next()) {
                    assertThat(tailer.sequence()).isEqualTo(1);
                }
                tailer.toPosition(position);
                if (tailer.next()) {
                    assertThat(tailer.position()).isEqualTo(position);
                }
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("go on from the log's first record");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("readers")
    void shouldSayThatTheNextRecordIsGoneOrShowIt(ReadMode mode, Retirement retirement) throws IOException {
        whileRetiring(retirement, storage -> {
            try (Tailer tailer = Tailer.open(storage, reading(mode))) {
                for (long next = 1; next <= last && tailer.next(); next++) {
                    assertThat(tailer.sequence()).isEqualTo(next);
                }
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("go on from the log's first record");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldListTheSegmentsThatAreThere(Retirement retirement) throws IOException {
        whileRetiring(
                retirement,
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
    @EnumSource(Retirement.class)
    void shouldPlanForTheSegmentsThatAreThere(Retirement retirement) throws IOException {
        RetentionRule rule = RetentionRule.keepBytes(WriterKind.SEGMENT_LENGTH);
        whileRetiring(
                retirement,
                storage -> assertThat(new LogRetention(storage).plan(rule).retired())
                        .isNotEmpty()
                        .allMatch(item -> item.endPosition() < log.position()));
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldFindNothingWrong(Retirement retirement) throws IOException {
        whileRetiring(retirement, storage -> {
            ScanFindings found = new LogInspector(storage)
                    .inspect(LogScan.Start.BEGINNING, base -> {})
                    .findings();
            assertThat(found.row().decision()).isEqualTo(RecoveryTable.Decision.END);
            assertThat(found.lastPosition()).isLessThan(log.position());
        });
    }
}
