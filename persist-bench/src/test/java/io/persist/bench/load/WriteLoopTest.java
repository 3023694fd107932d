package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.bench.EventfulMessages;
import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.FakeClock;
import io.persist.bench.latency.LatencyRing;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.latency.Operation;
import io.persist.bench.latency.Target;
import io.persist.bench.record.CarMessage;
import io.persist.bench.record.MessageRecords;
import io.persist.bench.record.Messages;
import io.persist.bench.record.PatternMessages;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteLoopTest {

    private static final long NEVER = Long.MAX_VALUE / 2;
    private static final ClockCost FREE = new ClockCost(1, 0);

    private static final LatencyRow ATTACHED = LatencyRow.of(Operation.MESSAGE, -1, false);

    @TempDir
    Path directory;

    private final FakeClock clock = new FakeClock(100);
    private final Stop stop = Stop.onInterrupt();
    private MessageLogger log;

    @BeforeEach
    void open() {
        log = MessageLogger.open(
                LogConfig.builder(directory).segmentLength(1 << 20).build());
    }

    @AfterEach
    void close() {
        log.close();
        stop.close();
    }

    @Test
    void shouldWriteTheMessagesInOrder() throws ReadPass.VerificationException {
        CarMessage messages = new CarMessage();
        LatencyRing ring = new LatencyRing(1, 64);

        WriteLoop.Written written = loop(1).write(target(messages), 10, NEVER, Pacer.unlimited(clock), ring);

        assertThat(written.count()).isEqualTo(10);
        assertThat(log.lastSequence()).isEqualTo(10);
        try (Tailer tailer = log.tailer()) {
            assertThat(new ReadPass(new MessageRecords(messages), 1, stop)
                            .read(tailer, 1, 10)
                            .count())
                    .isEqualTo(10);
        }
    }

    @Test
    void shouldTakeTheCostOfTheClockOffEachLatency() {
        LatencyRing ring = new LatencyRing(1, 64);

        new WriteLoop(ATTACHED, 1, clock, new ClockCost(1, 30), stop)
                .write(target(new CarMessage()), 3, NEVER, Pacer.unlimited(clock), ring);

        assertThat(values(ring, 0)).containsExactly(70L, 70L, 70L);
    }

    @Test
    void shouldNotMeasureLessThanNothing() {
        LatencyRing ring = new LatencyRing(1, 64);

        new WriteLoop(ATTACHED, 1, clock, new ClockCost(1, 1000), stop)
                .write(target(new CarMessage()), 1, NEVER, Pacer.unlimited(clock), ring);

        assertThat(values(ring, 0)).containsExactly(0L);
    }

    @Test
    void shouldShowInTheResponseSeriesWhatAStallDidToTheMessagesAfterIt() {
        // Message 2 is stalled by 10 us; one is due every 1 us, so those after it are late, each by 800 ns less.
        Messages stalling = new EventfulMessages(2, () -> clock.advance(10_000));
        LatencyRing ring = new LatencyRing(2, 64);

        new WriteLoop(LatencyRow.of(Operation.MESSAGE, 1_000_000, false), 1, clock, FREE, stop)
                .write(target(stalling), 20, NEVER, Pacer.of(1_000_000, clock), ring);
        List<List<Long>> series = bothSeries(ring);

        assertThat(series.get(0)).containsOnly(100L);
        List<Long> response = series.get(1);
        assertThat(response.subList(0, 2)).allMatch(latencyNs -> latencyNs <= 200);
        assertThat(response.get(2)).isBetween(9_000L, 10_200L);
        assertThat(response.get(3)).isBetween(8_000L, 9_400L);
        assertThat(response.get(8)).isBetween(4_000L, 5_400L);
        assertThat(response.get(19)).isLessThanOrEqualTo(200L);
    }

    @Test
    void shouldEndAtTheDeadline() {
        LatencyRing ring = new LatencyRing(1, 64);

        WriteLoop.Written written =
                loop(1).write(target(new CarMessage()), 50, clock.peek() + 1_050, Pacer.unlimited(clock), ring);

        assertThat(written.count()).isEqualTo(5);
    }

    @Test
    void shouldEndAtTheDeadlineWhileItWaitsForItsTurn() {
        LatencyRing ring = new LatencyRing(2, 64);
        long deadlineNs = clock.peek() + 10_000;

        WriteLoop.Written written = new WriteLoop(LatencyRow.of(Operation.MESSAGE, 1, false), 1, clock, FREE, stop)
                .write(target(new CarMessage()), 50, deadlineNs, Pacer.of(1, clock), ring);

        assertThat(written.count()).isEqualTo(1);
        assertThat(log.lastSequence()).isEqualTo(1);
        assertThat(clock.peek()).isLessThan(deadlineNs + 1000);
    }

    @Test
    void shouldEndWhenAskedToStopWhileItWaitsForItsTurn() {
        Messages stopping = new EventfulMessages(3, stop::request);

        WriteLoop.Written written = new WriteLoop(LatencyRow.of(Operation.MESSAGE, 1000, false), 1, clock, FREE, stop)
                .write(target(stopping), 50, NEVER, Pacer.of(1000, clock), new LatencyRing(2, 64));

        // It was requested when number 3 had been prepared, and its turn had not come.
        assertThat(written.count()).isEqualTo(3);
        assertThat(log.lastSequence()).isEqualTo(3);
    }

    @Test
    void shouldCountTheCommitInTheEndToTheTimeOfAll() {
        LatencyRing ring = new LatencyRing(1, 64);
        Target slowToCommit = new LoggerTarget(log, new CarMessage()) {
            @Override
            public long commit() {
                clock.advance(1_000_000);
                return super.commit();
            }
        };

        WriteLoop.Written written = loop(1000).write(slowToCommit, 10, NEVER, Pacer.unlimited(clock), ring);

        assertThat(written.endNs() - written.startNs()).isBetween(1_000_000L, 1_010_000L);
        assertThat(values(ring, 0)).hasSize(10).allMatch(latencyNs -> latencyNs < 1000);
    }

    @Test
    void shouldNotCountTheTurnOfAProducerThatHasWrittenNothing() {
        WriteLoop.Written one = new WriteLoop.Written(10, 100, 1100, 640);
        WriteLoop.Written none = new WriteLoop.Written(0, 9000, 9000, 0);
        WriteLoop.Written other = new WriteLoop.Written(5, 200, 2100, 960);

        assertThat(one.and(none)).isEqualTo(one);
        assertThat(none.and(one)).isEqualTo(one);
        assertThat(one.and(other)).isEqualTo(new WriteLoop.Written(15, 100, 2100, 960));
    }

    @Test
    void shouldEndWhenAskedToStop() {
        stop.request();

        assertThat(loop(1).write(target(new CarMessage()), 50, NEVER, Pacer.unlimited(clock), new LatencyRing(1, 64))
                        .count())
                .isZero();
    }

    @Test
    void shouldCommitAfterEachNthMessageAndInTheEnd() {
        long before = log.committedPosition();

        loop(4).write(target(new CarMessage()), 10, NEVER, Pacer.unlimited(clock), new LatencyRing(1, 64));

        assertThat(log.committedPosition()).isEqualTo(log.position()).isGreaterThan(before);
        assertThat(commitStarts()).containsExactly(5L, 9L);
    }

    @Test
    void shouldTellDetachedWhereEachRecordEndsAndWhenItsWriteStarted() {
        LatencyRow row = LatencyRow.of(Operation.MESSAGE, 1_000_000, true);
        LatencyRing ring = new LatencyRing(row.width(), 64);
        long before = log.position();

        WriteLoop.Written written = new WriteLoop(row, 1, clock, FREE, stop)
                .write(target(new PatternMessages(40)), 3, NEVER, Pacer.of(1_000_000, clock), ring);

        List<Long> ends = values(ring, row.position());
        assertThat(ends).hasSize(3).isSorted().last().isEqualTo(written.position());
        assertThat(ends.get(0)).isEqualTo(before + 64);
        assertThat(log.position()).isEqualTo(written.position());
    }

    @Test
    void shouldPutTheStartOfEachWriteBehindItsPosition() {
        LatencyRow row = LatencyRow.of(Operation.MESSAGE, -1, true);
        LatencyRing ring = new LatencyRing(row.width(), 64);

        new WriteLoop(row, 1, clock, FREE, stop)
                .write(target(new PatternMessages(40)), 3, NEVER, Pacer.unlimited(clock), ring);

        // Each write reads the clock twice: after 100 ns at its start, after another 100 in the end.
        assertThat(values(ring, row.start())).containsExactly(200L, 400L, 600L);
    }

    /** Or what a stall did to the writes behind it would be missing in the latencies until they are durable. */
    @Test
    void shouldPutTheIntendedStartWithARate() {
        Messages stalling = new EventfulMessages(2, () -> clock.advance(10_000));
        LatencyRow row = LatencyRow.of(Operation.MESSAGE, 1_000_000, true);
        LatencyRing ring = new LatencyRing(row.width(), 64);

        WriteLoop.Written written = new WriteLoop(row, 1, clock, FREE, stop)
                .write(target(stalling), 5, NEVER, Pacer.of(1_000_000, clock), ring);

        long first = written.startNs();
        assertThat(values(ring, row.start()))
                .containsExactly(first, first + 1000, first + 2000, first + 3000, first + 4000);
    }

    /** The records before which a commit ended, but the first. */
    private List<Long> commitStarts() {
        List<Long> starts = new ArrayList<>();
        try (Tailer tailer = log.tailer()) {
            while (tailer.next()) {
                if (tailer.startsCommit() && tailer.sequence() > 1) {
                    starts.add(tailer.sequence());
                }
            }
        }
        return starts;
    }

    private WriteLoop loop(long numPerCommit) {
        return new WriteLoop(ATTACHED, numPerCommit, clock, FREE, stop);
    }

    private Target target(Messages messages) {
        return new LoggerTarget(log, messages);
    }

    private static List<Long> values(LatencyRing ring, int series) {
        List<Long> values = new ArrayList<>();
        ring.drain((index, latencyNs) -> {
            if (index == series) {
                values.add(latencyNs);
            }
        });
        return values;
    }

    private static List<List<Long>> bothSeries(LatencyRing ring) {
        List<List<Long>> values = List.of(new ArrayList<>(), new ArrayList<>());
        ring.drain((index, latencyNs) -> values.get(index).add(latencyNs));
        return values;
    }

    private static class LoggerTarget implements Target {

        private final MessageLogger log;
        private final Messages messages;
        private ByteBuffer message = ByteBuffer.allocate(0);

        LoggerTarget(MessageLogger log, Messages messages) {
            this.log = log;
            this.messages = messages;
        }

        @Override
        public void prepare(long index) {
            message = messages.message(index);
        }

        @Override
        public long write() {
            return log.append(message);
        }

        @Override
        public long commit() {
            return log.commit();
        }
    }
}
