package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
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
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A power cut leaves the begin of a record in a recycled file, and takes what was before it and the rest of it. By what
 * is written later the rest comes to be there.
 */
@ParameterizedClass
@EnumSource(
        value = WriterKind.class,
        names = {"MAPPED", "FILE_RW"})
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

    /** The disk after a power cut: behind the synced records there is only the first page of the last one. */
    private CrashableStorage cut(CrashableStorage left, byte[] written) {
        byte[] bytes = left.content(name);
        int record = (tail / PAGE + 1) * PAGE;
        Arrays.fill(bytes, tail, LENGTH, EARLIER);
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
        storage = cut(storage.crash(new Random(1), Loss.ALL_LOST), storage.content(name));

        Log before = log;
        log = Log.open(config(), storage);
        DeadLog.end(before);
        assertThat(log.lastSequence()).isEqualTo(synced);
        assertThat(log.recovery().reason().row()).isEqualTo("B");
        log.append(ByteBuffer.wrap(next));
        log.sync();
        CrashableStorage left = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        byte[] bytes = left.content(name);
        int secondPage = (tail / PAGE + 2) * PAGE;
        Arrays.fill(bytes, secondPage, secondPage + PAGE, (byte) 0); // of the zeros ahead only these were written
        left.replace(name, bytes);

        log = Log.open(config(), left);
        assertThat(log.lastSequence()).isEqualTo(synced + 1);
    }

    /** Zeros in its first page do not say that nothing is behind them. */
    @Test
    void shouldNotUseSegmentsAheadThatWereUsedBefore() throws IOException {
        openInARecycledFile(5);
        Records.appendUntilRolled(log, 1);
        log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.RECYCLE);
        Records.appendUntilRolled(log, 1);
        Await.segmentsAhead(log, 2);
        log.sync();
        long end = log.lastPosition();
        storage = storage.crash(new Random(1), Loss.ALL_KEPT);
        DeadLog.end(log);
        Map<Long, Long> ahead = salts(end);
        assertThat(ahead).as("recycled segments ahead").isNotEmpty();
        log = Log.open(config(), storage);
        assertThat(log.recovery().start()).isEqualTo(Left.POWER_CUT);
        assertThat(salts(end).entrySet()).doesNotContainAnyElementsOf(ahead.entrySet());
    }

    /** Of the recycled segments behind {@code end}, by their first positions. */
    private Map<Long, Long> salts(long end) throws IOException {
        Map<Long, Long> salts = new HashMap<>();
        for (SegmentHeader header : LogFiles.headers(storage)) {
            if (header.isReused() && header.basePosition() > end) {
                salts.put(header.basePosition(), header.salt());
            }
        }
        return salts;
    }
}
