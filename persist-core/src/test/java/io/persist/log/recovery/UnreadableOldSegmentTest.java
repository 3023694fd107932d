package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.segment.LogFiles;
import io.persist.support.RefusedFiles;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment far below the end cannot be read, as on a bad sector: opening does not need it. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class UnreadableOldSegmentTest {

    /** Whether the control block says which log it is, as older ones do not. */
    @Parameter
    boolean isKnown;

    private static Storage unreadable(Storage storage, long base) {
        return new RefusedFiles(storage, LogFileName.segment(base)::equals, new IOException("Input/output error"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, WriterKind.SEGMENT_LENGTH})
    void shouldNotKeepTheLogFromOpening(long base) {
        LeftLog left = LeftLog.closed();
        CrashableStorage storage = left.storage();
        if (!isKnown) {
            byte[] control = storage.content(LogFileName.CONTROL);
            int at = ControlBlock.LOG_ID_OFFSET;
            Arrays.fill(control, at, at + Long.BYTES, (byte) 0);
            storage.replace(LogFileName.CONTROL, control);
        }
        Storage unreadable = unreadable(storage, base);
        LogInspector.Inspection found = new LogInspector(unreadable).inspect(LogScan.Start.TRUSTED);
        assertThat(found.findings().lastSequence()).isEqualTo(left.lastSequence());
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), unreadable)) {
            assertThat(log.lastSequence()).isEqualTo(left.lastSequence());
        }
    }

    /** As readers of changes look at them: the one that cannot be read may be behind what they are to read. */
    @ParameterizedTest
    @ValueSource(longs = {0, WriterKind.SEGMENT_LENGTH})
    void shouldNotHideTheHeadersOfTheOthers(long base) throws IOException {
        CrashableStorage storage = LeftLog.closed().storage();
        List<SegmentHeader> all = LogFiles.headers(storage);
        Storage unreadable = unreadable(storage, base);
        assertThat(LogFiles.readableHeaders(unreadable))
                .isEqualTo(all.stream()
                        .filter(header -> header.basePosition() != base)
                        .toList());
        NavigableSet<Long> alone = new TreeSet<>(List.of(base));
        assertThatIOException().isThrownBy(() -> LogFiles.readableHeaders(unreadable, alone));
    }
}
