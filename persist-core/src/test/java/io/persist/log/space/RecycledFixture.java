package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogFixture;
import io.persist.log.segment.LogFiles;
import io.persist.support.Await;
import io.persist.support.Records;
import java.io.IOException;

/** A log whose end is in a file that was used before. */
abstract class RecycledFixture extends LogFixture {

    /** Of several pages: the first one is zeroed when the file is used again. */
    static final int LENGTH = 16 << 10;

    static final int PAGE = 4 << 10;

    LogConfig config() {
        return kind.config().segmentLength(LENGTH).build();
    }

    /** Goes on until the log is in a recycled file, of which a part is written. */
    void goOnInARecycledFile(int recordsInIt) throws IOException {
        for (int i = 0; !isReused(log.lastPosition() / LENGTH * LENGTH); i++) {
            assertThat(i).as("segments, none in a recycled file").isLessThan(20);
            Await.segmentsAhead(log, 2);
            Records.appendUntilRolled(log, 1);
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
        }
        Records.append(log, recordsInIt);
    }

    boolean isReused(long base) throws IOException {
        return LogFiles.header(storage, base).isReused();
    }

    void openInARecycledFile(int recordsInIt) throws IOException {
        log = Log.open(config(), storage);
        goOnInARecycledFile(recordsInIt);
    }
}
