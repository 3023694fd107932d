package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.host.Pinning;
import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.LatencyRecorder;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.latency.Operation;
import io.persist.bench.latency.Target;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProducersTest {

    private static final LatencyRow ROW = LatencyRow.of(Operation.MESSAGE, -1, false);

    private final Error failure = new AssertionError("of a test");

    /** The other one has more to write than it could ever. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldEndAsSoonAsOneFails() {
        try (Stop stop = Stop.onInterrupt();
                LatencyRecorder recorder = LatencyRecorder.start(
                        List.of(LatencySeries.inMemory("write")), ROW, 2, List.of(), LatencyRecorder.Listener.NONE)) {
            WriteLoop loop = new WriteLoop(ROW, 1, System::nanoTime, new ClockCost(1, 0), stop);
            Producers producers = new Producers(loop, 2, false, Pinning.none());
            long never = System.nanoTime() + Long.MAX_VALUE / 2;

            assertThatThrownBy(() -> producers.write(journal(), Long.MAX_VALUE / 2, -1, never, recorder))
                    .isSameAs(failure);
        }
    }

    /** One that fails the second producer. */
    private Journal journal() {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(),
                new Class<?>[] {Journal.class},
                (proxy, method, arguments) -> target((Integer) arguments[0]));
    }

    private Target target(int producer) {
        return new Target() {

            @Override
            public void prepare(long index) {}

            @Override
            public long write() {
                if (producer == 1) {
                    throw (AssertionError) failure;
                }
                return 1;
            }

            @Override
            public long commit() {
                return 1;
            }
        };
    }
}
