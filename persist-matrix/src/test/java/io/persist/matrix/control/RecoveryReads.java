package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.List;
import java.util.Random;

/** However long a log is, recovery checks the records of two segments at most, and none of a log that was closed. */
public final class RecoveryReads implements Exercise {

    private static final int LENGTH = 100;
    private static final int RECORDS_PER_SEGMENT = 31;

    @Override
    public Row row() {
        return Row.RECOVERY_WORK;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attachedMessages();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        CrashableStorage storage = new CrashableStorage();
        MessageLogger logger = SameLength.open(subject, storage);
        for (int segment = 0; segment < 8; segment++) {
            SameLength.append(logger, 'a', RECORDS_PER_SEGMENT, LENGTH);
            logger.sync();
        }
        CrashableStorage cut = storage.crash(new Random(0), Loss.ALL_LOST);
        SameLength.leave(storage, logger);
        assertThat(checked(subject, cut)).as("after a power cut").isLessThanOrEqualTo(2 * RECORDS_PER_SEGMENT);
        assertThat(checked(subject, cut)).as("after a close").isZero();
        effort.tried(2);
    }

    /** How many records an opening has checked; then the log is closed. */
    private static long checked(Subject subject, CrashableStorage storage) {
        try (MessageLogger logger = SameLength.open(subject, storage)) {
            return logger.recovery().checked().records();
        }
    }
}
