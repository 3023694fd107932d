package io.persist.peers.trial.load;

import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.Second;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Appends by one producer as fast as it goes, and measures each append by one look at the clock: an append begins when
 * the one before has ended.
 */
final class SustainedLoop {

    private static final long SLOT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SLOTS_PER_SECOND = 100;

    private final Producer producer;
    private final ByteBuffer message;
    private final long first;
    private final long most;
    private final long leastNs;
    private final SlotCounts slots = new SlotCounts();
    private final List<Histogram> seconds = new ArrayList<>();
    private final List<Long> secondEnds = new ArrayList<>();

    private Histogram current = Latencies.empty();
    private long startNs;
    private long slotEndNs;
    private long firstNs;
    private long endNs;
    private long count;

    /**
     * @param first messages, whose rate is told apart; so many are appended at least
     * @param most messages to append, which comes before all else
     * @param leastNs how long it goes on at least
     */
    SustainedLoop(Producer producer, long first, long most, long leastNs) {
        this.producer = producer;
        this.message = producer.message();
        this.first = Math.min(first, most);
        this.most = most;
        this.leastNs = leastNs;
        Stamp.fillRest(message);
    }

    void run() throws IOException {
        startNs = System.nanoTime();
        slotEndNs = startNs + SLOT_NS;
        long before = startNs;
        long appended = 0;
        boolean goesOn = true;
        while (goesOn && appended < most) {
            Stamp.putSequence(message, appended++);
            producer.append();
            long now = System.nanoTime();
            long took = now - before;
            before = now;
            if (now - slotEndNs >= 0) {
                endSlots(appended - 1, now);
                goesOn = appended < first || now - startNs < leastNs;
                before = System.nanoTime(); // what that took is no append's
            }
            Latencies.record(current, took);
            if (appended == first) {
                firstNs = now - startNs;
            }
        }
        endNs = before - startNs;
        count = appended;
        if (current.getTotalCount() > 0) {
            endSecond(endNs);
        }
    }

    /** Those that have ended before {@code now}. The append that has just returned is the first one of the next. */
    private void endSlots(long appended, long now) {
        while (now - slotEndNs >= 0) {
            slots.end(appended);
            if (slots.size() % SLOTS_PER_SECOND == 0) {
                endSecond(slotEndNs - startNs);
            }
            slotEndNs += SLOT_NS;
        }
    }

    private void endSecond(long atNs) {
        seconds.add(current);
        secondEnds.add(atNs);
        current = Latencies.empty();
    }

    long count() {
        return count;
    }

    /** From the first append's beginning to the last one's end. */
    long elapsedNs() {
        return endNs;
    }

    long firstCount() {
        return first;
    }

    /** How long the first ones took. */
    long firstNs() {
        return firstNs;
    }

    List<Second> seconds() {
        List<Second> all = new ArrayList<>();
        long fromNs = 0;
        for (int i = 0; i < seconds.size(); i++) {
            all.add(Second.of(fromNs, secondEnds.get(i), seconds.get(i)));
            fromNs = secondEnds.get(i);
        }
        return all;
    }

    Histogram latencies() {
        Histogram all = Latencies.empty();
        seconds.forEach(all::add);
        return all;
    }

    /** The longest time in which no tenth of what is usual got through: in one append, or in several slow ones. */
    long longestStallNs() {
        return Math.max(latencies().getMaxValue(), slots.longestBelowTenth() * SLOT_NS);
    }
}
