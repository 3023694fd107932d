package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.event.OpeningProgress;
import io.persist.event.ProgressTime;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.Prefill;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.HeardNotices;
import io.persist.support.HeardNotices.Notice;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is said while a log is recovered, where each look at the clock finds that a second has gone by. */
class SlowOpeningTest {

    private static final int MIB = 1 << 20;
    private static final int RECORD_LENGTH = 1000;
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(32 * MIB).build();

    private static final Pattern FAR = Pattern.compile(", ([0-9]+) of at most ([0-9]+) MiB$");

    private CrashableStorage storage = new CrashableStorage();

    /** What is said when the log is opened, without slow syncs. */
    private static List<Notice> heard(LogConfig config, Storage storage) {
        return HeardNotices.during("memory", () -> {
                    OpeningProgress progress = new ProgressTime().passing(1000).of("log memory");
                    new LogOpener(config, LogContent.MESSAGES, storage, () -> {}, progress)
                            .open(Log::new)
                            .close();
                })
                .stream()
                .filter(notice -> notice.logger().equals("io.persist.open"))
                .toList();
    }

    /** Of what is said of this work, how far it was each time. */
    private static List<Integer> far(List<Notice> heard, String work, int all) {
        return heard.stream()
                .filter(notice -> notice.text().startsWith("log memory: still opening after ")
                        && notice.text().contains(" s: " + work + ", "))
                .map(notice -> {
                    assertThat(notice.level()).isEqualTo(Level.INFO);
                    Matcher far = FAR.matcher(notice.text());
                    assertThat(far.find()).as(notice.text()).isTrue();
                    assertThat(Integer.parseInt(far.group(2))).isEqualTo(all);
                    return Integer.parseInt(far.group(1));
                })
                .toList();
    }

    /** Appends so many MiB of records that no sync has seen. */
    private static void append(Log log, int mib) {
        while (log.position() < (long) mib * MIB) {
            byte[] record = Records.of(log.lastSequence() + 1, RECORD_LENGTH);
            log.append(record, 0, record.length);
        }
        log.flush();
    }

    private void kill(int mib) {
        Log log = Log.open(CONFIG, storage);
        append(log, mib);
        storage = DeadLog.ofNobody(DeadLog.kill(log, storage));
    }

    @Test
    void shouldSayHowFarTheScanIs() {
        kill(14);
        long segments = storage.list().stream()
                .filter(name -> LogFileName.basePosition(name).isPresent())
                .count(); // some are prepared
        int all = (int) segments * 32 - 1; // without the header of the first
        List<Notice> heard = heard(CONFIG, storage);
        assertThat(far(heard, "scanning the log", all)).containsExactly(2, 12);
        assertThat(heard.get(heard.size() - 1).text())
                .startsWith("log memory: writer was killed: ")
                .contains(", by Persist ");
    }

    /** The end of the log is sought in all that follows. */
    @Test
    void shouldSayHowFarItIsInSegmentsBehindTheEnd() {
        LogConfig shorter =
                LogConfig.builder(Path.of("memory")).segmentLength(2 * MIB).build();
        Log log = Log.open(shorter, storage);
        append(log, 1);
        Await.segmentsAhead(log, 2);
        storage = DeadLog.ofNobody(DeadLog.kill(log, storage));
        assertThat(far(heard(shorter, storage), "scanning the log", 5)).containsExactly(3);
    }

    @Test
    void shouldSayHowFarItIsWithWhatItCuts() {
        Log log = Log.open(CONFIG, storage);
        append(log, 1);
        int end = (int) log.position();
        storage = DeadLog.ofNobody(DeadLog.kill(log, storage));
        byte[] torn = storage.content(LogFileName.segment(0));
        torn[end + 16] = 1; // stored and not published
        torn[end + 14 * MIB + 16] = 1;
        storage.replace(LogFileName.segment(0), torn);
        List<Notice> heard = heard(CONFIG, storage);
        assertThat(far(heard, "copying what is cut off into a file aside", 14)).containsExactly(2, 12);
        assertThat(far(heard, "zeroing what was cut off", 14)).containsExactly(2, 12);
        assertThat(heard.get(heard.size() - 1).level()).isEqualTo(Level.WARNING);
    }

    @Test
    void shouldSayHowFarItIsWithWritingAgain() throws IOException {
        kill(14);
        storage.delete(LogFileName.CONTROL);
        assertThat(far(heard(CONFIG, storage), "writing the last records again", 14))
                .containsExactly(2, 12);
    }

    @Test
    void shouldSayHowFarItIsWithFilling() {
        LogConfig filled = LogConfig.builder(Path.of("memory"))
                .segmentLength(MIB)
                .initialLength(14 * MIB)
                .prefill(Prefill.BEFORE_OPEN)
                .build();
        assertThat(far(heard(filled, storage), "filling space ahead", 13)).containsExactly(2, 12);
    }

    @Test
    void shouldSayNothingMoreOfAShortOne() {
        Log.open(CONFIG, storage).close();
        assertThat(heard(CONFIG, storage)).extracting(Notice::level).containsExactly(Level.DEBUG);
    }
}
