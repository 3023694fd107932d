package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.CopiedFiles;
import io.persist.support.NewerSegments;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The newest segments have frames of a later version, which a search behind damage does not take for frames. The flag
 * in their headers keeps a log from being cut before them, as if nothing had been acknowledged there.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class NewerFramesTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final String FIRST = LogFileName.segment(0);

    /** What is wrong with an older segment. */
    enum Damage {
        NONE,
        RECORD,
        TORN,
        HEADER,
        MISSING
    }

    /** Whether there is a control block that says what was synced, or none, as one of the age of the opening. */
    @Parameter
    boolean hasControl;

    private final LeftLog left = LeftLog.killed();
    private final CrashableStorage storage = left.storage();

    @BeforeEach
    void makeNewer() throws IOException {
        NewerSegments.make(storage, 2L * LENGTH);
        if (!hasControl) {
            storage.delete(LogFileName.CONTROL);
        }
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private void put(Damage damage) throws IOException {
        String second = LogFileName.segment(LENGTH);
        byte[] bytes = storage.content(second);
        switch (damage) {
            case NONE -> {}
            case RECORD -> LeftLog.change(storage, FIRST, SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1);
            case TORN -> {
                Arrays.fill(bytes, LENGTH / 2, LENGTH, (byte) 0);
                storage.replace(second, bytes);
            }
            case HEADER -> LeftLog.change(storage, FIRST, SegmentHeader.MAGIC_OFFSET, 1);
            case MISSING -> storage.delete(second);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToOpenAndToCut(Damage damage) throws IOException {
        put(damage);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> Log.open(WriterKind.MAPPED.config().build(), storage));
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(() -> new LogRepair(storage).repair());
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotBeTakenForTheEndOfTheLog(Damage damage) throws IOException {
        put(damage);
        for (LogScan.Start start : LogScan.Start.values()) {
            assertThatExceptionOfType(UnsupportedFormatException.class)
                    .isThrownBy(() -> new LogInspector(storage).inspect(start));
        }
        PersistException refused = catchThrowableOfType(PersistException.class, this::read);
        assertThat(refused).isInstanceOfAny(UnsupportedFormatException.class, CorruptLogException.class);
    }

    private void read() {
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            Records.readOn(tailer, 1);
        }
    }
}
