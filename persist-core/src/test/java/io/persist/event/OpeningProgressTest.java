package io.persist.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.event.Notices.Found;
import io.persist.event.OpeningProgress.Step;
import io.persist.support.Docs;
import io.persist.support.HeardNotices;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpeningProgressTest {

    private static final long MIB = 1 << 20;

    private final ProgressTime time = new ProgressTime();
    private final OpeningProgress progress = time.of("log memory");

    private static List<String> heard(Runnable action) {
        return HeardNotices.during("memory", action).stream()
                .map(notice -> notice.logger() + " " + notice.level() + " " + notice.text())
                .toList();
    }

    private static String info(String text) {
        return "io.persist.open INFO log memory: still opening after " + text;
    }

    private List<String> at(long mib) {
        return heard(() -> progress.at(mib * MIB));
    }

    @Test
    void shouldSayHowFarItIs_AfterTwoSecondsAndThenEachTen() {
        progress.begin(Step.SCAN, 3 * MIB, 1003 * MIB);
        time.pass(1999);
        assertThat(at(13)).isEmpty();
        time.pass(1);
        assertThat(at(103)).containsExactly(info("2 s: scanning the log, 100 of at most 1000 MiB"));
        time.pass(9999);
        assertThat(at(203)).isEmpty();
        time.pass(1);
        assertThat(at(303)).containsExactly(info("12 s: scanning the log, 300 of at most 1000 MiB"));
        assertThat(at(403)).isEmpty();
    }

    @Test
    void shouldLookAtTheClockOnceInAMiB() {
        progress.begin(Step.REPLAY, 0, 10 * MIB);
        int before = time.looks();
        for (long position = 0; position < 10 * MIB; position += 128) {
            progress.at(position);
        }
        assertThat(time.looks() - before).isEqualTo(9);
    }

    @Test
    void shouldNotSayStepsOfWhichEachIsShort() {
        for (Step step : Step.values()) {
            progress.begin(step, 0, MIB);
            time.pass(999);
            assertThat(at(1)).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsDoneWithinAStep() {
        progress.begin(Step.REPLAY, 0, 5 * MIB);
        time.pass(2000);
        assertThat(heard(() -> progress.within(Step.SETTLE, 300, 700)))
                .containsExactly(info("2 s: bringing changes into the index, 300 of 700"));
        assertThat(heard(() -> progress.within(Step.SETTLE, 400, 700))).isEmpty();
        time.pass(10_000);
        assertThat(at(4)).as("it goes on").containsExactly(info("12 s: replaying the log, 4 of at most 5 MiB"));
    }

    @Test
    void shouldSayAWait_AfterASecondAndThenEachThirty() {
        progress.begin(Step.WAIT, 0, 0);
        time.pass(999);
        assertThat(heard(() -> progress.waits(() -> "for it"))).isEmpty();
        time.pass(1);
        assertThat(heard(() -> progress.waits(() -> "for it"))).containsExactly(info("1 s: waiting for it"));
        time.pass(29_999);
        assertThat(heard(() -> progress.waits(() -> "for it"))).isEmpty();
        time.pass(1);
        assertThat(heard(() -> progress.waits(() -> "for it"))).containsExactly(info("31 s: waiting for it"));
    }

    private List<String> opened(Found found) {
        return heard(() -> progress.opened(found, "1.2.3", () -> "report"));
    }

    @Test
    void shouldSayTheVersion() {
        String text = " log memory: report, by Persist 1.2.3";
        assertThat(opened(Found.AS_EXPECTED)).containsExactly("io.persist.open DEBUG" + text);
        assertThat(opened(Found.INTERRUPTED)).containsExactly("io.persist.open INFO" + text);
        assertThat(opened(Found.WITH_LOSSES)).containsExactly("io.persist.open WARNING" + text);
    }

    /** Else nobody would know whether what was said is over. */
    @Test
    void shouldSayTheEndOfWhatWasSaid() {
        progress.begin(Step.SCAN, 0, MIB);
        time.pass(2000);
        progress.at(MIB);
        String text = " log memory: report, by Persist 1.2.3";
        assertThat(opened(Found.AS_EXPECTED)).containsExactly("io.persist.open INFO" + text);
        assertThat(opened(Found.WITH_LOSSES)).containsExactly("io.persist.open WARNING" + text);
    }

    @Test
    void shouldSayNothingOfWhatIsNoOpening() {
        int[] said = {0};
        HeardNotices.answering(notice -> said[0]++, () -> {
            OpeningProgress unsaid = time.of("");
            unsaid.begin(Step.SCAN, 0, MIB);
            time.pass(2000);
            unsaid.at(MIB);
            unsaid.opened(Found.WITH_LOSSES, "1.2.3", () -> "report");
        });
        assertThat(said[0]).isZero();
    }

    /** operations.md has each step. */
    @Test
    void shouldBeDocumented() {
        List<String> said = Docs.table("docs/operations.md", "openings").stream()
                .map(row -> row.get(0))
                .toList();
        for (Step step : Step.values()) {
            progress.begin(step, 0, MIB);
            time.pass(2000);
            String text = at(1).get(0);
            String what = text.substring(text.indexOf(" s: ") + 4, text.lastIndexOf(", "));
            assertThat(said).as(what).anyMatch(row -> row.contains(what));
        }
    }

    /** It is asked no more often than one that works. */
    @Test
    void shouldNotMindABrokenLogging() {
        int[] asked = {0};
        HeardNotices.answering(
                notice -> {
                    asked[0]++;
                    throw new IllegalStateException("broken");
                },
                () -> {
                    progress.begin(Step.SCAN, 0, 100 * MIB);
                    time.pass(2000);
                    progress.at(10 * MIB);
                    progress.at(20 * MIB);
                    time.pass(10_000);
                    progress.at(30 * MIB);
                });
        assertThat(asked[0]).isEqualTo(2);
    }
}
