package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.LogLockedException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.log.ReadMode;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.ForwardingFile;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** There is no memory for something that closing a tailer does. */
class TailerCloseCutShortTest {

    private static final String NAME = "billing";
    private static final int RECORDS = 500;

    private final CrashableStorage storage = new CrashableStorage();
    private final LittleMemory littleMemory = new LittleMemory(storage);

    /** Closes a file, or gives a lock back; the first time that is done for the end {@code of} a name, it throws. */
    private static final class LittleMemory implements ForwardingStorage {

        private final Storage storage;
        private String of = "none";
        private boolean closesBefore;

        LittleMemory(Storage storage) {
            this.storage = storage;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            StorageFile file = storage.open(name, access);
            return new ForwardingFile() {

                private boolean isClosed;

                @Override
                public StorageFile file() {
                    return file;
                }

                @Override
                public int read(long offset, byte[] target, int from, int length) throws IOException {
                    if (isClosed) {
                        throw new IOException("is closed: " + name);
                    }
                    return file.read(offset, target, from, length);
                }

                @Override
                public void close() {
                    isClosed = true;
                    end(name, file::close);
                }
            };
        }

        @Override
        public WriterLock tryLock(String name) throws IOException {
            WriterLock lock = storage.tryLock(name);
            return lock == null
                    ? null
                    : new WriterLock() {

                        @Override
                        public boolean isInPlace() throws IOException {
                            return lock.isInPlace();
                        }

                        @Override
                        public void close() {
                            end(name, lock::close);
                        }
                    };
        }

        private void end(String name, Runnable close) {
            boolean isShort = name.endsWith(of);
            if (!isShort || closesBefore) {
                close.run();
            }
            if (isShort) {
                of = "none";
                throw new OutOfMemoryError("closing " + name);
            }
        }
    }

    @AfterEach
    void close() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private Log open() {
        return TailedLog.open(TailedLog.config(WriteMode.MAPPED), littleMemory, RECORDS);
    }

    private void closeCutShort(Tailer tailer, String of, boolean closesBefore) {
        littleMemory.of = of;
        littleMemory.closesBefore = closesBefore;
        assertThatThrownBy(tailer::close).isInstanceOf(OutOfMemoryError.class).hasMessageStartingWith("closing ");
    }

    @ParameterizedTest
    @ValueSource(strings = {".log", ".cursor"})
    void shouldEndTheRest(String file) {
        try (Log log = open()) {
            Tailer tailer = log.tailer(NAME, TailerConfig.defaults());
            tailer.next();
            closeCutShort(tailer, file, true);
            new LogCursors(storage).remove(NAME); // which is refused if it is locked
            assertThat(log.planRetention(RetentionRule.keepBytes(0)).held()).isEmpty();
        }
    }

    @Test
    void shouldDoTheNextTimeWhatWasNotDone() {
        try (Log log = open()) {
            Tailer tailer = log.tailer(NAME, TailerConfig.defaults());
            closeCutShort(tailer, ".lock", false);
            assertThatThrownBy(() -> log.tailer(NAME, TailerConfig.defaults())).isInstanceOf(LogLockedException.class);
            tailer.close();
            log.tailer(NAME, TailerConfig.defaults()).close();
        }
    }

    @Test
    void shouldNotReadWhatWasClosedByHalf() {
        try (Log log = open();
                Tailer tailer = log.tailer(TailedLog.reader(ReadMode.FILE))) {
            while (tailer.neededPosition() == 0) {
                assertThat(tailer.next()).isTrue();
            }
            long sequence = tailer.sequence();
            littleMemory.of = ".log";
            littleMemory.closesBefore = true;
            assertThatThrownBy(tailer::toStart).isInstanceOf(OutOfMemoryError.class);
            while (tailer.next()) {
                assertThat(tailer.sequence()).isEqualTo(++sequence);
            }
            assertThat(sequence).isEqualTo(RECORDS);
        }
    }
}
