package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.event.OpeningProgress;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.log.LogContent;
import io.persist.support.OwnThreads;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogOpenerTest {

    /** All parts are there, and there is no memory for the log itself. */
    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldGiveEverythingBackIfTheLogCannotBeMadeOfIt(WriterKind kind) throws Exception {
        CrashableStorage storage = new CrashableStorage();
        LogOpener opener =
                new LogOpener(kind.config().build(), LogContent.MESSAGES, storage, () -> {}, OpeningProgress.unsaid());
        OwnThreads.run(() -> assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> opener.open(parts -> {
                    throw new OutOfMemoryError("injected");
                })));
        assertThat(storage.openHandles()).isZero();
        try (Log log = Log.open(kind.config().build(), storage)) {
            Records.append(log, 1);
        }
    }

    /** Each part is named by the storage: so for one after the other there is no memory. */
    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldGiveEverythingBackIfAPartCannotBeMade(WriterKind kind) throws Exception {
        CrashableStorage storage = new CrashableStorage();
        kind.openWithRolls(storage, 2).close();
        AtomicInteger left = new AtomicInteger();
        for (int n = 1; left.get() <= 0; n++) { // until it is not asked for so often
            left.set(n);
            OwnThreads.run(() -> {
                try {
                    Log.open(kind.config().build(), new NoMemory(storage, left)).close();
                } catch (OutOfMemoryError injected) {
                    assertThat(injected).hasMessage("injected");
                }
            });
            assertThat(storage.openHandles()).as("part %d", n).isZero();
        }
    }

    /** There is no memory for its description when it is asked for so often. */
    private record NoMemory(Storage storage, AtomicInteger left) implements ForwardingStorage {

        @Override
        public String description() {
            if (left.decrementAndGet() == 0) {
                throw new OutOfMemoryError("injected");
            }
            return storage.description();
        }
    }
}
