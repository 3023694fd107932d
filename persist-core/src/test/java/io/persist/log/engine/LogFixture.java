package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/** A log in memory of each kind, which has to close without an error and to leave nothing open. */
public abstract class LogFixture {

    @Parameter
    protected WriterKind kind;

    protected CrashableStorage storage = new CrashableStorage();
    protected Log log;

    @AfterEach
    protected void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).isZero();
    }

    protected void open() {
        log = Log.open(kind.config().build(), storage);
    }

    protected void openWithRolls(int rolls) {
        log = kind.openWithRolls(storage, rolls);
    }
}
