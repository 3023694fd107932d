package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Await;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.util.Arrays;
import java.util.concurrent.Phaser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many segments the filler keeps ahead of the appender. */
class FillingAheadTest {

    private final CrashableStorage storage = new CrashableStorage();

    /** While it has a registered party beside the filler, no segment is made. */
    private final Phaser gate = new Phaser(1);

    private Log log;

    private void open() {
        log = Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    @AfterEach
    void close() {
        gate.forceTermination();
        log.close();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldKeepOneSegmentMoreAfterAStall() throws InterruptedException {
        open();
        Await.segmentsAhead(log, 2);
        storage.hook((number, what) -> {
            if (what.startsWith("create") && Thread.currentThread().getName().startsWith("persist-supply")) {
                gate.awaitAdvance(0);
            }
        });

        Thread appender = new Thread(() -> Records.appendUntilRolled(log, 3)); // two take what there is
        appender.start();
        Await.until("the appender waits for a segment, and is not only slowed down", () -> isStalled(appender));
        assertThat(log.statistics().stalls()).isZero();
        gate.arrive();
        appender.join();

        // Once there are segments again, the appender may come up to the filler a second time before the third roll.
        long stalls = log.statistics().stalls();
        assertThat(stalls).isPositive();
        Await.until("a segment more is ahead", () -> segmentsAhead() >= 3);
        assertThat(segmentsAhead()).isLessThanOrEqualTo(2 + stalls);
    }

    private long segmentsAhead() {
        return log.statistics().segmentsFilled() - log.statistics().rolls();
    }

    private static boolean isStalled(Thread appender) {
        return Arrays.stream(appender.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("stall"));
    }

    @Test
    void shouldKeepTwoWithoutAStall() {
        open();
        for (int rolls = 1; rolls <= 5; rolls++) {
            Await.segmentsAhead(log, 2);
            Records.appendUntilRolled(log, 1);
        }
        Await.segmentsAhead(log, 2);
        assertThat(log.statistics().stalls()).isZero();
    }
}
