package io.persist.format.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.control.HolderBlock.Holder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class HolderBlockTest {

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final HolderBlock block = new ControlBlock(bytes.put(0, NewControlBlock.encode())).holder();

    @Test
    void shouldBeNobodysWhenNew() {
        assertThat(block.epoch()).isZero();
        assertThat(block.holder()).isEqualTo(Holder.NONE);
    }

    @Test
    void shouldStoreEachFieldAtItsPlace() {
        block.epoch(1);
        block.holder(new Holder(2, 3, 4, 5, 6, 7));

        assertThat(bytes.getLong(384)).isEqualTo(1);
        assertThat(bytes.getLong(392)).isEqualTo(3);
        assertThat(bytes.getLong(400)).isEqualTo(7);
        assertThat(bytes.getLong(408)).isEqualTo(4);
        assertThat(bytes.getLong(416)).isEqualTo(5);
        assertThat(bytes.getLong(424)).isEqualTo(6);
        assertThat(bytes.getLong(432)).isEqualTo(2);
        assertThat(block.epoch()).isEqualTo(1);
        assertThat(block.holder()).isEqualTo(new Holder(2, 3, 4, 5, 6, 7));
    }

    @Test
    void shouldBeNobodysOnceItWasGivenBack() {
        block.epoch(8);
        block.holder(new Holder(2, 3, 4, 5, 6, 7));
        block.holder(Holder.NONE);

        assertThat(block.holder()).isEqualTo(Holder.NONE);
        assertThat(block.epoch()).isEqualTo(8);
    }
}
