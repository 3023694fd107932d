package io.persist.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds out how long each record took from the start of its write, with a rate the intended one, until its position was
 * reached, by the durability that was asked for or by a reader: the positions of the records on the one hand, the times
 * at which positions were reached on the other.
 *
 * <p><b>Threads:</b> the recorder's. <b>Allocation:</b> none, but to grow with the number of records that are on
 * their way.
 */
public final class PositionLatencies {

    private static final int CAPACITY = 1 << 12;

    /** Of the times that were looked up, so many are kept at most for a producer that is late. */
    private static final int MAX_HISTORY = 1 << 20;

    private final PositionTimes times;
    private final long clockCostNs;
    private final List<Producer> producers;
    private final LongPairs history = new LongPairs(CAPACITY);
    private LongPairs spare = new LongPairs(CAPACITY);

    public PositionLatencies(PositionTimes times, ClockCost clockCost, int producers) {
        this.times = times;
        this.clockCostNs = clockCost.ns();
        this.producers = new ArrayList<>(
                IntStream.range(0, producers).mapToObj(each -> new Producer()).toList());
    }

    /** A producer has written a record that ends at {@code position}. */
    void add(int producer, long position, long startNs) {
        producers.get(producer).pending.add(position, startNs);
    }

    /** Hands the latencies of all records that have been reached by now to the sink. */
    void match(Sink sink) {
        LongPairs taken = times.take(spare);
        for (int i = 0; i < taken.size(); i++) {
            history.add(taken.first(i), taken.second(i));
        }
        taken.clear();
        spare = taken;
        int done = history.size();
        for (Producer producer : producers) {
            match(producer, sink);
            done = Math.min(done, producer.next);
        }
        forget(Math.max(done, history.size() - MAX_HISTORY));
    }

    /** Both queues are in the order of positions. */
    private void match(Producer producer, Sink sink) {
        LongPairs pending = producer.pending;
        int record = 0;
        while (record < pending.size()) {
            while (producer.next < history.size() && history.first(producer.next) < pending.first(record)) {
                producer.next++;
            }
            if (producer.next == history.size()) {
                break;
            }
            sink.onLatency(Math.max(0, history.second(producer.next) - pending.second(record) - clockCostNs));
            record++;
        }
        pending.removeFirst(record);
    }

    private void forget(int count) {
        history.removeFirst(count);
        for (Producer producer : producers) {
            producer.next = Math.max(0, producer.next - count);
        }
    }

    private static final class Producer {

        /** Position and start of each record that has not been reached yet. */
        final LongPairs pending = new LongPairs(CAPACITY);

        /** The first entry of the history that can matter to a record that is still to come. */
        int next;
    }

    /** Takes latencies in ns. */
    @FunctionalInterface
    interface Sink {

        void onLatency(long latencyNs);
    }
}
