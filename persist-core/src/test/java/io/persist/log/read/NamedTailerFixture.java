package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.control.CursorSlot;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/** A log in memory, and the tailers with the name {@link BillingCursor#NAME} that are tested on it. */
abstract class NamedTailerFixture {

    static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    @Parameter
    WriterKind kind;

    final CrashableStorage storage = new CrashableStorage();
    Log log;

    @AfterEach
    void close() {
        if (log != null) {
            DeadLog.end(log);
        }
        assertThat(storage.openHandles()).isZero();
    }

    LogConfig config() {
        return kind.config().build();
    }

    void open() {
        log = Log.open(config(), storage);
    }

    Tailer tailer() {
        return Tailer.open(storage, BillingCursor.NAME, TailerConfig.defaults());
    }

    Tailer tailer(BillingCursor.From from) {
        return BillingCursor.tailer(from, log, config(), storage);
    }

    CursorSlot stored() {
        return BillingCursor.stored(storage);
    }
}
