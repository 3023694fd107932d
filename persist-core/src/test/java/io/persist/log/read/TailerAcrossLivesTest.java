package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tailer that is open before the log exists, or after its writer has closed it, reads what the next writer appends. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerAcrossLivesTest {

    @Parameter(0)
    WriteMode writeMode;

    @Parameter(1)
    ReadMode readMode;

    private final CrashableStorage storage = new CrashableStorage();
    private Log log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private LogConfig config() {
        return TailedLog.config(writeMode);
    }

    private void open() {
        log = Log.open(config(), storage);
    }

    private void openWith(int records) {
        log = TailedLog.open(config(), storage, records);
    }

    @Test
    void shouldReadALogThatIsMadeLater() {
        try (Tailer tailer = Tailer.open(storage, TailedLog.reader(readMode))) {
            assertThat(tailer.next()).isFalse();
            tailer.toStart();
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(1));
            open();
            assertThat(tailer.next()).isFalse();
            Records.append(log, 200);
            log.flush();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(201);
        }
    }

    @Test
    void shouldOutliveTheWriterAndSeeTheNextOne() {
        openWith(50);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(51);
            log.close();
            assertThat(tailer.next()).isFalse();
            for (int life = 1; life < 5; life++) {
                openWith(50);
                long expected = 50 * (life + 1) + 1;
                assertThat(Records.readOn(tailer, 50 * life + 1)).isEqualTo(expected);
                log.close();
            }
            assertThat(Records.readAll(tailer)).isEqualTo(250);
        }
    }

    @Test
    void shouldFollowAWriterOfAnotherModeAfterReopening() {
        openWith(50);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(51);
            log.close();
            WriteMode other = writeMode == WriteMode.MAPPED ? WriteMode.FILE : WriteMode.MAPPED;
            log = Log.open(
                    LogConfig.builder(Path.of("memory"))
                            .segmentLength(8192)
                            .writeBufferLength(8192)
                            .writeMode(other)
                            .build(),
                    storage);
            Records.append(log, 10);
            assertThat(tailer.next()).isEqualTo(other == WriteMode.MAPPED);
            Records.append(log, 90);
            log.flush();
            tailer.toSequence(51);
            assertThat(Records.readOn(tailer, 51)).isEqualTo(151);
        }
    }
}
