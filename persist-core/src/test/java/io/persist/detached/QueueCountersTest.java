package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.control.ControlBlock;
import io.persist.format.control.CounterBlock;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class QueueCountersTest {

    private final CounterBlock block = new CounterBlock(ByteBuffer.allocateDirect(ControlBlock.LENGTH));
    private final QueueCounters counters = new QueueCounters(block, 1024);

    @Test
    void shouldCountTheEntriesThatWereThereAtOnce() {
        counters.batch(10, 5);

        assertThat(block.get(Counter.QUEUE_MAX_DEPTH)).isEqualTo(15);
        assertThat(block.get(Counter.QUEUE_DEPTH)).isEqualTo(5);
    }

    @Test
    void shouldNotCountMoreEntriesThanTheQueueHas() {
        counters.batch(1024, 1000);

        assertThat(block.get(Counter.QUEUE_MAX_DEPTH)).isEqualTo(1024);
        assertThat(block.get(Counter.BATCH_MAX)).isEqualTo(1024);
    }

    @Test
    void shouldTellTheQueueAsItIsAndNotAsItWasStored() {
        counters.batch(10, 5);
        LogStatistics stored = LogStatistics.of(block::get);
        counters.full();
        counters.waited(7);

        LogStatistics now = counters.now(stored, 30);

        assertThat(now.queueDepth()).isEqualTo(30);
        assertThat(now.queueMaxDepth()).isEqualTo(30);
        assertThat(now.queueFull()).isEqualTo(1);
        assertThat(now.queueWaitNs()).isEqualTo(7);
        assertThat(now.batchMax()).isEqualTo(10);
    }

    /** The queue is deeper while a batch is taken than at its end, when the writer thread looks. */
    @Test
    void shouldNeverTellOfFewerEntriesAtMostThanBefore() {
        counters.batch(10, 5);
        LogStatistics stored = LogStatistics.of(block::get);
        assertThat(counters.now(stored, 30).queueMaxDepth()).isEqualTo(30);

        assertThat(counters.now(stored, 0).queueMaxDepth()).isEqualTo(30);
        counters.batch(0, 0);
        assertThat(block.get(Counter.QUEUE_MAX_DEPTH)).isEqualTo(30);
        assertThat(block.get(Counter.BATCHES)).isEqualTo(1);
    }
}
