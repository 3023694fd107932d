package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.archive.Archive;
import io.persist.backup.BackupOptions;
import io.persist.command.Run;
import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.log.RetentionRule;
import io.persist.log.segment.LogFiles;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.copy.BackupTool;
import io.persist.tool.copy.RetainTool;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.TailTool;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A segment of another log lies in front of the log, whose own first segments were taken away. The control block says
 * which log it is: that file is the wrong one, and says nothing of the log.
 */
class ForeignFirstSegmentTest {

    private static final long LAST = 600;

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage store = new CrashableStorage();
    private String foreign = "";

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
        assertThat(store.openHandles()).isZero();
    }

    /** Puts the segment of a store so far before the log of messages, in bytes. */
    private void putBeforeMessages(int distance) throws IOException {
        ToolLog.closed(storage, (int) LAST);
        ToolStore.compacted(store);
        for (long base = 0; base < distance; base += ToolLog.SEGMENT_LENGTH) {
            storage.delete(LogFileName.segment(base));
        }
        foreign = LogFileName.segment(0);
        storage.replace(foreign, store.content(foreign));
    }

    private static Run run(CrashableStorage storage, LogTool tool) {
        return ToolLog.run(storage, tool);
    }

    private void assertNamed(Run run) {
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("another log").contains("file=" + foreign);
    }

    private void assertNamed(ThrowingCallable call) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(call)
                .withMessageContaining("another log")
                .withMessageContaining("file=" + foreign);
    }

    @Test
    void shouldNotSayWhatTheRecordsOfTheLogAre() throws IOException {
        putBeforeMessages(2 * ToolLog.SEGMENT_LENGTH);
        RecordRange last = new RecordRange(0, Long.MAX_VALUE, LAST, Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(run(storage, ToolLog.dump(last)).out()).contains("record-" + LAST);
        Run tail = run(storage, TailTool.last(1, RecordPrinter.json(PayloadStyle.PREVIEW)));
        assertThat(tail.out()).contains("record-" + LAST);
        Run retain = run(storage, new RetainTool(RetentionRule.keepBytes(0), Effect.APPLY));
        assertThat(retain.out()).contains(foreign).contains("another log's");
        assertNamed(run(storage, new VerifyTool(Output.TEXT, base -> {})));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNotBeCopiedAsThisLogs(int segments) throws IOException {
        putBeforeMessages(segments * ToolLog.SEGMENT_LENGTH);
        CrashableStorage copy = new CrashableStorage();
        assertNamed(run(
                storage,
                (log, out, err) -> BackupTool.take(
                        log, copy, Path.of("backup"), StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT, out)));
        assertNamed(() -> Archive.directory(new CrashableStorage()).pack(storage));
    }

    /** Else a good segment of the store would be named, and moved away. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeNamedByWhatOpensAStore(boolean isOfMessages) throws IOException {
        try (StoreLogger writer = ToolStore.open(store)) {
            ToolStore.overwrite(writer, 40);
            writer.checkpoint();
            ToolStore.overwrite(writer, 1);
            writer.checkpoint();
            writer.compact(Long.MAX_VALUE);
        }
        NavigableSet<Long> bases = LogFiles.basePositions(store);
        assertThat(bases.first()).isGreaterThan(ToolLog.SEGMENT_LENGTH);
        foreign = LogFileName.segment(0);
        if (isOfMessages) {
            ToolLog.closed(storage, (int) LAST);
        } else {
            ToolStore.compacted(storage);
        }
        store.replace(foreign, storage.content(foreign));
        assertNamed(() -> StorePlace.ONE.view(store));
        assertNamed(() -> StorePlace.ONE.open(store));
        assertNamed(run(store, new VerifyTool(Output.TEXT, base -> {})));
    }
}
