package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.HolderBlock;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.retention.LogRetention;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A later version has fields in the control block that this one does not know. This one leaves them there, and changes
 * the log: by the epoch, which goes on, the later version finds out that they do not count any more.
 */
class UnknownControlFieldTest {

    private static final long VALUE = 0x1234_5678_9ABC_DEF0L;

    private final CrashableStorage storage = new CrashableStorage();

    private ByteBuffer control() {
        return ByteBuffer.wrap(storage.content(LogFileName.CONTROL)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static boolean counts(ByteBuffer control, long epoch) {
        return control.getLong(HolderBlock.EPOCH_OFFSET) == epoch
                && control.getLong(ControlBlock.OPENED_EPOCH_OFFSET) == epoch;
    }

    @ParameterizedTest
    @ValueSource(ints = {368, 376, 440, 504})
    void shouldStayAndCountNoMore(int offset) {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            Records.appendUntilRolled(log, 3);
            log.commit(Durability.SYNCED);
        }
        ByteBuffer control = control();
        long epoch = control.getLong(HolderBlock.EPOCH_OFFSET);
        assertThat(counts(control, epoch)).isTrue();
        storage.replace(LogFileName.CONTROL, control.putLong(offset, VALUE).array());

        assertThat(new LogRetention(storage).apply(RetentionRule.keepBytes(0)).retired())
                .isNotEmpty();
        assertThat(control().getLong(offset)).isEqualTo(VALUE);
        assertThat(counts(control(), epoch)).as("after retention").isFalse();

        storage.replace(LogFileName.CONTROL, control.array());
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            Records.append(log);
        }
        assertThat(control().getLong(offset)).isEqualTo(VALUE);
        assertThat(counts(control(), epoch)).as("after an opening").isFalse();
        assertThat(counts(control(), epoch + 1)).isTrue();
    }
}
