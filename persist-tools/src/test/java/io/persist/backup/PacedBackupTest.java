package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.backup.BackupOptions.Reading;
import io.persist.file.Storage;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolLog;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a run and a verification read and write is told to a pace, which may wait. */
class PacedBackupTest {

    private static final int SEGMENTS = 100;
    private static final long LENGTH = SEGMENTS * (long) ToolLog.SEGMENT_LENGTH;

    private enum Kind {
        DIRECTORY(Backup::directory),
        ZIP(storage -> Backup.zip(storage, "b.zip"));

        private final Function<Storage, Backup> at;

        Kind(Function<Storage, Backup> at) {
            this.at = at;
        }
    }

    private final CrashableStorage log = new CrashableStorage();
    private final AtomicLong spent = new AtomicLong();
    private final BackupOptions counting = new BackupOptions(Reading.ENDS, null, base -> {}, () -> spent::addAndGet);

    /** What is read of the log, what is written, and what is read back; of a zip file the packed bytes. */
    @ParameterizedTest
    @EnumSource
    void shouldTellWhatItDoes(Kind kind) {
        ToolLog.closedBehind(log, LENGTH);
        Backup backup = kind.at.apply(new CrashableStorage()).with(counting);
        backup.take(log, log);
        assertThat(spent.get()).isBetween(kind == Kind.ZIP ? LENGTH : 3 * LENGTH * 9 / 10, 4 * LENGTH);
        spent.set(0);
        backup.verify();
        assertThat(spent.get()).isPositive().isLessThan(2 * LENGTH);
        if (kind == Kind.DIRECTORY) {
            assertThat(spent.get()).isGreaterThanOrEqualTo(LENGTH);
            spent.set(0);
            backup.take(log, log);
            assertThat(spent.get()).isPositive().isLessThan(LENGTH / 4);
            backup.with(counting.with(Reading.ALL)).take(log, log);
            assertThat(spent.get()).isGreaterThanOrEqualTo(LENGTH);
        }
    }

    @Test
    void shouldRefuseARateThatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BackupOptions.DEFAULT.bytesPerSecond(50))
                .withMessageStartingWith("bytesPerSecond=50, min=1048576");
    }
}
