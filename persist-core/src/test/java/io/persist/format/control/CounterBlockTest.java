package io.persist.format.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.monitor.Counter;
import io.persist.monitor.Counter.Owner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CounterBlockTest {

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final CounterBlock counters = new CounterBlock(bytes);

    @Test
    void shouldKeepTheFiguresOfAStoreBehindTheCounters() {
        for (StoreFigure figure : StoreFigure.values()) {
            counters.set(figure, 1000 + figure.ordinal());
        }
        for (StoreFigure figure : StoreFigure.values()) {
            assertThat(counters.get(figure)).as(figure.name()).isEqualTo(1000 + figure.ordinal());
        }
        int last = Stream.of(Counter.values()).mapToInt(Counter::offset).max().orElseThrow();
        assertThat(Stream.of(StoreFigure.values()).map(StoreFigure::offset))
                .doesNotHaveDuplicates()
                .allMatch(offset -> offset % Long.BYTES == 0)
                .allMatch(offset ->
                        offset >= last + CounterBlock.STRETCH_LENGTH && offset + Long.BYTES <= CounterBlock.END);
        counters.reset(4711);
        assertThat(Stream.of(StoreFigure.values()).map(counters::get)).containsOnly(0L);
    }

    @Test
    void shouldKeepEachCounterAtItsPlace() {
        for (Counter counter : Counter.values()) {
            counters.set(counter, 1000 + counter.ordinal());
        }
        for (Counter counter : Counter.values()) {
            assertThat(bytes.getLong(counter.offset())).as(counter.name()).isEqualTo(1000 + counter.ordinal());
            assertThat(counters.get(counter)).isEqualTo(1000 + counter.ordinal());
        }
    }

    @Test
    void shouldLieBehindThePositionsAndNotOverlap() {
        assertThat(Stream.of(Counter.values()).map(Counter::offset))
                .doesNotHaveDuplicates()
                .allMatch(offset -> offset % Long.BYTES == 0)
                .allMatch(offset -> offset >= CounterBlock.START && offset + Long.BYTES <= CounterBlock.END);
        assertThat(CounterBlock.START).isGreaterThan(ControlBlock.VISIBLE_OFFSET);
    }

    @Test
    void shouldKeepWhatDifferentThreadsWriteApart() {
        Map<Integer, Owner> owners = new HashMap<>();
        for (Counter counter : Counter.values()) {
            int stretch = counter.offset() / CounterBlock.STRETCH_LENGTH;
            assertThat(owners.computeIfAbsent(stretch, any -> counter.owner()))
                    .as(counter + " and the others within " + CounterBlock.STRETCH_LENGTH + " bytes")
                    .isEqualTo(counter.owner());
        }
        assertThat(owners.values()).contains(Owner.values());
        assertThat(CounterBlock.START % CounterBlock.STRETCH_LENGTH).isZero();
    }

    @Test
    void shouldAddAndKeepTheMost() {
        counters.add(Counter.STALLS, 3);
        counters.add(Counter.STALLS, 4);
        assertThat(counters.get(Counter.STALLS)).isEqualTo(7);
        counters.max(Counter.STALL_MAX_NS, 5);
        counters.max(Counter.STALL_MAX_NS, 9);
        counters.max(Counter.STALL_MAX_NS, 8);
        assertThat(counters.get(Counter.STALL_MAX_NS)).isEqualTo(9);
    }

    @Test
    void shouldForgetAllAtAReset() {
        for (int offset = 0; offset < ControlBlock.LENGTH; offset += Long.BYTES) {
            bytes.putLong(offset, -1);
        }
        counters.reset(4711);
        for (int offset = 0; offset < ControlBlock.LENGTH; offset += Long.BYTES) {
            long expected = offset < CounterBlock.START ? -1 : offset == Counter.OPENED_AT_MS.offset() ? 4711 : 0;
            assertThat(bytes.getLong(offset)).as("offset " + offset).isEqualTo(expected);
        }
    }

    @Test
    void shouldHaveNamesForPeople() {
        assertThat(Counter.SYNC_MAX_NS.label()).isEqualTo("syncMaxNs");
        assertThat(Counter.RECORDS.label()).isEqualTo("records");
    }
}
