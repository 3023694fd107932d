package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.ReadMode;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A segment that ends because somebody says so, and not because it is full. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class RollTest extends LogFixture {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final long SECOND = LENGTH + SegmentHeader.LENGTH;

    @Test
    void shouldGoOnInTheNextSegment() {
        open();
        Records.append(log, 3);
        long last = log.lastPosition();
        assertThat(log.roll()).isEqualTo(SECOND);
        assertThat(log.position()).isEqualTo(SECOND);
        assertThat(log.lastPosition()).isEqualTo(last);
        assertThat(log.statistics().rolls()).isEqualTo(1);
        long end = Records.append(log);
        assertThat(log.lastPosition()).isEqualTo(SECOND).isLessThan(end);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(4);
        close();
        open();
        assertThat(Records.readAll(log)).isEqualTo(4);
    }

    @Test
    void shouldDoNothingInASegmentThatHasNoRecord() {
        open();
        for (int i = 0; i < 100; i++) {
            assertThat(log.roll()).isEqualTo(SegmentHeader.LENGTH);
        }
        Records.append(log, 1);
        for (int i = 0; i < 100; i++) {
            assertThat(log.roll()).isEqualTo(SECOND);
        }
        assertThat(log.statistics().rolls()).isEqualTo(1);
    }

    @Test
    void shouldEndNoCommit() {
        open();
        Records.append(log, 2);
        long committed = log.commit(Durability.BUFFERED);
        Records.append(log, 1);
        log.roll();
        assertThat(log.committedPosition()).isEqualTo(committed);
        Records.append(log, 1);
        log.commit(Durability.FLUSHED);
        log.roll();
        log.commit(Durability.FLUSHED);
        assertThat(log.statistics().commits()).as("the last one has no record").isEqualTo(2);
        Records.append(log, 1);
        log.flush();
        try (Tailer tailer = log.tailer()) {
            boolean[] starts = {true, false, true, false, true};
            for (boolean start : starts) {
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.startsCommit()).isEqualTo(start);
            }
            assertThat(tailer.next()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldBeFollowedByATailer(ReadMode mode) {
        open();
        try (Tailer tailer = log.tailer(WriterKind.reader().readMode(mode).build())) {
            for (int i = 1; i <= 20; i++) {
                Records.append(log, 1);
                if (i % 3 == 0) {
                    log.flush();
                    assertThat(Records.readOn(tailer, i - 2)).isEqualTo(i + 1);
                }
                long next = log.roll();
                log.flush();
                if (i % 3 != 0) {
                    continue;
                }
                assertThat(tailer.next()).isFalse();
                tailer.toPosition(next);
                assertThat(tailer.next()).isFalse();
            }
            tailer.toSequence(7);
            assertThat(Records.readOn(tailer, 7)).isEqualTo(21);
        }
        assertThat(log.statistics().rolls()).isEqualTo(20);
    }

    /** Up to where it is synced is said of the seal, too. */
    @Test
    void shouldBeDurableWithTheNextSync() throws InterruptedException {
        open();
        Records.append(log, 3);
        long next = log.roll();
        assertThat(log.syncedPosition()).isLessThan(next);
        assertThat(log.await(next, Durability.SYNCED, Duration.ofMinutes(2))).isTrue();
        storage = DeadLog.cutPower(log, storage);
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.POWER_CUT);
        assertThat(log.lastSequence()).isEqualTo(3);
        assertThat(log.position()).isEqualTo(next);
        assertThat(log.roll()).isEqualTo(next);
        Records.append(log, 1);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(4);
    }

    @Test
    void shouldLoseNoMoreInAPowerCutThanWhatWasNotSynced() {
        open();
        Records.append(log, 3);
        log.sync();
        log.roll();
        Records.append(log, 3);
        storage = DeadLog.cutPower(log, storage);
        open();
        assertThat(log.lastSequence()).isBetween(3L, 6L);
        long last = log.lastSequence();
        Records.append(log, 3);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(last + 3);
    }

    /** The process was killed between the seal and the first record behind it. */
    @Test
    void shouldGoOnBehindASealThatAKilledWriterHasLeft() {
        open();
        Records.append(log, 3);
        long next = log.roll();
        log.flush();
        long last = log.lastPosition();
        storage = DeadLog.kill(log, storage);
        open();
        assertThat(log.recovery().start()).isEqualTo(Left.KILLED);
        assertThat(log.recovery().cut().bytes()).isZero();
        assertThat(log.position()).isEqualTo(next);
        assertThat(log.lastSequence()).isEqualTo(3);
        assertThat(log.lastPosition()).isEqualTo(last);
        Records.append(log, 1);
        log.flush();
        assertThat(log.lastPosition()).isEqualTo(next);
        assertThat(Records.readAll(log)).isEqualTo(4);
    }

    /** The segment is older than this life, and may have another length than those that follow. */
    @Test
    void shouldEndASegmentOfAnEarlierLife() {
        open();
        Records.append(log, 3);
        log.close();
        log = Log.open(kind.config().segmentLength(2 * LENGTH).build(), storage);
        assertThat(log.roll()).isEqualTo(SECOND);
        Records.append(log, 3);
        assertThat(log.roll()).isEqualTo(SECOND + 2 * LENGTH);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(6);
    }

    @Test
    void shouldRefuseIfTheDiskIsFullAndLoseNothing() {
        storage = new CrashableStorage().capacityBytes(2 * LENGTH);
        open();
        Records.append(log, 3);
        log.commit(Durability.SYNCED);
        long end = log.position();
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(LogFullException.class)
                    .isThrownBy(log::roll)
                    .withMessageContaining("No space left");
            assertThat(log.position()).isEqualTo(end);
        }
        storage.capacityBytes(20 * LENGTH);
        assertThat(log.roll()).isEqualTo(SECOND);
        Records.append(log, 3);
        log.flush();
        assertThat(Records.readAll(log)).isEqualTo(6);
    }

    /** As an append is. */
    @Test
    void shouldBeRefusedToOthersInAClaimAndAtTheEnd() {
        open();
        Records.append(log, 1);
        Throwable other =
                CompletableFuture.supplyAsync(() -> catchThrowable(log::roll)).join();
        assertThat(other).isInstanceOf(IllegalStateException.class).hasMessageContaining("is written by");
        Claim claim = log.claim(10);
        assertThatIllegalStateException().isThrownBy(log::roll).withMessageContaining("claim");
        claim.abort();
        assertThat(log.roll()).isEqualTo(SECOND);
        log.close();
        assertThatIllegalStateException().isThrownBy(log::roll).withMessageContaining("closed");
    }

    @Test
    void shouldThrowTheFirstCauseOfALogThatHasFailed() {
        open();
        Records.append(log, 1);
        storage.hook((number, what) -> {
            throw new IOException("injected");
        });
        LogIOException first = (LogIOException) catchThrowable(log::sync);
        assertThat(first).isNotNull();
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::roll).withMessageContaining("injected");
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
        log = null;
    }

    /** The last record tells the next number: its segment stays, until there is a record in the next one. */
    @Test
    void shouldGiveAQuietLogToRetention() {
        open();
        Records.append(log, 3);
        assertThat(log.planRetention(RetentionRule.keepAge(Duration.ZERO)).retired())
                .isEmpty();
        long next = log.roll();
        RetentionRule below = RetentionRule.below(next);
        assertThat(log.planRetention(below).retired()).isEmpty();
        Records.append(log, 1);
        assertThat(log.planRetention(below).retired()).hasSize(1);
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
        assertThat(storage.list()).doesNotContain(LogFileName.segment(0));
        assertThat(log.lastSequence()).isEqualTo(4);
    }

    /** Where a segment was deleted its bytes are in no file; one that is used again keeps those not yet overwritten. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldLeaveNothingOfRecordsInAFileThatIsDeleted(Retirement retirement) {
        open();
        byte[] secret = "what is known of a person".getBytes(StandardCharsets.ISO_8859_1);
        Records.append(log, 3);
        log.append(secret, 0, secret.length);
        Await.segmentsAhead(log, 2); // or more would be, as the roll would wait for one
        long next = log.roll();
        Records.append(log, 1);
        log.sync();
        Await.segmentsAhead(log, 2); // so that no thread makes or uses files while they are listed and read
        log.retire(log.planRetention(RetentionRule.below(next)), retirement);
        boolean isLeft = storage.list().stream()
                .map(name -> new String(storage.content(name), StandardCharsets.ISO_8859_1))
                .anyMatch(content -> content.contains("known of a person"));
        assertThat(isLeft).isEqualTo(retirement == Retirement.RECYCLE);
    }
}
