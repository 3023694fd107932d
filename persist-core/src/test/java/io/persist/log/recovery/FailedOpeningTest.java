package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.DeadLog;
import io.persist.support.FailedOnce;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/** An opening is told that the device could not write pages, and fails; nobody is told a second time. */
class FailedOpeningTest {

    private static final int SYNCED = 100;
    private static final int WRITTEN = 300;
    private static final String SEGMENT = LogFileName.segment(0);

    private static LogConfig config(WriterKind kind) {
        return kind.config().segmentLength(1 << 17).build(); // of many pages
    }

    /** A log whose writer was killed in the middle of a record; only some records are on the device. */
    private static CrashableStorage torn(WriterKind kind) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(config(kind), storage);
        Records.append(log, SYNCED);
        log.commit(Durability.SYNCED);
        Records.append(log, WRITTEN - SYNCED);
        log.flush();
        long last = log.lastPosition();
        CrashableStorage left = DeadLog.ofNobody(DeadLog.kill(log, storage));
        byte[] torn = {77};
        try (StorageFile file = left.open(SEGMENT, Access.WRITE)) {
            file.write(last + 30, torn, 0, 1, StorageFile.WriteThrough.NONE);
        }
        return left;
    }

    /** The kernel could not write any dirty page of the segment; they count as clean, and the next one is told. */
    private static void failWriteBack(CrashableStorage storage) throws IOException {
        FailedOnce.of(storage, "sync " + SEGMENT);
        try (StorageFile file = storage.open(SEGMENT, Access.READ)) {
            assertThatExceptionOfType(IOException.class).isThrownBy(file::sync);
        }
        FailedOnce.of(storage, "write " + SEGMENT);
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldWriteThemAgainWhenItIsOpenedNext(WriterKind kind) throws IOException {
        writesThemAgain(kind, torn(kind));
    }

    /** Nothing can note there that the log has failed. */
    @ParameterizedTest
    @MappedAndFile
    void shouldWriteThemAgainWithoutAControlBlock(WriterKind kind) throws IOException {
        CrashableStorage storage = torn(kind);
        storage.delete(LogFileName.CONTROL);
        writesThemAgain(kind, storage);
    }

    private static void writesThemAgain(WriterKind kind, CrashableStorage storage) throws IOException {
        failWriteBack(storage);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Log.open(config(kind), storage))
                .withMessageContaining("Input/output error");
        storage.hook((number, operation) -> {});
        Log log = Log.open(config(kind), storage);
        assertThat(log.lastSequence()).isEqualTo(WRITTEN - 1);
        Records.append(log);
        log.commit(Durability.SYNCED);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        try (Log last = Log.open(config(kind), after);
                Tailer tailer = last.tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(WRITTEN + 1);
        }
    }

    /** Else the device would have a record behind the new ones that fits to them. */
    @ParameterizedTest
    @MappedAndFile
    void shouldFindWhatTheDeviceHasWhenItCouldNotZeroIt(WriterKind kind) throws IOException {
        CrashableStorage storage = torn(kind);
        byte[] before = storage.content(SEGMENT);
        FailedOnce.of(storage, "write " + SEGMENT);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> Log.open(config(kind), storage));
        assertThat(Arrays.equals(storage.content(SEGMENT), before)).isTrue();
    }
}
