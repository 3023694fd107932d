package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Damage that leaves next to no evidence. What all other damage does, {@code persist-matrix} tries. */
final class LogDamageTest {

    private static final LogConfig CONFIG = WriterKind.MAPPED.config().build();

    /** Nothing else than the header says that there are records behind it. */
    @Test
    void shouldTakeADamagedSegmentHeaderForDamageAndNotForATornWrite() {
        CrashableStorage written = new CrashableStorage();
        try (Log log = Log.open(CONFIG, written)) {
            Records.appendUntilRolled(log, 1);
            Records.append(log, 5);
        }
        String second = LogFileName.segment(WriterKind.SEGMENT_LENGTH);
        byte[] damaged = written.content(second);
        damaged[20] ^= 1;
        CrashableStorage storage = new CrashableStorage();
        storage.replace(LogFileName.segment(0), written.content(LogFileName.segment(0)));
        storage.replace(second, damaged);
        assertThatThrownBy(() -> Log.open(CONFIG, storage))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining(second);
        assertThat(storage.content(second)).isEqualTo(damaged);
    }

    /** A file that ends within its records tells by its header what they are, as it does to readers. */
    @Test
    void shouldKnowTheLogOfAStoreWhoseFilesWereCutShort() {
        String only = LogFileName.segment(0);
        CrashableStorage storage = new CrashableStorage();
        Log.open(CONFIG, LogContent.TRANSACTIONS, storage).close();
        storage.replace(only, Arrays.copyOf(storage.content(only), 1000));
        assertThat(new LogInspector(storage).holdsTransactions()).isTrue();
    }
}
