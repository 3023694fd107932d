package io.persist.format.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.UnsupportedFormatException;
import io.persist.file.BootId;
import io.persist.format.Frames;
import io.persist.format.PersistVersion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlBlockTest {

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final ControlBlock block = new ControlBlock(bytes);

    ControlBlockTest() {
        bytes.put(0, NewControlBlock.encode());
    }

    @Test
    void shouldBeReadableWhenNew() {
        assertThat(NewControlBlock.encode())
                .hasSize(ControlBlock.LENGTH)
                .startsWith("PERSCTRL".getBytes(StandardCharsets.US_ASCII));
        assertThat(block.isReadable("log")).isTrue();
        assertThat(block.version()).isEqualTo(ControlBlock.VERSION);
        assertThat(block.isClean()).isFalse();
        assertThat(block.state()).isZero();
        assertThat(block.synced()).isZero();
        assertThat(block.flushed()).isZero();
        assertThat(block.committed()).isZero();
        assertThat(block.visible()).isZero();
        assertThat(block.hint()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, Integer.MAX_VALUE, 0, -1, Integer.MIN_VALUE})
    void shouldRefuseAnotherVersion(int version) {
        bytes.putInt(ControlBlock.VERSION_OFFSET, version).putInt(ControlBlock.VERSION_OFFSET + 4, 7);
        new PersistVersion(0, 3, 1).put(bytes, ControlBlock.WRITTEN_BY_OFFSET);
        assertThat(block.isReadable("log"))
                .as("without its complement it is damaged")
                .isFalse();
        bytes.putInt(ControlBlock.VERSION_OFFSET + 4, ~version);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> block.isReadable("log"))
                .withMessageContaining("version=" + version + ", supported version=1, file=control, directory=log")
                .withMessageEndingWith("; open the log with Persist 0.3.1, which wrote it, or a later version")
                .matches(e -> e.isNewer() && e.file().equals("control"));
        bytes.putLong(ControlBlock.MAGIC_OFFSET, 0);
        assertThat(block.isReadable("log")).isFalse();
    }

    @Test
    void shouldSayWhichVersionTheLastWriterIs() {
        assertThat(block.writtenBy()).isEqualTo(PersistVersion.CURRENT);
        bytes.put(0, NewControlBlock.encodeSynced(5, 64));
        assertThat(block.writtenBy()).isEqualTo(PersistVersion.CURRENT);
        new PersistVersion(0, 3, 1).put(bytes, ControlBlock.WRITTEN_BY_OFFSET);
        assertThat(block.writtenBy()).hasToString("0.3.1");
        block.open(new BootId(1, 2), 42);
        assertThat(block.writtenBy()).isEqualTo(PersistVersion.CURRENT);
    }

    @Test
    void shouldNotBeReadableWithAnotherMagicOrLength() {
        bytes.putLong(ControlBlock.MAGIC_OFFSET, 0);
        assertThat(block.isReadable("log")).isFalse();
        assertThat(new ControlBlock(ByteBuffer.allocateDirect(0)).isReadable("log"))
                .isFalse();
        assertThat(new ControlBlock(ByteBuffer.allocateDirect(4095)).isReadable("log"))
                .isFalse();
    }

    @Test
    void shouldStoreEachPositionAtItsPlace() {
        block.hint(1);
        block.committed(2);
        block.flushed(3);
        block.synced(4);
        block.visible(5);

        assertThat(bytes.getLong(64)).isEqualTo(1);
        assertThat(bytes.getLong(128)).isEqualTo(2);
        assertThat(bytes.getLong(192)).isEqualTo(3);
        assertThat(bytes.getLong(200)).isEqualTo(~3);
        assertThat(bytes.getLong(256)).isEqualTo(4);
        assertThat(bytes.getLong(264)).isEqualTo(~4);
        assertThat(bytes.getLong(320)).isEqualTo(5);
        assertThat(block.hint()).isEqualTo(1);
        assertThat(block.committed()).isEqualTo(2);
        assertThat(block.flushed()).isEqualTo(3);
        assertThat(block.synced()).isEqualTo(4);
        assertThat(block.visible()).isEqualTo(5);
    }

    @Test
    void shouldCountATornSyncedPositionAsZero() {
        assertGuarded(ControlBlock.SYNCED_OFFSET, ControlBlock::synced, block::synced);
    }

    @Test
    void shouldCountATornFlushedPositionAsZero() {
        assertGuarded(ControlBlock.FLUSHED_OFFSET, ControlBlock::flushed, block::flushed);
    }

    private void assertGuarded(int offset, ToLongFunction<ControlBlock> get, Consumer<Long> put) {
        put.accept(1000L);
        assertThat(get.applyAsLong(block)).isEqualTo(1000);
        long oldComplement = bytes.getLong(offset + 8);
        put.accept(2000L);
        bytes.putLong(offset + 8, oldComplement);
        assertThat(get.applyAsLong(block)).as("new position, old complement").isZero();
        put.accept(3000L);
        bytes.putLong(offset, 2000);
        assertThat(get.applyAsLong(block)).as("old position, new complement").isZero();
        put.accept(3000L);
        for (int bit = offset * 8; bit < (offset + 16) * 8; bit++) {
            Frames.flipBit(bytes, bit);
            assertThat(get.applyAsLong(block)).as("bit %s", bit).isZero();
            Frames.flipBit(bytes, bit);
        }
        assertThat(get.applyAsLong(block)).isEqualTo(3000);
        bytes.putLong(offset, -5).putLong(offset + 8, 4);
        assertThat(get.applyAsLong(block)).as("negative").isZero();
    }

    @Test
    void shouldBelieveACleanClose() {
        block.open(new BootId(1, 2), 42);
        assertThat(block.isClean()).isFalse();
        block.closed(4096, 4000);

        assertThat(block.isClean()).isTrue();
        assertThat(block.state()).isEqualTo(ControlBlock.STATE_CLOSED);
        assertThat(block.cleanTail()).isEqualTo(4096);
        assertThat(block.cleanLast()).isEqualTo(4000);
    }

    @Test
    void shouldNotBelieveADamagedCleanClose() {
        block.closed(4096, 4000);
        for (int bit = ControlBlock.STATE_OFFSET * 8; bit < ControlBlock.HINT_OFFSET * 8; bit++) {
            Frames.flipBit(bytes, bit);
            assertThat(block.isClean()).as("bit %s", bit).isFalse();
            Frames.flipBit(bytes, bit);
        }
        assertThat(block.isClean()).isTrue();
    }

    @Test
    void shouldNotBeCleanOnceAWriterOpenedTheLogAgainOrFailed() {
        block.closed(4096, 4000);
        block.open(new BootId(1, 2), 42);
        assertThat(block.isClean()).isFalse();
        assertThat(block.state()).isEqualTo(ControlBlock.STATE_OPEN);
        assertThat(block.pid()).isEqualTo(42);

        block.closed(4096, 4000);
        block.failed();
        assertThat(block.isClean()).isFalse();
        assertThat(block.state()).isEqualTo(ControlBlock.STATE_FAILED);
    }

    @Test
    void shouldKnowTheBootItWasOpenedIn() {
        block.open(new BootId(1, 2), 42);
        assertThat(block.isBoot(new BootId(1, 2))).isTrue();
        assertThat(block.isBoot(new BootId(1, 3))).isFalse();
        assertThat(block.isBoot(new BootId(3, 2))).isFalse();
    }

    @Test
    void shouldNeverTakeAnUnknownBootForTheSame() {
        block.open(BootId.UNKNOWN, 42);
        assertThat(block.isBoot(BootId.UNKNOWN)).isFalse();
    }
}
