package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.BootId;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.FailedOnce;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/** The pages of a sync that failed are clean in memory, and not on the device. */
class FailedWriterTest {

    private static final int RECORDS = 1000;

    /** A container has another boot id each time it is started, in the same kernel. */
    private record OtherBoot(Storage storage) implements ForwardingStorage {
        @Override
        public BootId bootId() {
            return new BootId(1, 2);
        }
    }

    @ParameterizedTest
    @MappedAndFile
    void shouldWriteThemAgainInWhateverBootItIsOpenedNext(WriterKind kind) {
        LogConfig config = kind.config().segmentLength(1 << 20).build(); // of many pages
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(config, storage);
        Records.append(log, RECORDS);
        log.flush();
        storage.hook((number, what) -> {
            if (what.matches("(force|sync) 0+\\.log")) {
                throw new IOException("the device");
            }
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::sync);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(log::close);
        storage.hook((number, what) -> {});
        Log next = Log.open(config, new OtherBoot(storage));
        assertThat(next.lastSequence()).isEqualTo(RECORDS);
        Records.append(next);
        next.commit(Durability.SYNCED);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        try (Log last = Log.open(config, after)) {
            assertThat(last.lastSequence()).isEqualTo(RECORDS + 1);
        }
    }

    /** The dying writer, or a reader in another process, was told of the error, and could not say so any more. */
    @ParameterizedTest
    @MappedAndFile
    void shouldWriteThemAgainIfNobodyHasNotedTheFailure(WriterKind kind) throws IOException {
        LogConfig config = kind.config().segmentLength(1 << 20).build();
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(config, storage);
        Records.append(log, RECORDS);
        log.flush();
        CrashableStorage killed = storage.afterKill();
        DeadLog.end(log);
        FailedOnce.failSync(killed, LogFileName.segment(0));
        Log next = Log.open(config, new OtherBoot(killed));
        assertThat(next.lastSequence()).isEqualTo(RECORDS);
        assertThat(next.syncedPosition()).isLessThan(next.position());
        Records.append(next);
        next.commit(Durability.SYNCED);
        CrashableStorage after = killed.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(next);
        try (Log last = Log.open(config, after)) {
            assertThat(last.lastSequence()).isEqualTo(RECORDS + 1);
        }
    }
}
