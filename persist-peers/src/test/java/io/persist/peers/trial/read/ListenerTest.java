package io.persist.peers.trial.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.peers.engine.MessageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What readers check and measure. */
class ListenerTest {

    /** Shows messages with these numbers, one at a time and with polls between that find none. */
    private static MessageReader reader(long... sequences) {
        return new MessageReader() {

            private int polls;

            @Override
            public int poll(Handler handler, int limit) {
                if (polls++ % 2 == 0) {
                    return 0;
                }
                ByteBuffer message = ByteBuffer.allocate(100);
                message.putLong(20, System.nanoTime() - 1_000_000);
                message.putLong(28, sequences[polls / 2 - 1]);
                handler.onMessage(message, 20, 16);
                return 1;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void shouldMeasureTheAgeOfWhatComesAfterTheWarmUp() throws IOException {
        var latencies = new Listener(1, 3).run(reader(0, 1, 2, 3));

        assertThat(latencies.getTotalCount()).isEqualTo(3);
        assertThat(latencies.getMinValue()).isBetween(999_000L, 10_000_000_000L);
    }

    /** The time belongs to the messages that are counted: not that of the warm-up, nor the wait for its first one. */
    @Test
    void shouldTakeTheTimeOfWhatIsMeasuredOnly() throws IOException {
        long[] beforeNs = new long[4];
        long[] endNs = new long[1];
        Iterator<Long> sequences = List.of(0L, 1L, 2L, 3L).iterator();
        MessageReader reader = new MessageReader() {

            @Override
            public int poll(Handler handler, int limit) {
                long sequence = sequences.next();
                ByteBuffer message = ByteBuffer.allocate(16);
                message.putLong(8, sequence);
                while (sequence == 2 && System.nanoTime() - beforeNs[0] < 2_000_000) {
                    Thread.onSpinWait(); // so that the warm-up takes more than a look at the clock
                }
                beforeNs[(int) sequence] = System.nanoTime();
                handler.onMessage(message, 0, 16);
                endNs[0] = System.nanoTime();
                return 1;
            }

            @Override
            public void close() {}
        };
        Listener listener = new Listener(2, 2);
        listener.run(reader);

        assertThat(listener.elapsedNs()).isPositive().isLessThanOrEqualTo(endNs[0] - beforeNs[2]);
    }

    @Test
    void shouldRefuseMessagesThatAreMissingOrComeTwice() {
        assertThatThrownBy(() -> new Listener(1, 3).run(reader(0, 1, 3, 4)))
                .hasMessage("read message 3 where 2 was expected");
        assertThatThrownBy(() -> new Replay.Order().read(reader(0, 1, 1), 3))
                .hasMessage("read message 1 where 2 was expected");
    }
}
