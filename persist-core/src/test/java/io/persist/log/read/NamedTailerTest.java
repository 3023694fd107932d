package io.persist.log.read;

import static io.persist.log.read.BillingCursor.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogLockedException;
import io.persist.error.RetiredException;
import io.persist.format.LogFileName;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.read.BillingCursor.From;
import io.persist.log.segment.LogFiles;
import io.persist.support.Records;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tailer with a name goes on where it stored last, wherever in the log that is. */
@ParameterizedClass
@MappedAndFile
class NamedTailerTest extends NamedTailerFixture {

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldGoOnWhereItStored(From from) {
        open();
        Records.append(log, 10);
        log.flush();
        try (Tailer tailer = tailer(from)) {
            assertThat(tailer.nextPosition()).isEqualTo(64);
            assertThat(tailer.next() && tailer.next() && tailer.next()).isTrue();
            assertThat(tailer.store()).isEqualTo(tailer.nextPosition());
            assertThat(stored().position()).isEqualTo(tailer.nextPosition());
            assertThat(stored().sequence()).isEqualTo(4);
            assertThat(tailer.next()).as("read, but not stored").isTrue();
        }
        log.close();
        open();
        try (Tailer tailer = tailer(from)) {
            assertThat(Records.readOn(tailer, 4)).isEqualTo(11);
            tailer.store();
        }
        try (Tailer tailer = tailer(from)) {
            assertThat(tailer.next()).isFalse();
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, 11)).isEqualTo(12);
        }
    }

    @Test
    void shouldNotStoreTheRecordWhoseHandlerThrewAsRead() {
        open();
        Records.append(log, 10);
        log.flush();
        try (Tailer tailer = tailer()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> tailer.poll(
                            (position, sequence, payload) -> {
                                if (sequence == 4) {
                                    throw new IllegalStateException("handler");
                                }
                            },
                            10))
                    .withMessage("handler");
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(4);
        }
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 4)).isEqualTo(11);
        }
    }

    @Test
    void shouldNotBeMovedByWhatIsReadOnly() {
        open();
        Records.append(log, 5);
        log.flush();
        for (int i = 0; i < 3; i++) {
            try (Tailer tailer = tailer()) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(6);
            }
        }
    }

    /** The cursor stands, in turn, at every place there is: also before and behind each seal. */
    @ParameterizedTest
    @EnumSource(From.class)
    void shouldGoOnAtEveryPlaceOfTheLog(From from) {
        open();
        long next = 1;
        while (log.position() < 3 * LENGTH) {
            Records.append(log);
            log.flush();
            try (Tailer tailer = tailer(from)) {
                next = Records.readOn(tailer, next);
                tailer.store();
            }
            assertThat(next).isEqualTo(log.lastSequence() + 1);
            if (next % 5 == 0) {
                log.close();
                open();
            }
        }
    }

    @Test
    void shouldGoOnBehindASealBeforeTheNextSegmentHasARecord() throws IOException {
        open();
        Records.appendUntilRolled(log, 1);
        log.close();
        // The same log, as if the roll had just been done: its last segment is the first one, and a prepared one.
        byte[] second = storage.content(LogFileName.segment(LENGTH));
        Arrays.fill(second, 64, second.length, (byte) 0);
        storage.replace(LogFileName.segment(LENGTH), second);
        storage.delete(LogFileName.CONTROL);
        storage.syncDirectory();
        long next;
        try (Tailer tailer = tailer()) {
            next = Records.readOn(tailer, 1);
            assertThat(tailer.nextPosition()).isEqualTo(LENGTH + 64);
            tailer.store();
        }
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isFalse();
            assertThat(tailer.nextPosition()).isEqualTo(LENGTH + 64);
        }
        for (long base : LogFiles.basePositions(storage).tailSet(1L)) {
            storage.delete(LogFileName.segment(base));
        }
        storage.syncDirectory();
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).as("the next segment is not there yet").isFalse();
            tailer.toRecord(LENGTH + 64, next);
            assertThat(tailer.store()).isEqualTo(LENGTH + 64);
            open();
            assertThat(log.lastSequence()).isEqualTo(next - 1);
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, next)).isEqualTo(next + 1);
        }
    }

    @Test
    void shouldWaitForALogThatIsNotThereYet() {
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isFalse();
            tailer.store();
            assertThat(stored().logId()).isZero();
        }
        try (Tailer tailer = tailer()) {
            open();
            Records.append(log, 3);
            log.flush();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            tailer.store();
            assertThat(stored().logId()).isNotZero();
        }
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldBeginAtTheOldestRecordThatIsLeft() {
        open();
        Records.appendUntilRolled(log, 3);
        log.retire(log.planRetention(RetentionRule.below(2 * LENGTH)), Retirement.DELETE);
        log.flush();
        try (Tailer tailer = tailer()) {
            assertThat(tailer.nextPosition()).isEqualTo(2 * LENGTH + 64);
            long first = stored().sequence();
            assertThat(first).isGreaterThan(2);
            assertThat(Records.readOn(tailer, first)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @Test
    void shouldGoBackAndForth() {
        open();
        Records.appendUntilRolled(log, 2);
        log.flush();
        try (Tailer tailer = tailer()) {
            long next = Records.readOn(tailer, 1);
            tailer.store();
            tailer.toSequence(7);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(7);
            tailer.toStart();
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(1);
            tailer.toEnd();
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(next);
            tailer.toSequence(9);
            tailer.next();
            long position = tailer.position();
            tailer.toEnd();
            tailer.toPosition(position);
            tailer.store();
            assertThat(stored().sequence())
                    .as("found out where nothing was read")
                    .isEqualTo(9);
        }
    }

    @Test
    void shouldNotGoBackToWhatIsGone() {
        open();
        Records.appendUntilRolled(log, 3);
        log.flush();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            tailer.store();
            tailer.toSequence(2);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(tailer::store)
                    .withMessageContaining("first=" + (LENGTH + 64));
            assertThat(stored().position()).isGreaterThan(3 * LENGTH);
            tailer.toStart();
            assertThat(tailer.store()).isEqualTo(LENGTH + 64);
        }
    }

    @Test
    void shouldRefuseToStoreWithoutAName() {
        open();
        try (Tailer tailer = log.tailer()) {
            Throwable thrown = catchThrowable(tailer::store);
            assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("has no name");
        }
        Tailer closed = log.tailer(NAME);
        closed.close();
        assertThat(catchThrowable(closed::store)).isInstanceOf(IllegalStateException.class);
        assertThat(catchThrowable(() -> log.tailer("a/b"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHaveOneTailerOfEachName() {
        open();
        try (Tailer tailer = tailer();
                Tailer other = Tailer.open(storage, "audit", TailerConfig.defaults())) {
            assertThat(tailer.nextPosition()).isEqualTo(other.nextPosition());
            for (From from : From.values()) {
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> tailer(from))
                        .withMessageContaining("cursor is in use: name=billing")
                        .withMessageContaining("pid=" + ProcessHandle.current().pid());
            }
        }
        tailer().close();
    }
}
