package io.persist.bench.latency;

/**
 * What one reading of the clock costs. Each measured interval contains about one such reading, so it is taken off.
 *
 * @param calls how many were timed
 * @param callNs what each took in the fastest batch: on a busy machine the mean contains the time of other programs,
 *     and to take that off would make the latencies look better than they are
 */
public record ClockCost(long calls, double callNs) {

    private static final int BATCH = 10_000;
    private static final int MAX_BATCHES = 300;
    private static final long MAX_NS = 500_000_000;

    /**
     * That of {@link System#nanoTime}. It is timed once in a JVM, when it is first asked for: the clock stays the
     * same, and that takes some 70 ms of a CPU. Any thread.
     */
    public static ClockCost ofSystem() {
        return OfSystem.COST;
    }

    private static final class OfSystem {
        static final ClockCost COST = calibrate(System::nanoTime);
    }

    /** Times three million calls, or as many as half a second allows. The first batches only get the loop compiled. */
    public static ClockCost calibrate(NanoClock clock) {
        long start = clock.nanoTime();
        long calls = 0;
        long fastestNs = Long.MAX_VALUE;
        long end = start;
        for (int batch = 0; batch < MAX_BATCHES && end - start < MAX_NS; batch++) {
            long batchStart = clock.nanoTime();
            end = readRepeatedly(clock);
            fastestNs = Math.min(fastestNs, end - batchStart);
            calls += BATCH;
        }
        return new ClockCost(calls, (double) fastestNs / BATCH);
    }

    private static long readRepeatedly(NanoClock clock) {
        long last = 0;
        for (int i = 0; i < BATCH; i++) {
            last = clock.nanoTime();
        }
        return last;
    }

    /** What is taken off each latency. */
    public long ns() {
        return Math.round(callNs);
    }
}
