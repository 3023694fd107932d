package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.support.DeadLog;
import io.persist.support.FailedOnce;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;

/** The tool that retires segments is told that the device could not write pages; nobody is told a second time. */
class FailedRetirementTest {

    private static final int SEGMENT_LENGTH = 1 << 13;
    private static final int SYNCED = 200;
    private static final int WRITTEN = 600;

    private static LogConfig config(WriterKind kind) {
        return kind.config().segmentLength(SEGMENT_LENGTH).build();
    }

    /** The log of a writer that was killed; only some of its records are on the device. */
    private static CrashableStorage killed(WriterKind kind) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(config(kind), storage);
        Records.append(log, SYNCED);
        log.commit(Durability.SYNCED);
        Records.append(log, WRITTEN - SYNCED);
        log.flush();
        return DeadLog.ofNobody(DeadLog.kill(log, storage));
    }

    /** The sync of the segment with the last records fails once. */
    private static FailedOnce failOnce(CrashableStorage storage) throws IOException {
        String last = LogFiles.headers(storage).stream()
                .map(header -> LogFileName.segment(header.basePosition()))
                .filter(name -> storage.content(name)[SegmentHeader.LENGTH] != 0)
                .reduce((older, newer) -> newer)
                .orElseThrow();
        return FailedOnce.of(storage, "sync " + last);
    }

    /** As when a process has too many files open: nothing was asked of the device. */
    @ParameterizedTest
    @MappedAndFile
    void shouldGoOnOnceAFileCanBeOpened(WriterKind kind) throws IOException {
        CrashableStorage storage = killed(kind);
        AtomicBoolean refuses = new AtomicBoolean(true);
        Storage refusing = new ForwardingStorage() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public StorageFile open(String name, Access access) throws IOException {
                if (access == Access.WRITE && name.endsWith(".log") && refuses.getAndSet(false)) {
                    throw new IOException("Too many open files");
                }
                return storage.open(name, access);
            }
        };
        RetentionRule rule = RetentionRule.below(2 * SEGMENT_LENGTH);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> new LogRetention(refusing).apply(rule))
                .withMessageContaining("Too many open files");
        assertThat(new LogRetention(refusing).apply(rule).retired()).hasSize(2);
        assertThat(storage.openHandles()).isZero();
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldLeaveALogWhoseNextWriterWritesThemAgain(WriterKind kind) throws IOException {
        CrashableStorage storage = killed(kind);
        FailedOnce error = failOnce(storage);
        RetentionRule rule = RetentionRule.below(2 * SEGMENT_LENGTH);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> new LogRetention(storage).apply(rule))
                .withMessageContaining("Input/output error");
        assertThat(error.hasStruck()).isTrue();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> new LogRetention(storage).apply(rule))
                .withMessageContaining("open and close the log first");

        Log log = Log.open(config(kind), storage);
        assertThat(log.lastSequence()).isEqualTo(WRITTEN);
        Records.append(log);
        log.commit(Durability.SYNCED);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        try (Log last = Log.open(config(kind), after);
                Tailer tailer = last.tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(WRITTEN + 2);
        }
    }

    /** A sync of the writer's had failed when it was killed: what is left is written again before anything goes. */
    @ParameterizedTest
    @MappedAndFile
    void shouldSyncWhatAFailedSyncHasLeftClean(WriterKind kind) throws IOException {
        CrashableStorage storage = killed(kind);
        for (long base : LogFiles.basePositions(storage)) {
            FailedOnce.failSync(storage, LogFileName.segment(base));
        }
        assertThat(new LogRetention(storage)
                        .apply(RetentionRule.below(2 * SEGMENT_LENGTH))
                        .retired())
                .hasSize(2);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        try (Log last = Log.open(config(kind), after)) {
            assertThat(last.lastSequence()).isEqualTo(WRITTEN);
        }
    }
}
