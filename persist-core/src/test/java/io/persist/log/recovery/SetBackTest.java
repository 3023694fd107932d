package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A volume that failed and was mounted again, or was restored, while the machine ran on: the boot is the same one, and
 * yet the segments and the control block are of any age, each for itself. What is synced is there, and nothing is
 * refused.
 */
@ParameterizedClass
@EnumSource(WriterKind.class)
class SetBackTest {

    private static final int SYNCED = 10;
    private static final int FLUSHED = 90;

    @Parameter
    WriterKind kind;

    private final CrashableStorage storage = new CrashableStorage();

    /** What is left of a log with synced records, and others over several segments that are flushed. */
    private CrashableStorage left(Loss loss) {
        Log log = Log.open(kind.config().build(), storage);
        Records.append(log, SYNCED);
        log.sync();
        Records.append(log, FLUSHED);
        log.commit(Durability.FLUSHED);
        byte[] control = storage.content(LogFileName.CONTROL);
        CrashableStorage left = storage.afterRemount(new Random(1), loss);
        DeadLog.end(log);
        left.replace(LogFileName.CONTROL, control);
        return left;
    }

    private static ControlBlock control(CrashableStorage storage) {
        byte[] bytes = storage.content(LogFileName.CONTROL);
        return new ControlBlock(
                ByteBuffer.allocateDirect(bytes.length).put(bytes).clear());
    }

    /** The control page was written back, and nothing else that was not synced: older builds called that damage. */
    @Test
    void shouldOpenALogOfWhichTheControlBlockKnowsMore() {
        CrashableStorage left = left(Loss.ALL_LOST);
        long flushed = control(left).flushed();
        boolean isAllSynced = control(left).synced() == flushed;
        try (Log log = Log.open(kind.config().build(), left)) {
            RecoveryReport report = log.recovery();
            assertThat(report.start()).isEqualTo(isAllSynced ? Left.KILLED : Left.SET_BACK);
            assertThat(log.lastSequence()).isEqualTo(isAllSynced ? SYNCED + FLUSHED : SYNCED);
            assertThat(report.kept().flushedPosition()).isEqualTo(flushed);
            assertThat(report.kept().missingBytes())
                    .isEqualTo(flushed - report.kept().goodPosition());
            if (!isAllSynced) {
                assertThat(report.describe()).startsWith("files are older than the control block: row ");
                assertThat(report.explain())
                        .contains("the volume was mounted anew or restored, or they were changed")
                        .contains(" Not here: " + report.kept().missingBytes()
                                + " bytes that had been flushed, up to position " + flushed + ", and not synced.");
            }
            Records.append(log, 5);
        }
        try (Log log = Log.open(kind.config().build(), left)) {
            assertThat(log.recovery().isUneventful()).isTrue();
            assertThat(Records.readAll(log)).isEqualTo(log.lastSequence());
        }
    }

    /** The hint is behind the hole: older builds went on there, and the hole stayed in the middle of the log. */
    @Test
    void shouldFindAHoleBeforeTheHint() {
        CrashableStorage left = left(Loss.ALL_KEPT);
        ControlBlock control = control(left);
        byte[] first = left.content(LogFileName.segment(0));
        int hole = (int) control.synced();
        if (hole >= first.length) {
            return; // with write-through all is synced
        }
        assertThat(control.hint()).isGreaterThan(hole);
        assertThat(control.syncedHint()).isBetween((long) SegmentHeader.LENGTH, hole - 1L);
        for (int i = 0; i < 300; i++) {
            first[hole + i] = 0;
        }
        left.replace(LogFileName.segment(0), first);
        try (Log log = Log.open(kind.config().build(), left)) {
            assertThat(log.recovery().reason().row()).isEqualTo("E");
            assertThat(log.recovery().start()).isEqualTo(Left.SET_BACK);
            assertThat(log.recovery().cut().setAside()).isNotEmpty();
            assertThat(log.lastSequence()).isEqualTo(SYNCED);
            Records.append(log, 5);
            log.sync();
            assertThat(Records.readAll(log)).isEqualTo(SYNCED + 5);
        }
        try (Log log = Log.open(kind.config().build(), left)) {
            assertThat(Records.readAll(log)).isEqualTo(SYNCED + 5);
        }
    }

    /** A moment of a log's life. */
    private record Moment(byte[] control, long forced, long synced, long last) {}

    /**
     * All ages of the control block since it was forced last, with segments that lost anything: open, closed, failed,
     * of this boot and of another one.
     */
    @Test
    void shouldOpenWhateverTheAgesOfSegmentsAndControlBlock() {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            List<Moment> moments = new ArrayList<>();
            CrashableStorage alive = new CrashableStorage();
            Log log = live(alive, random, moments);
            Moment now = moments.get(moments.size() - 1);
            for (Loss loss : Loss.values()) {
                for (Moment of : moments) {
                    boolean canBe = of.forced == now.forced;
                    boolean remounted = random.nextInt(4) > 0;
                    CrashableStorage left = remounted ? alive.afterRemount(random, loss) : alive.crash(random, loss);
                    left.replace(LogFileName.CONTROL, of.control);
                    check(left, now.synced, now.last, canBe, loss);
                }
            }
            DeadLog.end(log);
        });
    }

    /** Several lives; returns the log of the last one, which has flushed everything. */
    private Log live(CrashableStorage alive, Random random, List<Moment> moments) {
        long synced = 0;
        long forced = 0;
        Log log = null;
        for (int life = 0; life < 3; life++) {
            log = Log.open(kind.config().build(), alive);
            forced++;
            moments.add(moment(alive, forced, synced, log));
            for (int step = 0; step < 6; step++) {
                Records.append(log, 1 + random.nextInt(25));
                Durability level = Durability.values()[random.nextInt(3)];
                log.commit(level);
                synced = level == Durability.SYNCED ? log.lastSequence() : synced;
                moments.add(moment(alive, forced, synced, log));
            }
            if (life < 2) {
                log.close();
                synced = log.lastSequence();
                forced++;
                moments.add(moment(alive, forced, synced, log));
            }
        }
        log.flush();
        if (random.nextInt(3) == 0) {
            log.fail("test", new IllegalStateException("an error"));
        }
        moments.add(moment(alive, forced, synced, log));
        return log;
    }

    private static Moment moment(CrashableStorage alive, long forced, long synced, Log log) {
        return new Moment(alive.content(LogFileName.CONTROL), forced, synced, log.lastSequence());
    }

    /** One that was put there by hand may be refused, but nothing wrong is read. */
    private void check(CrashableStorage left, long synced, long end, boolean canBe, Loss loss) {
        long last;
        try (Log log = Log.open(kind.config().build(), left)) {
            last = log.lastSequence();
            assertThat(last).isLessThanOrEqualTo(end);
            assertThat(last)
                    .as("the last record, %s", log.recovery().describe())
                    .isGreaterThanOrEqualTo(synced);
            assertThat(Records.readAll(log)).isEqualTo(last);
            if (loss == Loss.ALL_KEPT) {
                assertThat(last).isEqualTo(end);
            }
            Records.append(log, 3);
        } catch (PersistException refused) {
            if (canBe || loss == Loss.ALL_KEPT) {
                throw refused;
            }
            return;
        }
        try (Log log = Log.open(kind.config().build(), left)) {
            assertThat(log.recovery().isUneventful()).isTrue();
            assertThat(Records.readAll(log)).isEqualTo(last + 3);
        }
    }
}
