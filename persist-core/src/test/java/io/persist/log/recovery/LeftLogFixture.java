package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A {@link LeftLog} that was closed, and one whose writer was killed; nothing of it is open after the test. */
abstract class LeftLogFixture {

    static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    /** Whether the last writer closed the log, or was killed. */
    @Parameter
    boolean closed;

    CrashableStorage storage;
    long last;
    long tailBase;

    @BeforeEach
    void write() {
        LeftLog left = closed ? LeftLog.closed() : LeftLog.killed();
        storage = left.storage();
        last = left.lastSequence();
        tailBase = left.tailBase();
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    Log open() {
        return Log.open(WriterKind.MAPPED.config().build(), storage);
    }

    Tailer tailer() {
        return Tailer.open(storage, TailerConfig.defaults());
    }
}
