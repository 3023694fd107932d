package io.persist.peers.trial.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.peers.engine.MessageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
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

    @Test
    void shouldRefuseMessagesThatAreMissingOrComeTwice() {
        assertThatThrownBy(() -> new Listener(1, 3).run(reader(0, 1, 3, 4)))
                .hasMessage("read message 3 where 2 was expected");
        assertThatThrownBy(() -> new Replay.Order().read(reader(0, 1, 1), 3))
                .hasMessage("read message 1 where 2 was expected");
    }
}
