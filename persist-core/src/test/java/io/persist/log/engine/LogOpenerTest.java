package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.log.LogContent;
import io.persist.support.OwnThreads;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogOpenerTest {

    /** All parts are there, and there is no memory for the log itself. */
    @ParameterizedTest
    @EnumSource(WriterKind.class)
    void shouldGiveEverythingBackIfTheLogCannotBeMadeOfIt(WriterKind kind) throws Exception {
        CrashableStorage storage = new CrashableStorage();
        LogOpener opener = new LogOpener(kind.config().build(), LogContent.MESSAGES, storage);
        OwnThreads.run(() -> assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> opener.open(parts -> {
                    throw new OutOfMemoryError("injected");
                })));
        assertThat(storage.openHandles()).isZero();
        try (Log log = Log.open(kind.config().build(), storage)) {
            Records.append(log, 1);
        }
    }
}
