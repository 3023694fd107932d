package io.persist.peers.state.compare;

import io.persist.jmh.support.ScratchDirectory;
import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineConfig;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * What it takes to overwrite each key some times, one per commit, in an order that is random in each round: the time,
 * the longest pause of a commit, and bytes of files for each byte that is alive. Then how long the engine goes on by
 * itself, and how much less space it can take when told to compact.
 *
 * <p>With a rate a commit's time counts from the moment it was due, so that one that is late because of those before
 * shows it (coordinated omission). The schedule goes on through all rounds: what an engine is behind stays due.
 */
final class SpaceComparison {

    static final String TITLE = """
            | value | keys | engine | overwrites/s | commit p50 µs | p99 | p99.9 | longest ms \
            | bytes of files per live byte: most | at the end | when idle | after s | compacted | after s |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|""";

    private static final int LOOKS_PER_ROUND = 50;
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(10);

    /** A wait that is longer is slept, to leave the CPU to the background; a sleep may last this much too long. */
    private static final long SLEEP_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final ComparisonSettings settings;
    private final StateData data;
    private final int valueLength;
    private final byte[] key = new byte[StateData.KEY_LENGTH];
    private final Histogram times = new Histogram(LONGEST_NS, 3);
    private double mostSpace;
    /** When the next overwrite is due, if there is a rate. */
    private long dueNs;

    private long writingNs;

    SpaceComparison(ComparisonSettings settings, StateData data, int valueLength) {
        this.settings = settings;
        this.data = data;
        this.valueLength = valueLength;
    }

    void run(StateEngineKind kind, PrintStream out) throws IOException {
        try (ScratchDirectory directory = ComparisonSettings.directory(6 * data.liveBytes());
                StateEngine engine = kind.open(StateEngineConfig.of(directory.path(), settings.durability)
                        .withCompaction((long) settings.compactionMiB << 20))) {
            data.load(engine);
            engine.settle();
            begin();
            for (int round = 1; round <= settings.rounds; round++) {
                overwriteAll(engine, round);
            }
            double end = space(engine);
            double idleS = seconds(engine::settle);
            double idle = space(engine);
            double compactedS = seconds(() -> {
                engine.compact();
                engine.settle();
            });
            StateComparison.row(
                    out,
                    "| %d | %d | %s | %.0f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %.1f | %.2f | %.1f |",
                    valueLength,
                    data.keys(),
                    kind,
                    (double) settings.rounds * data.keys() / writingNs * 1e9,
                    times.getValueAtPercentile(50) / 1e3,
                    times.getValueAtPercentile(99) / 1e3,
                    times.getValueAtPercentile(99.9) / 1e3,
                    times.getMaxValue() / 1e6,
                    Math.max(mostSpace, end),
                    end,
                    idle,
                    idleS,
                    space(engine),
                    compactedS);
        }
    }

    /** Lets the first overwrite be due now. */
    void begin() {
        dueNs = System.nanoTime();
    }

    /** Overwrites each key once. What is done besides takes nothing from the engine, so the schedule waits for it. */
    void overwriteAll(StateEngine engine, int round) {
        int[] order = meanwhileNothingIsDue(() -> data.shuffled(round));
        int look = Math.max(1, order.length / LOOKS_PER_ROUND);
        for (int first = 0; first < order.length; first += look) {
            long startNs = System.nanoTime();
            for (int i = first; i < Math.min(first + look, order.length); i++) {
                overwrite(engine, order[i], i + round);
            }
            writingNs += System.nanoTime() - startNs;
            mostSpace = Math.max(mostSpace, meanwhileNothingIsDue(() -> space(engine)));
        }
    }

    private <T> T meanwhileNothingIsDue(Supplier<T> work) {
        long startNs = System.nanoTime();
        T result = work.get();
        dueNs += System.nanoTime() - startNs;
        return result;
    }

    /** How long the commits took, ns. */
    Histogram times() {
        return times;
    }

    private void overwrite(StateEngine engine, int number, int value) {
        StateData.key(number, key);
        long startNs = settings.rate == 0 ? System.nanoTime() : due();
        engine.put(key, data.value(value));
        engine.commit();
        times.recordValue(Math.min(LONGEST_NS, Math.max(0, System.nanoTime() - startNs)));
    }

    /** Waits until the next overwrite is due; returns when that was. */
    private long due() {
        long due = dueNs;
        dueNs += TimeUnit.SECONDS.toNanos(1) / settings.rate;
        long waitNs = due - System.nanoTime();
        while (waitNs > 0) {
            if (waitNs > SLEEP_NS) {
                LockSupport.parkNanos(waitNs - SLEEP_NS);
            }
            Thread.onSpinWait();
            waitNs = due - System.nanoTime();
        }
        return due;
    }

    private double space(StateEngine engine) {
        return (double) engine.fileBytes() / data.liveBytes();
    }

    private static double seconds(Runnable work) {
        long startNs = System.nanoTime();
        work.run();
        return (System.nanoTime() - startNs) / 1e9;
    }
}
