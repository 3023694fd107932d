package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.LogIOException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log where no log gets by being written: at the last positions that there are. */
@Timeout(60)
class LastPositionsTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final long LAST_BASE = LogFileName.BASE_LIMIT - LENGTH;

    private static CrashableStorage lastSegment() {
        CrashableStorage storage = new CrashableStorage();
        storage.replace(LogFileName.segment(LAST_BASE), LeftLog.emptySegment(LAST_BASE, 1));
        return storage;
    }

    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldKeepWhatFitsAndRefuseTheRest(WriterKind kind) {
        CrashableStorage storage = lastSegment();
        Log log = Log.open(kind.config().build(), storage);
        LogIOException refused = catchThrowableOfType(LogIOException.class, () -> Records.append(log, 2 * LENGTH));
        long last = log.lastSequence();
        log.commit(Durability.SYNCED);
        CrashableStorage left = storage.afterKill();
        DeadLog.end(log);

        assertThat(refused).hasMessageContaining("used up: position=" + LogFileName.BASE_LIMIT);
        assertThat(last).isPositive();
        try (Log again = Log.open(kind.config().build(), left)) {
            assertThat(again.lastSequence()).isEqualTo(last);
            assertThat(Records.readAll(again)).isEqualTo(last);
            assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> Records.append(again, LENGTH));
        }
    }
}
