package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.segment.LogFiles;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A power cut, or a volume that fails, leaves the begin of a record in a recycled file, and takes what was before it
 * and the rest of it. By what is written later the rest comes to be there.
 */
@ParameterizedClass
@MappedAndFile
class TornRecycledTest extends RecycledFixture {

    private static final byte EARLIER = 0x77;

    private String name;
    private int tail;

    /** Ends the page with a record, and has another one behind it, whose second page is zeros. */
    private byte[] appendTwo(byte first) {
        int pageEnd = (tail / PAGE + 1) * PAGE;
        byte[] toPageEnd = new byte[pageEnd - tail - Frame.HEADER_LENGTH];
        Arrays.fill(toPageEnd, first);
        log.append(ByteBuffer.wrap(toPageEnd));
        byte[] twoPages = new byte[2 * PAGE - Frame.HEADER_LENGTH];
        Arrays.fill(twoPages, 0, PAGE - Frame.HEADER_LENGTH, (byte) 1);
        log.append(ByteBuffer.wrap(twoPages));
        log.flush();
        return toPageEnd;
    }

    /** The disk afterwards: behind the synced records there is only the first page of the last one. */
    private CrashableStorage cut(CrashableStorage left, byte[] written, int earlier) {
        byte[] bytes = left.content(name);
        int record = (tail / PAGE + 1) * PAGE;
        Arrays.fill(bytes, earlier, LENGTH, EARLIER);
        System.arraycopy(written, record, bytes, record, PAGE);
        left.replace(name, bytes);
        return left;
    }

    @Test
    void shouldNotBecomeARecordLater() throws IOException {
        openInARecycledFile(5);
        log.sync();
        long synced = log.lastSequence();
        tail = (int) (log.position() % LENGTH);
        name = LogFileName.segment(log.lastPosition() / LENGTH * LENGTH);
        byte[] next = appendTwo((byte) 2);
        storage = cut(storage.crash(new Random(1), Loss.ALL_LOST), storage.content(name), tail);

        Log before = log;
        log = Log.open(config(), storage);
        DeadLog.end(before);
        assertThat(log.lastSequence()).isEqualTo(synced);
        assertThat(log.recovery().reason().row()).isEqualTo("B");
        log.append(ByteBuffer.wrap(next));
        log.sync();
        openAfterOneMorePowerCut();
        assertThat(log.lastSequence()).isEqualTo(synced + 1);
    }

    /** It has taken all that was not synced, but for the second page of the last record: there zeros were written. */
    private void openAfterOneMorePowerCut() {
        CrashableStorage left = DeadLog.cutPower(log, storage);
        byte[] bytes = left.content(name);
        int secondPage = (tail / PAGE + 2) * PAGE;
        Arrays.fill(bytes, secondPage, secondPage + PAGE, (byte) 0);
        left.replace(name, bytes);
        log = Log.open(config(), left);
    }

    /**
     * In a segment that was prepared, whose first page is zeros. If the volume fails and is mounted anew, nothing but
     * that page says so.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotBecomeARecordInASegmentAhead(boolean isSameBoot) throws IOException {
        prepareASegmentAhead();
        long synced = log.lastSequence();
        Records.appendUntilRolled(log, 1);
        long rolled = log.lastSequence();
        long base = log.lastPosition() / LENGTH * LENGTH;
        assertThat(isReused(base)).as("goes on in a recycled file").isTrue();
        tail = (int) (log.position() % LENGTH);
        name = LogFileName.segment(base);
        byte[] next = appendTwo((byte) 2);
        CrashableStorage left = isSameBoot
                ? storage.afterRemount(new Random(1), Loss.ALL_LOST)
                : storage.crash(new Random(1), Loss.ALL_LOST);
        storage = cut(left, storage.content(name), PAGE);

        DeadLog.end(log);
        log = Log.open(config(), storage);
        assertThat(log.recovery().start()).isEqualTo(isSameBoot ? Left.KILLED : Left.POWER_CUT);
        assertThat(log.lastSequence()).isEqualTo(synced);
        assertThat(log.recovery().reason().row()).isEqualTo("B");
        assertThat(log.recovery().cut().bytes()).isEqualTo(PAGE + Frame.HEADER_LENGTH - SegmentHeader.LENGTH);
        assertThat(log.recovery().cut().setAside()).anyMatch(aside -> aside.startsWith(name));
        Records.appendUntilRolled(log, 1);
        assertThat(log.lastSequence()).isEqualTo(rolled);
        log.append(ByteBuffer.wrap(next));
        log.sync();
        openAfterOneMorePowerCut();
        assertThat(log.lastSequence()).isEqualTo(rolled + 1);
    }

    /** Without a part of a record in them nothing speaks against it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldUseSegmentsAheadThatWereUsedBefore(boolean isKilled) throws IOException {
        prepareASegmentAhead();
        long end = log.lastPosition();
        storage = isKilled ? DeadLog.kill(log, storage) : DeadLog.cutPower(log, storage);
        Map<Long, Long> ahead = salts(storage, end);
        assertThat(ahead).as("recycled segments ahead").isNotEmpty();
        log = Log.open(config(), storage);
        assertThat(log.recovery().start()).isEqualTo(isKilled ? Left.KILLED : Left.POWER_CUT);
        assertThat(log.recovery().reason().row()).isEqualTo("A");
        assertThat(salts(storage, end)).containsAllEntriesOf(ahead);
    }

    /** Goes on until the next segment is prepared in a recycled file; all that there is then is synced. */
    private void prepareASegmentAhead() throws IOException {
        openInARecycledFile(5);
        boolean isReady = false;
        for (int i = 0; !isReady; i++) {
            assertThat(i).as("segments, and the next one in no recycled file").isLessThan(20);
            Records.appendUntilRolled(log, 1);
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
            Await.filled(
                    "a segment is ahead",
                    () -> log.statistics().segmentsFilled() > log.statistics().rolls());
            isReady = isReused(log.lastPosition() / LENGTH * LENGTH + LENGTH);
        }
        log.sync();
    }

    /** Of the recycled segments behind {@code end}, by their first positions. */
    private static Map<Long, Long> salts(CrashableStorage storage, long end) throws IOException {
        Map<Long, Long> salts = new HashMap<>();
        for (SegmentHeader header : LogFiles.headers(storage)) {
            if (header.isReused() && header.basePosition() > end) {
                salts.put(header.basePosition(), header.salt());
            }
        }
        return salts;
    }
}
