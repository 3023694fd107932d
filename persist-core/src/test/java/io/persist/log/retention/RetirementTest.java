package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.format.LogFileName;
import io.persist.log.ReadMode;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments are taken away as planned, and the log goes on with the records that are left, whatever stops. */
@ParameterizedClass
@MappedAndFile
class RetirementTest extends LogFixture {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    private long firstBase() throws IOException {
        return LogFiles.basePositions(storage).first();
    }

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

    @Test
    void shouldUseTheFilesThatItHadBeforeItFailed() {
        openWithRolls(6);
        RetentionPlan plan = log.planRetention(RetentionRule.below(4 * LENGTH));
        storage.hook((number, what) -> {
            if (what.startsWith("rename " + LogFileName.segment(2 * LENGTH))) {
                throw new IOException("Input/output error");
            }
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> log.retire(plan, Retirement.RECYCLE));
        storage.hook((number, what) -> {});
        List<String> spares = List.of(LogFileName.segment(0) + ".spare", LogFileName.segment(LENGTH) + ".spare");
        Records.appendUntilRolled(log, 4);
        Await.until("the files are used again", () -> storage.list().stream().noneMatch(spares::contains));
    }

    /** A sync makes the thread that appends wait, and what is behind the plan tells the numbers. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldNotSyncWhenARecordBehindIsSynced(Retirement retirement) throws IOException {
        openWithRolls(4);
        log.sync();
        Records.append(log, 1);
        long synced = log.positions().synced();
        List<String> syncs = new ArrayList<>();
        Thread appending = Thread.currentThread();
        storage.hook((number, what) -> {
            if (Thread.currentThread() == appending && what.matches("(sync|force|write) \\d+\\.log")) {
                syncs.add(what);
            }
        });
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), retirement);
        assertThat(firstBase()).isEqualTo(4 * LENGTH);
        assertThat(syncs).isEmpty();
        assertThat(log.positions().synced()).isEqualTo(synced);
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldKeepTheNumbersAfterAPowerCutWhenNothingBehindWasSynced(Retirement retirement) {
        openWithRolls(4);
        Records.append(log, 1);
        long last = log.lastSequence();
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), retirement);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        storage = after;
        log = Log.open(kind.config().build(), storage);
        assertThat(log.lastSequence()).isEqualTo(last);
    }

    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldSayWhatCannotBeTakenAway(Retirement retirement) throws IOException {
        openWithRolls(3);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        storage.hook((number, what) -> {
            if (what.matches("(delete|rename) " + LogFileName.segment(LENGTH))) {
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

    /** A file that has got its other name is not left there, where nobody knows it. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldLeaveNoFileWhenTheDirectoryCannotBeSynced(Retirement retirement) throws IOException {
        openWithRolls(3);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        Thread retiring = Thread.currentThread();
        storage.hook((number, what) -> {
            if (what.equals("syncDirectory") && Thread.currentThread() == retiring) {
                throw new IOException("Input/output error");
            }
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> log.retire(plan, retirement));
        storage.hook((number, what) -> {});
        log.retire(plan, retirement);
        assertThat(firstBase()).isEqualTo(3 * LENGTH);
        log.close();
        assertThat(storage.list()).noneMatch(name -> name.endsWith(LogFileName.SPARE_SUFFIX));
    }

    /** Else the log would grow, and nothing would say why. */
    @Test
    void shouldSayThatNothingGoesFromASegmentOnThatCannotBeRead() throws IOException {
        openWithRolls(6);
        byte[] damaged = storage.content(LogFileName.segment(2 * LENGTH));
        damaged[8] ^= 1;
        storage.replace(LogFileName.segment(2 * LENGTH), damaged);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        assertThat(plan.retired()).extracting(RetentionPlan.Item::basePosition).containsExactly(0L, (long) LENGTH);
        assertThat(plan.held()).singleElement().satisfies(held -> {
            assertThat(held.segment().file()).isEqualTo(LogFileName.segment(2 * LENGTH));
            assertThat(held.why()).startsWith("its header cannot be read, so nothing from there on goes: ");
        });
        assertThat(log.planRetention(RetentionRule.below(2 * LENGTH)).held()).isEmpty();
        assertThat(log.planRetention(RetentionRule.keepBytes(6 * LENGTH)).held())
                .isEmpty();
    }

    /** It would be the first file of the log, and no reader could begin. */
    @Test
    void shouldKeepTheSegmentIntoWhichAForeignFileReaches() throws IOException {
        openWithRolls(6);
        storage.replace(LogFileName.segment(LENGTH + LENGTH / 2), new byte[9]);
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
        assertThat(plan.retired()).extracting(RetentionPlan.Item::basePosition).containsExactly(0L);
        assertThat(plan.held()).singleElement().satisfies(held -> {
            assertThat(held.segment().file()).isEqualTo(LogFileName.segment(LENGTH));
            assertThat(held.why()).contains(LogFileName.segment(LENGTH + LENGTH / 2), "move it away");
        });
        log.retire(plan, Retirement.DELETE);
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.next()).isTrue();
        }
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

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldLetATailerReadADeletedSegmentToItsEnd(ReadMode mode) {
        openWithRolls(5);
        TailerConfig config = WriterKind.reader().readMode(mode).build();
        try (Tailer tailer = Tailer.open(storage, config)) {
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
}
