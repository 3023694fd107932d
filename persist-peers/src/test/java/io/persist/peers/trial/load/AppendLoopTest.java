package io.persist.peers.trial.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendLoopTest {

    private static final long RATE = 100_000;
    private static final long INTERVAL_NS = 1_000_000_000 / RATE;
    private static final int STALL_INTERVALS = 100;

    /** One whose first append takes as long as a hundred are meant to, and which keeps the time of each message. */
    private static final class Stalling implements Producer {

        private final ByteBuffer message = ByteBuffer.allocate(64);
        private final List<Long> times = new ArrayList<>();

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() {
            long startNs = System.nanoTime();
            times.add(Stamp.time(message, 0));
            while (times.size() == 1 && System.nanoTime() - startNs < STALL_INTERVALS * INTERVAL_NS) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }

    /** Else a reader sees one late message where a stalled append has made a hundred late. */
    @Test
    void shouldStampTheTimeAtWhichAnAppendWasMeantToStart() throws IOException {
        Stalling producer = new Stalling();
        new AppendLoop(producer, Mode.LISTEN_THREAD).runStamped(3, RATE);

        long first = producer.times.get(0);
        assertThat(producer.times).containsExactly(first, first + INTERVAL_NS, first + 2 * INTERVAL_NS);
    }
}
