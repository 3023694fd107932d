package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.MessageLogger;
import io.persist.error.CorruptLogException;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.List;
import java.util.Random;

/** A bit of a record that was synced has flipped. The log is refused, and what is left of it stays as it is. */
public final class DamagedRecord implements Exercise {

    private static final int LENGTH = 100;

    @Override
    public Row row() {
        return Row.BIT_FLIP;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attachedMessages();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        CrashableStorage storage = new CrashableStorage();
        MessageLogger logger = SameLength.open(subject, storage);
        SameLength.append(logger, 'a', 10, LENGTH);
        logger.sync();
        int end = (int) logger.position();
        SameLength.append(logger, 'b', 1, LENGTH); // which tells that those before it were synced
        logger.sync();
        for (int at = 64; at < end; at += 24) {
            CrashableStorage cut = storage.crash(new Random(0), Loss.ALL_LOST);
            byte[] damaged = cut.content(SameLength.FIRST);
            damaged[at] ^= 1;
            cut.replace(SameLength.FIRST, damaged);
            assertThatThrownBy(() -> SameLength.lives(subject, cut))
                    .as("an opening after byte %d was damaged", at)
                    .isInstanceOf(CorruptLogException.class);
            assertThat(cut.content(SameLength.FIRST)).as("the damaged segment").isEqualTo(damaged);
            effort.tried(1);
        }
        SameLength.leave(storage, logger);
    }
}
