package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.retention.LogRetention;
import io.persist.log.segment.LogFiles;
import io.persist.support.CopiedFiles;
import io.persist.support.NewerSegments;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A log that a later version has written with a flag in its headers, which says that nobody may change the log without
 * knowing it: this version reads it, and does not change it. It goes by the newest header.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class WriteFlagsTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final String FIRST = LogFileName.segment(0);

    @Parameter
    boolean isClosed;

    private LeftLog left;
    private CrashableStorage storage;

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    /** The segments from the one at {@code base} on have the flag. */
    private void write(long base, int flag) throws IOException {
        left = isClosed ? LeftLog.closed() : LeftLog.killed();
        storage = left.storage();
        for (long newer : LogFiles.basePositions(storage).tailSet(base)) {
            NewerSegments.flag(storage, newer, flag);
        }
    }

    private void damage() {
        LeftLog.change(storage, FIRST, SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1);
    }

    private Log open() {
        return Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    private long read() {
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            return Records.readAll(tailer);
        }
    }

    private void assertNotChanged(ThrowingCallable call) {
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(call)
                .withMessageContaining("this version of Persist may read the log and not change it: flags=")
                .withMessageEndingWith("; write it with " + NewerSegments.VERSION.orLater())
                .matches(e -> e.isNewer() && LogFileName.basePosition(e.file()).isPresent());
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 24, 1 << 31})
    void shouldOnlyBeRead(int flag) throws IOException {
        write(2L * LENGTH, flag);
        assertThat(read()).isEqualTo(left.lastSequence());
        for (Start start : Start.values()) {
            ScanFindings found = new LogInspector(storage).inspect(start).findings();
            assertThat(found.row().decision()).isNotEqualTo(Decision.CORRUPT);
            assertThat(found.lastSequence()).isEqualTo(left.lastSequence());
        }
        RetentionRule rule = RetentionRule.below(2L * LENGTH);
        assertNotChanged(this::open);
        assertNotChanged(() -> new LogRetention(storage).plan(rule));
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> new LogRetention(storage).apply(rule));
        assertThat(storage.list()).contains(FIRST);
        assertThat(read()).isEqualTo(left.lastSequence());
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 24, 1 << 31})
    void shouldNotBeRepaired(int flag) throws IOException {
        write(2L * LENGTH, flag);
        damage();
        assertNotChanged(() -> new LogRepair(storage).plan());
        assertNotChanged(() -> new LogRepair(storage).repair());
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 17, 1 << 23})
    void shouldBeChangedWithOptionalFlags(int flag) throws IOException {
        write(0, flag);
        try (Log log = open()) {
            assertThat(log.lastSequence()).isEqualTo(left.lastSequence());
            Records.append(log);
        }
        assertThat(read()).isEqualTo(left.lastSequence() + 1);
        assertThat(new LogRetention(storage)
                        .apply(RetentionRule.below(2L * LENGTH))
                        .retired())
                .isNotEmpty();
        NewerSegments.flag(storage, 2L * LENGTH, flag);
        LeftLog.change(storage, LogFileName.segment(2L * LENGTH), SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1);
        assertThat(new LogRepair(storage).repair().setAside()).isNotEmpty();
    }

    /** What is prepared behind the end may have a header that says nothing. */
    @ParameterizedTest
    @ValueSource(ints = 1 << 24)
    void shouldGoByTheNewestHeaderThatCanBeRead(int flag) throws IOException {
        write(2L * LENGTH, flag);
        long next = LogFiles.basePositions(storage).last() + LENGTH;
        storage.replace(LogFileName.segment(next), new byte[LENGTH]);
        assertNotChanged(this::open);
    }

    /**
     * No later version writes such a log: once a segment has a flag, those behind it have it. The older ones are not
     * looked at, of which there may be thousands; who reads them finds it out.
     */
    @ParameterizedTest
    @ValueSource(ints = {1 << 7, 1 << 24})
    void shouldNotBeLookedForInOlderHeaders(int flag) throws IOException {
        write(1L << 60, 0);
        NewerSegments.flag(storage, LENGTH, flag);
        try (Log log = open()) {
            Records.append(log);
        }
        if (flag == 1 << 7) {
            assertThatExceptionOfType(UnsupportedFormatException.class)
                    .isThrownBy(this::read)
                    .matches(e -> e.file().equals(LogFileName.segment(LENGTH)));
        } else {
            assertThat(read()).isEqualTo(left.lastSequence() + 1);
        }
    }
}
