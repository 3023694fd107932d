package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueProducerTest {

    /** A producer pauses 2^31 times in 65 hours. */
    @Test
    void shouldGoOnSleepingHoweverLongTheQueueIsFull() {
        assertThat(QueueProducer.after(0)).isEqualTo(1);
        int last = QueueProducer.after(Integer.MAX_VALUE - 1);
        assertThat(last).isEqualTo(Integer.MAX_VALUE);
        assertThat(QueueProducer.after(last)).as("behind spins and yields").isEqualTo(250);
    }
}
