package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/** A log in memory of each kind, which has to close without an error and to leave nothing open. */
abstract class LogFixture {

    @Parameter
    WriterKind kind;

    CrashableStorage storage = new CrashableStorage();
    Log log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).isZero();
    }

    void open() {
        log = Log.open(kind.config().build(), storage);
    }

    void openWithRolls(int rolls) {
        log = kind.openWithRolls(storage, rolls);
    }
}
