package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.FakeClock;
import io.persist.bench.latency.LatencyRing;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.latency.Operation;
import io.persist.bench.latency.Target;
import io.persist.bench.load.Pacer;
import io.persist.bench.load.Stop;
import io.persist.bench.load.WriteLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the loop splits a write into its parts: each call of the target takes a known time of a fake clock. */
class OperationPartsTest {

    private static final long NEVER = Long.MAX_VALUE / 2;
    private static final long PREPARE_NS = 1_000;
    private static final long WRITE_NS = 20_000;
    private static final long COMMIT_NS = 300_000;
    /** Each reading of the clock takes so long, all of which is taken off. */
    private static final long READING_NS = 7;

    private final FakeClock clock = new FakeClock(READING_NS);
    private final Stop stop = Stop.onInterrupt();

    @AfterEach
    void close() {
        stop.close();
    }

    @Test
    void shouldMeasureAMessageInOnePiece() {
        assertThat(measure(Operation.MESSAGE, 1, false))
                .containsExactly(List.of("write", WRITE_NS + COMMIT_NS), List.of("write", WRITE_NS + COMMIT_NS));
    }

    @Test
    void shouldSplitAPacketIntoPreparationWriteAndFlush() {
        assertThat(measure(Operation.PACKET, 2, false))
                .containsExactly(
                        List.of("prep", PREPARE_NS, "write", WRITE_NS, "total", PREPARE_NS + WRITE_NS),
                        List.of(
                                "prep", PREPARE_NS,
                                "write", WRITE_NS,
                                "flush", COMMIT_NS,
                                "total", PREPARE_NS + WRITE_NS + COMMIT_NS));
    }

    @Test
    void shouldSplitAPutIntoPreparationAndTheCommitOfItsTransaction() {
        assertThat(measure(Operation.PUT, 2, false))
                .containsExactly(
                        List.of("prep", PREPARE_NS + WRITE_NS, "total", PREPARE_NS + WRITE_NS),
                        List.of(
                                "prep", PREPARE_NS + WRITE_NS,
                                "write", COMMIT_NS,
                                "total", PREPARE_NS + WRITE_NS + COMMIT_NS));
    }

    @Test
    void shouldTakeAppendAndCommitTogetherWhereThePacketIsHandedOver() {
        List<Object> second = measure(Operation.PACKET, 2, true).get(1);

        assertThat(second.subList(0, 6))
                .containsExactly(
                        "prep",
                        PREPARE_NS,
                        "hand-off",
                        WRITE_NS + COMMIT_NS,
                        "total",
                        PREPARE_NS + WRITE_NS + COMMIT_NS);
    }

    @Test
    void shouldPutThePreparationIntoTheResponseToo() {
        LatencyRow row = LatencyRow.of(Operation.PACKET, 1, false);
        LatencyRing ring = new LatencyRing(row.width(), 8);

        loop(row, 1).write(new SlowTarget(), 1, NEVER, Pacer.of(1, clock), ring);

        // The start comes one reading of the clock after the moment that was intended for it.
        assertThat(rows(row, ring).get(0)).endsWith("response", PREPARE_NS + WRITE_NS + COMMIT_NS + READING_NS);
    }

    @Test
    void shouldTellTheReadersOfAPutWhereItsTransactionEnds() {
        LatencyRow row = LatencyRow.of(Operation.PUT, -1, true);
        LatencyRing ring = new LatencyRing(row.width(), 8);

        WriteLoop.Written written = loop(row, 2)
                .write(
                        new SlowTarget() {
                            @Override
                            public long write() {
                                super.write();
                                return UNKNOWN;
                            }
                        },
                        3,
                        NEVER,
                        Pacer.unlimited(clock),
                        ring);

        List<Long> positions = new ArrayList<>();
        ring.drain((index, value) -> {
            if (index == row.position()) {
                positions.add(value);
            }
        });
        assertThat(positions).containsExactly(Target.UNKNOWN, 1L, Target.UNKNOWN);
        assertThat(written.position()).isEqualTo(2);
    }

    /** The names and values that two writes have. */
    private List<List<Object>> measure(Operation operation, long numPerCommit, boolean detached) {
        LatencyRow row = LatencyRow.of(operation, -1, detached);
        LatencyRing ring = new LatencyRing(row.width(), 8);
        loop(row, numPerCommit).write(new SlowTarget(), 2, NEVER, Pacer.unlimited(clock), ring);
        return rows(row, ring);
    }

    private WriteLoop loop(LatencyRow row, long numPerCommit) {
        return new WriteLoop(row, numPerCommit, clock, new ClockCost(1, READING_NS), stop);
    }

    private static List<List<Object>> rows(LatencyRow row, LatencyRing ring) {
        List<List<Object>> rows = new ArrayList<>();
        ring.drain((index, value) -> {
            if (index == 0) {
                rows.add(new ArrayList<>());
            }
            if (value != LatencyRow.NONE && index < row.latencies()) {
                rows.get(rows.size() - 1).addAll(List.of(row.seriesNames().get(index), value));
            }
        });
        return rows;
    }

    private class SlowTarget implements Target {

        private long commits;

        @Override
        public void prepare(long index) {
            clock.advance(PREPARE_NS);
        }

        @Override
        public long write() {
            clock.advance(WRITE_NS);
            return 100;
        }

        @Override
        public long commit() {
            clock.advance(COMMIT_NS);
            return ++commits;
        }
    }
}
