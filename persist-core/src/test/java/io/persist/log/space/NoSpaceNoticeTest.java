package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogFullException;
import io.persist.event.Notices;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.HeardNotices;
import io.persist.support.HeardNotices.Notice;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Space is made before there is an append that could be refused, so a full disk is said before that, too. */
class NoSpaceNoticeTest {

    private static final int LENGTH = 4096;

    private final Queue<Notice> heard = new ConcurrentLinkedQueue<>();
    private final CrashableStorage storage = new CrashableStorage().capacityBytes(3 * LENGTH);

    private void writeToAFullDisk() {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(LENGTH).build();
        try (Log log = Log.open(config, storage)) {
            Records.append(log, 1);
            log.commit(Durability.SYNCED);
            awaitNotice(Level.WARNING, "log is full: cannot prepare the next segment: ");
            storage.capacityBytes(1 << 20);
            awaitNotice(Level.INFO, "the next segments are prepared again");
            appendForAWhile(log);
        }
    }

    private void awaitNotice(Level level, String text) {
        Await.filled(
                "it was said",
                () -> heard.stream()
                        .anyMatch(notice ->
                                notice.level() == level && notice.text().startsWith("log memory: " + text)));
    }

    /** Segments are being made when it is closed. */
    private static void appendForAWhile(Log log) {
        for (int i = 0; i < 100; i++) {
            try {
                Records.append(log, 1);
            } catch (LogFullException full) {
                return;
            }
        }
    }

    @Test
    void shouldSayThatTheDiskIsFullWithoutAnAppend() {
        HeardNotices.answering(
                notice -> {
                    if (notice.logger().equals(Notices.SPACE)) {
                        heard.add(notice);
                    }
                },
                this::writeToAFullDisk);
        assertThat(heard).noneMatch(notice -> notice.text().contains("closed"));
    }
}
