package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is cut off goes aside whole, or not at all. */
class TailCutTest {

    private static final int SEGMENT_LENGTH = 1 << 20;

    private static final LogConfig CONFIG =
            WriterKind.MAPPED.config().segmentLength(SEGMENT_LENGTH).build();

    private final CrashableStorage storage = new CrashableStorage();

    private List<String> aside() {
        return storage.list().stream()
                .filter(name -> name.endsWith(LogFileName.ASIDE_SUFFIX))
                .toList();
    }

    /** Parts of the evidence would take what space there is, and nobody would be told of them. */
    @Test
    void shouldLeaveNoPartIfTheDiskIsFull() {
        int damaged;
        try (Log log = Log.open(CONFIG, storage)) {
            Records.append(log, 10);
            damaged = (int) log.position() + Frame.HEADER_LENGTH;
            Records.append(log, 5_000);
        }
        LeftLog.change(storage, LogFileName.segment(0), damaged, 1);
        storage.capacityBytes(SEGMENT_LENGTH + (64 << 10)); // once the segments are deleted that were prepared
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> new LogRepair(storage).repair());
            assertThat(aside()).isEmpty();
        }
        storage.capacityBytes(Long.MAX_VALUE);
        assertThat(new LogRepair(storage).repair().setAside())
                .containsExactlyInAnyOrderElementsOf(aside())
                .filteredOn(name -> name.startsWith(LogFileName.segment(0)))
                .hasSize(1);
        try (Log log = Log.open(CONFIG, storage)) {
            assertThat(log.lastSequence()).isEqualTo(10);
        }
        assertThat(storage.openHandles()).isZero();
    }
}
