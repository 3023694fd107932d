package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.persist.format.LogFileName;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which segments a rule plans to take away, which of them are held, and that a plan alone changes nothing. */
@ParameterizedClass
@MappedAndFile
class RetentionPlanTest extends LogFixture {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

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
    void shouldLookAtNoMoreSegmentsThanThePlanHas() {
        openWithRolls(20);
        AtomicInteger looks = new AtomicInteger();
        storage.hook((number, what) -> looks.addAndGet(what.startsWith("map") ? 1 : 0));
        assertThat(log.planRetention(RetentionRule.below(2 * LENGTH)).retired()).hasSize(2);
        assertThat(looks).as("the one that stays need not be read").hasValue(2);
        storage.hook((number, what) -> {});
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
    }

    @Test
    void shouldRefuseRulesThatWouldTakeAllByMistake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetentionRule.keepBytes(-1))
                .withMessage("bytes=-1, min=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetentionRule.KeepBytes(-1))
                .withMessage("bytes=-1, min=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetentionRule.keepAge(Duration.ofMillis(-1)))
                .withMessage("age=PT-0.001S, min=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetentionRule.KeepAge(Duration.ofDays(-7)))
                .withMessage("age=PT-168H, min=0");
        assertThatNullPointerException()
                .isThrownBy(() -> new RetentionRule.KeepAge(null))
                .withMessage("age");
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
        assertThat(bases(log.planRetention(RetentionRule.keepAge(ChronoUnit.FOREVER.getDuration()))))
                .isEmpty();
        Await.until("the clock has moved on", () -> System.currentTimeMillis() > after);
        assertThat(bases(log.planRetention(RetentionRule.keepAge(Duration.ZERO))))
                .isEqualTo(segments(0, 4));
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
                    .allSatisfy(held -> assertThat(held.why()).contains("a tailer that this log has opened"));
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

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldRefuseAPlanOfAnotherLog(Retirement retirement) {
        openWithRolls(2);
        RetentionPlan foreign;
        try (Log other = kind.openWithRolls(new CrashableStorage(), 5)) {
            foreign = other.planRetention(RetentionRule.below(5 * LENGTH));
        }
        List<String> files = segmentFiles();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.retire(foreign, retirement))
                .withMessageContaining("not a plan of this log: file=");
        assertThat(segmentFiles()).isEqualTo(files);

        RetentionPlan.Item first =
                log.planRetention(RetentionRule.below(LENGTH)).retired().get(0);
        for (RetentionPlan.Item wrong : List.of(
                new RetentionPlan.Item(LogFileName.LOCK, 0, LENGTH, first.sealedAtMs()),
                new RetentionPlan.Item(LogFileName.LOCK, 9 * LENGTH, 10 * LENGTH, first.sealedAtMs()),
                new RetentionPlan.Item(first.file(), 0, 2 * LENGTH, first.sealedAtMs()),
                new RetentionPlan.Item(first.file(), 0, LENGTH, first.sealedAtMs() - 1))) {
            RetentionPlan made = new RetentionPlan(List.of(first, wrong), List.of());
            assertThatIllegalArgumentException().isThrownBy(() -> log.retire(made, retirement));
            assertThat(segmentFiles()).as("nothing of it is taken, %s", wrong).isEqualTo(files);
        }
        assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
    }

    /** It may be the only copy of that log's records. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldNotTakeASegmentOfAnotherLogThatLiesInFront(Retirement retirement) throws IOException {
        openWithRolls(5);
        log.retire(log.planRetention(RetentionRule.below(2 * LENGTH)), Retirement.DELETE);
        CrashableStorage another = new CrashableStorage();
        RetentionPlan.Item first;
        try (Log other = kind.openWithRolls(another, 5)) {
            first = other.planRetention(RetentionRule.below(LENGTH)).retired().get(0);
        }
        storage.replace(first.file(), another.content(first.file()));
        List<String> files = segmentFiles();

        assertHeld(log.planRetention(RetentionRule.keepBytes(0)), first.file());
        assertHeld(log.planRetention(RetentionRule.keepAge(Duration.ofDays(1))), first.file());
        assertThat(log.planRetention(RetentionRule.below(0)).held()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.retire(new RetentionPlan(List.of(first), List.of()), retirement))
                .withMessageContaining("not a plan of this log: file=" + first.file());
        log.close();
        assertHeld(new LogRetention(storage).plan(RetentionRule.keepBytes(0)), first.file());
        assertHeld(new LogRetention(storage).apply(RetentionRule.keepBytes(0)), first.file());
        assertThat(segmentFiles()).containsAll(files);

        storage.delete(first.file());
        assertThat(bases(new LogRetention(storage).plan(RetentionRule.keepBytes(0))))
                .isEqualTo(segments(2, 4));
    }

    private static void assertHeld(RetentionPlan plan, String file) {
        assertThat(plan.retired()).isEmpty();
        assertThat(plan.held()).hasSize(1);
        assertThat(plan.held().get(0).segment().file()).isEqualTo(file);
        assertThat(plan.held().get(0).why()).contains("another log's").contains("move it");
    }

    @Test
    void shouldNotTakeTheWayToRetireForGranted() {
        openWithRolls(2);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        List<String> files = segmentFiles();
        assertThatNullPointerException()
                .isThrownBy(() -> log.retire(plan, null))
                .withMessage("retirement");
        assertThat(segmentFiles()).isEqualTo(files);
    }

    private List<String> segmentFiles() {
        return storage.list().stream()
                .filter(name -> LogFileName.basePosition(name).isPresent())
                .filter(name -> name.compareTo(LogFileName.segment(log.position())) < 0) // not what is made ahead
                .toList();
    }

    /** A caller that leaves some segments of a plan out, such as those that are not archived yet. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldRefuseAPlanThatWouldLeaveAHole(Retirement retirement) {
        openWithRolls(5);
        List<RetentionPlan.Item> planned =
                log.planRetention(RetentionRule.keepBytes(0)).retired();
        for (List<RetentionPlan.Item> some : List.of(
                planned.subList(1, 3),
                List.of(planned.get(0), planned.get(2)),
                List.of(planned.get(1), planned.get(0)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> log.retire(new RetentionPlan(some, List.of()), retirement))
                    .withMessageContaining("from the oldest on");
        }
        assertThat(bases(log.planRetention(RetentionRule.keepBytes(0)))).isEqualTo(segments(0, 4));
        log.retire(new RetentionPlan(planned.subList(0, 2), List.of()), retirement);
        assertThat(bases(log.planRetention(RetentionRule.keepBytes(0)))).isEqualTo(segments(2, 4));
    }
}
