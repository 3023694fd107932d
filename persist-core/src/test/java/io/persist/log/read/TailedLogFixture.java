package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/** A log in memory, in one of the combinations of {@link TailedLog#modes}; nothing of it is open after the test. */
abstract class TailedLogFixture {

    @Parameter(0)
    WriteMode writeMode;

    @Parameter(1)
    ReadMode readMode;

    final CrashableStorage storage = new CrashableStorage();
    Log log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    LogConfig config() {
        return TailedLog.config(writeMode);
    }

    void open() {
        log = Log.open(config(), storage);
    }

    void openWith(int records) {
        log = TailedLog.open(config(), storage, records);
    }
}
