package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.format.SegmentName;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(
        value = WriterKind.class,
        names = {"MAPPED", "FILE_RW"})
class RetentionTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    @Parameter
    WriterKind kind;

    private CrashableStorage storage = new CrashableStorage();
    private Log log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** A log that has rolled so often, without a stall, after which more segments would be filled ahead. */
    private void openWithRolls(int rolls) {
        log = Log.open(kind.config().build(), storage);
        for (int i = 0; i < rolls; i++) {
            Await.segmentsAhead(log, 2);
            Records.appendUntilRolled(log, 1);
        }
        Await.segmentsAhead(log, 2);
        log.flush();
    }

    private static List<Long> bases(RetentionPlan plan) {
        return plan.retired().stream().map(RetentionPlan.Item::basePosition).toList();
    }

    private static List<Long> segments(int first, int last) {
        List<Long> bases = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            bases.add((long) i * LENGTH);
        }
        return bases;
    }

    private long firstBase() throws IOException {
        return LogFiles.list(storage).basePositions().first();
    }

    // ---- plans

    @Test
    void shouldPlanTheSegmentsBelowAPosition() {
        openWithRolls(5);
        assertThat(bases(log.planRetention(RetentionRule.below(0)))).isEmpty();
        assertThat(bases(log.planRetention(RetentionRule.below(LENGTH - 1)))).isEmpty();
        assertThat(bases(log.planRetention(RetentionRule.below(LENGTH)))).isEqualTo(segments(0, 0));
        assertThat(bases(log.planRetention(RetentionRule.below(3 * LENGTH + 100))))
                .isEqualTo(segments(0, 2));
        assertThat(bases(log.planRetention(RetentionRule.below(Long.MAX_VALUE))))
                .isEqualTo(segments(0, 4));
    }

    @Test
    void shouldPlanDownToANumberOfBytes() {
        openWithRolls(5);
        long tail = log.position();
        assertThat(bases(log.planRetention(RetentionRule.keepBytes(tail)))).isEmpty();
        assertThat(bases(log.planRetention(RetentionRule.keepBytes(tail - 1)))).isEqualTo(segments(0, 0));
        assertThat(bases(log.planRetention(RetentionRule.keepBytes(tail - 2 * LENGTH))))
                .isEqualTo(segments(0, 1));
        RetentionPlan all = log.planRetention(RetentionRule.keepBytes(0));
        assertThat(bases(all)).isEqualTo(segments(0, 4));
        assertThat(all.bytes()).isEqualTo(5 * LENGTH);
        assertThat(all.held()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetentionRule.keepBytes(-1))
                .withMessage("bytes=-1, min=0");
    }

    @Test
    void shouldPlanByTheTimeOfTheSeal() {
        long before = System.currentTimeMillis();
        openWithRolls(5);
        long after = System.currentTimeMillis();
        RetentionPlan plan = log.planRetention(RetentionRule.below(Long.MAX_VALUE));
        assertThat(plan.retired())
                .hasSize(5)
                .allSatisfy(item -> assertThat(item.sealedAtMs()).isBetween(before, after));
        assertThat(bases(log.planRetention(RetentionRule.keepAge(Duration.ofHours(1)))))
                .isEmpty();
        Await.until("the clock has moved on", () -> System.currentTimeMillis() > after);
        assertThat(bases(log.planRetention(RetentionRule.keepAge(Duration.ZERO))))
                .isEqualTo(segments(0, 4));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetentionRule.keepAge(Duration.ofMillis(-1)))
                .withMessageContaining("min=0");
    }

    @Test
    void shouldChangeNothingByAPlan() {
        openWithRolls(5);
        log.sync();
        Await.segmentsAhead(log, 2);
        List<String> files = storage.list();
        Thread appender = Thread.currentThread();
        storage.hook((number, what) -> assertThat(Thread.currentThread() == appender && !what.startsWith("map"))
                .as(what)
                .isFalse());
        log.planRetention(RetentionRule.keepBytes(0));
        log.planRetention(RetentionRule.keepAge(Duration.ZERO));
        storage.hook((number, what) -> {});
        assertThat(storage.list()).isEqualTo(files);
        assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
    }

    @Test
    void shouldHoldWhatAnOpenTailerReads() {
        openWithRolls(5);
        try (Tailer tailer = log.tailer()) {
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(plan.retired()).isEmpty();
            assertThat(plan.held())
                    .hasSize(5)
                    .allSatisfy(held -> assertThat(held.why()).contains("open tailer"));
            tailer.toPosition(2 * LENGTH + 64);
            plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(bases(plan)).isEqualTo(segments(0, 1));
            assertThat(plan.held()).hasSize(3);
            log.retire(plan, Retirement.DELETE);
            tailer.toStart();
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
        assertThat(log.planRetention(RetentionRule.keepBytes(0)).held()).isEmpty();
    }

    // ---- taking away

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldTakeAwayWhatWasPlanned(Retirement retirement) throws IOException {
        openWithRolls(6);
        long last = log.lastSequence();
        RetentionPlan plan = log.planRetention(RetentionRule.below(4 * LENGTH));
        log.retire(plan, retirement);
        assertThat(firstBase()).isEqualTo(4 * LENGTH);
        assertThat(log.lastSequence()).isEqualTo(last);
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.nextPosition()).isEqualTo(4 * LENGTH + 64);
            assertThat(tailer.next()).isTrue();
            long first = tailer.sequence();
            assertThat(first).isGreaterThan(1);
            assertThat(Records.readOn(tailer, first + 1)).isEqualTo(last + 1);
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> tailer.toSequence(first - 1));
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> tailer.toPosition(64));
            tailer.toSequence(first);
            assertThat(Records.readOn(tailer, first)).isEqualTo(last + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldKeepTheNumbersWhenEverythingElseIsGone(Retirement retirement) throws IOException {
        openWithRolls(6);
        long last = log.lastSequence();
        long segment = log.lastPosition() / LENGTH * LENGTH;
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), retirement);
        assertThat(firstBase()).isEqualTo(segment);
        log.close();
        log = Log.open(kind.config().build(), storage);
        assertThat(log.lastSequence()).isEqualTo(last);
        log.close();
        CrashableStorage withoutControl = storage;
        withoutControl.delete("control");
        log = Log.open(kind.config().build(), withoutControl);
        assertThat(log.lastSequence()).isEqualTo(last);
        Records.append(log, 1);
        log.sync();
        try (Tailer tailer = log.tailer()) {
            tailer.toSequence(last + 1);
            assertThat(Records.readOn(tailer, last + 1)).isEqualTo(last + 2);
        }
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldNeverTakeTheSegmentOfTheLastRecord(Retirement retirement) {
        log = Log.open(kind.config().build(), storage);
        byte[] one = new byte[3976];
        for (int i = 1; i <= 20; i++) {
            log.append(one, 0, one.length);
            RetentionPlan plan = log.planRetention(RetentionRule.below(Long.MAX_VALUE));
            assertThat(plan.retired()).hasSize(i == 1 ? 0 : 1);
            log.retire(plan, retirement);
            try (Tailer tailer = log.tailer()) {
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldBeOneLogAfterAPowerCutAmidRetirement(Retirement retirement) {
        for (int cut = 1; ; cut++) {
            storage = new CrashableStorage();
            openWithRolls(5);
            log.sync();
            long last = log.lastSequence();
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            storage.cutPowerAt(storage.operations() + cut);
            boolean done = false;
            try {
                log.retire(plan, retirement);
                done = true;
            } catch (Error off) {
                assertThat(storage.isOff()).isTrue();
            }
            CrashableStorage after = storage.crash(new Random(cut), Loss.RANDOM);
            try (Log reopened = Log.open(kind.config().build(), after);
                    Tailer tailer = reopened.tailer()) {
                assertThat(tailer.next()).isTrue();
                assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(last + 1);
            }
            DeadLog.end(log);
            storage = after;
            if (done) {
                assertThat(cut).isGreaterThan(5);
                return;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldSayWhatCannotBeTakenAway(Retirement retirement) throws IOException {
        openWithRolls(3);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        storage.hook((number, what) -> {
            if (what.matches("(delete|rename) " + SegmentName.of(LENGTH))) {
                throw new IOException("Operation not permitted");
            }
        });
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> log.retire(plan, retirement))
                .withMessageContaining("cannot retire a segment")
                .withMessageContaining("Operation not permitted");
        storage.hook((number, what) -> {});
        assertThat(firstBase()).isEqualTo(LENGTH);
        log.retire(plan, retirement);
        assertThat(firstBase()).isEqualTo(3 * LENGTH);
        Records.append(log, 10);
        log.sync();
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldDoNothingForAPlanThatWasCarriedOut(Retirement retirement) throws IOException {
        openWithRolls(3);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        log.retire(plan, retirement);
        log.retire(plan, retirement);
        assertThat(firstBase()).isEqualTo(3 * LENGTH);
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldLeaveWhatATailerHasComeToReadSinceThePlan(Retirement retirement) throws IOException {
        openWithRolls(4);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        try (Tailer tailer = log.tailer()) {
            tailer.toPosition(2 * LENGTH + 64);
            log.retire(plan, retirement);
            assertThat(firstBase()).isEqualTo(2 * LENGTH);
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
    }

    // ---- recycling

    @Test
    void shouldUseRecycledSegmentsAgain() {
        openWithRolls(2);
        List<String> created = Collections.synchronizedList(new ArrayList<>());
        for (int round = 1; round <= 30; round++) {
            Await.segmentsAhead(log, 2);
            storage.hook((number, what) -> {
                if (what.startsWith("create")) {
                    created.add(what);
                }
            });
            long first = log.lastSequence();
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 1);
            log.flush();
            try (Tailer tailer = log.tailer()) {
                tailer.toSequence(first);
                assertThat(Records.readOn(tailer, first)).isEqualTo(log.lastSequence() + 1);
                assertThat(tailer.next()).as("a frame of an earlier life").isFalse();
            }
        }
        assertThat(created).isEmpty();
        assertThat(storage.list()).hasSizeLessThan(10);
    }

    @Test
    void shouldKeepTheFileOfARecycledSegment(@TempDir Path directory) throws IOException {
        LogConfig config = kind.config(directory).build();
        try (Log onDisk = Log.open(config)) {
            Records.appendUntilRolled(onDisk, 4);
            Map<Object, String> files = inodes(directory);
            onDisk.retire(onDisk.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Await.until("no spare is left", () -> {
                Records.append(onDisk, 20);
                return names(directory).stream().noneMatch(name -> name.endsWith(".spare"));
            });
            Records.appendUntilRolled(onDisk, 4);
            onDisk.flush();
            List<String> reused = inodes(directory).entrySet().stream()
                    .filter(entry -> files.containsKey(entry.getKey())
                            && !files.get(entry.getKey()).equals(entry.getValue()))
                    .map(Map.Entry::getValue)
                    .toList();
            assertThat(reused).isNotEmpty();
            try (Tailer tailer = onDisk.tailer()) {
                assertThat(tailer.next()).isTrue();
                assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(onDisk.lastSequence() + 1);
            }
        }
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Object, String> inodes(Path directory) throws IOException {
        Map<Object, String> inodes = new HashMap<>();
        for (String name : names(directory)) {
            if (name.endsWith(".log")) {
                inodes.put(Files.getAttribute(directory.resolve(name), "unix:ino"), name);
            }
        }
        return inodes;
    }

    @Test
    void shouldRecycleOnlySegmentsOfTheLengthThatIsWantedNow() {
        for (int length : new int[] {16384, 4096, 8192}) {
            log = Log.open(kind.config().segmentLength(length).build(), storage);
            Records.appendUntilRolled(log, 3);
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 10);
            log.close();
        }
        log = Log.open(kind.config().build(), storage);
        log.sync();
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellATailerOfAnotherProcessThatItsSegmentWasRecycled(ReadMode mode) {
        openWithRolls(5);
        LogConfig config = kind.config().readMode(mode).build();
        try (Tailer tailer = Tailer.open(config, storage)) { // as another process has it: nothing is held for it
            for (int i = 1; i <= 5; i++) {
                assertThat(tailer.next()).isTrue();
            }
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Await.until("the recycled segment is in use", () -> {
                Records.append(log, 20);
                log.flush();
                return storage.list().stream().noneMatch(name -> name.endsWith(".spare"));
            });
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 6))
                    .withMessageContaining("go on from the log's first record");
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> Records.readOn(tailer, 6));
            tailer.toStart();
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellATailerThatItLooksAtARecycledSegmentInWhichNothingIsYet(ReadMode mode) {
        openWithRolls(3);
        LogConfig config = kind.config().readMode(mode).build();
        try (Tailer tailer = Tailer.open(config, storage)) {
            assertThat(tailer.next()).isTrue();
            Await.segmentsAhead(log, 2);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 1);
            Await.until(
                    "the recycled segment is prepared",
                    () -> storage.list().stream().noneMatch(name -> name.endsWith(".spare")));
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> Records.readOn(tailer, 2));
            tailer.toStart();
            assertThat(tailer.next()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldLetATailerReadADeletedSegmentToItsEnd(ReadMode mode) {
        openWithRolls(5);
        LogConfig config = kind.config().readMode(mode).build();
        try (Tailer tailer = Tailer.open(config, storage)) {
            assertThat(tailer.next()).isTrue();
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
            long next = 2;
            while (tailer.nextPosition() < LENGTH) {
                try {
                    assertThat(tailer.next()).isTrue();
                } catch (RetiredException atItsEnd) {
                    break;
                }
                Records.check(tailer.sequence(), tailer.payload(), next++);
            }
            assertThat(next).isGreaterThan(10);
            assertThatExceptionOfType(RetiredException.class).isThrownBy(tailer::next);
            tailer.toStart();
            assertThat(tailer.next()).isTrue();
            assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @Test
    void shouldNotReviveFramesOfAnEarlierLifeAfterAKill() {
        openWithRolls(6);
        for (int round = 0; round < 10; round++) {
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Records.appendUntilRolled(log, 2);
            Records.append(log, round);
            log.flush();
            long last = log.lastSequence();
            CrashableStorage after = storage.afterKill();
            DeadLog.end(log);
            storage = after;
            log = Log.open(kind.config().build(), storage);
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(log.recovery().cutBytes()).isZero();
        }
    }
}
