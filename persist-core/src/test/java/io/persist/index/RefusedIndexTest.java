package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.IndexFullException;
import io.persist.index.memory.RefusedMemory;
import org.junit.jupiter.api.Test;

class RefusedIndexTest {

    /** Others would have less for it until it is collected. */
    @Test
    void shouldLeaveNoShareBehind() {
        RefusedMemory memory = new RefusedMemory();
        assertThatThrownBy(() -> new KeyIndex(memory.next())).isInstanceOf(IndexFullException.class);
        assertThat(memory.indexes()).isZero();
    }
}
