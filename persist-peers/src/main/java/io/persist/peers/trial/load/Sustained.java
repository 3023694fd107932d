package io.persist.peers.trial.load;

import com.sun.management.OperatingSystemMXBean;
import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.result.Median;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Second;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Appends for a long time into a new log that nobody has prepared, and counts what that costs until it is synced. */
public final class Sustained {

    private static final String LOG = "sustained";
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final long QUIET_MS = 100;
    private static final long MOST_WAIT_NS = TimeUnit.SECONDS.toNanos(3);

    private final Trial trial;
    private final DeviceWrites device;
    private final Map<Metric, Double> figures = new EnumMap<>(Metric.class);

    private Sustained(Trial trial) {
        this.trial = trial;
        this.device = DeviceWrites.of(Path.of(trial.directory()));
    }

    public static TrialResult run(Trial trial, Logs logs, Sampling sampling) throws IOException, InterruptedException {
        warmUp(trial, logs);
        return new Sustained(trial).run(logs, sampling);
    }

    private static void warmUp(Trial trial, Logs logs) throws IOException {
        long leftNs = trial.warmupNs();
        while (leftNs > 0) {
            SustainedLoop loop;
            try (Engine engine = logs.create("warm-up", trial.warmupMessages());
                    Producer producer = engine.producer()) {
                loop = new SustainedLoop(producer, 0, trial.warmupMessages(), leftNs);
                loop.run();
                engine.drain();
            }
            logs.delete("warm-up");
            leftNs -= loop.elapsedNs();
        }
    }

    private TrialResult run(Logs logs, Sampling sampling) throws IOException, InterruptedException {
        awaitQuiet();
        OptionalLong writtenBefore = device.bytes();
        long cpuBefore = SYSTEM.getProcessCpuTime();
        long openNs = System.nanoTime();
        SustainedLoop loop;
        long drainNs;
        long closeNs;
        try (Engine engine = logs.create(LOG, trial.messages())) {
            figures.put(Metric.OPEN_MS, (System.nanoTime() - openNs) / 1e6);
            try (Producer producer = engine.producer()) {
                loop = new SustainedLoop(
                        producer,
                        trial.leastMessages(),
                        trial.messages(),
                        trial.limits().durationNs());
                sampling.begin();
                sampling.enter();
                loop.run();
            }
            long startNs = System.nanoTime();
            engine.drain();
            drainNs = System.nanoTime() - startNs;
            sampling.leave();
            sampling.end();
            closeNs = System.nanoTime();
        }
        closeNs = System.nanoTime() - closeNs;
        double cpuS = (SYSTEM.getProcessCpuTime() - cpuBefore) / 1e9;
        long syncNs = System.nanoTime();
        DirectoryTree.sync(Path.of(trial.directory()));
        syncNs = System.nanoTime() - syncNs;
        awaitQuiet();
        OptionalLong writtenAfter = device.bytes();

        long elapsedNs = loop.elapsedNs() + drainNs;
        put(Metric.CLOSE_S, closeNs / 1e9);
        put(Metric.SYNC_S, syncNs / 1e9);
        put(Metric.SYNCED_RATE, loop.count() * 1e9 / (elapsedNs + closeNs + syncNs));
        put(Metric.CPU_S, cpuS * 1e6 / loop.count());
        if (writtenBefore.isPresent() && writtenAfter.isPresent()) {
            double logical = (double) loop.count() * trial.messageLength();
            put(Metric.DEVICE_BYTES, (writtenAfter.getAsLong() - writtenBefore.getAsLong()) / logical);
        }
        putRates(loop, elapsedNs);
        logs.delete(LOG);
        return new TrialResult(loop.count(), elapsedNs, Latencies.encode(loop.latencies()), figures, loop.seconds());
    }

    private void putRates(SustainedLoop loop, long elapsedNs) {
        put(Metric.FIRST_RATE, loop.firstCount() * 1e9 / loop.firstNs());
        laterRate(loop.count() - loop.firstCount(), elapsedNs - loop.firstNs())
                .ifPresent(rate -> put(Metric.LATER_RATE, rate));
        put(Metric.STALL_MS, loop.longestStallNs() / 1e6);
        figures.putAll(rateFigures(loop.seconds()));
    }

    /** The slowest second, the median and the fastest. */
    static Map<Metric, Double> rateFigures(List<Second> seconds) {
        double[] rates = rates(seconds);
        return Map.of(
                Metric.SLOWEST_SECOND,
                rates[0],
                Metric.MEDIAN_SECOND,
                Median.of(Arrays.stream(rates)).orElseThrow(),
                Metric.FASTEST_SECOND,
                rates[rates.length - 1]);
    }

    /** None of less than a second, which would be one of chance: whatever an engine has yet to write weighs most. */
    static OptionalDouble laterRate(long count, long ns) {
        return ns < TimeUnit.SECONDS.toNanos(1) ? OptionalDouble.empty() : OptionalDouble.of(count * 1e9 / ns);
    }

    /** Of the seconds that are whole, if there are any; sorted. */
    static double[] rates(List<Second> seconds) {
        List<Second> whole = seconds.stream()
                .filter(each -> each.endNs() - each.startNs() >= TimeUnit.SECONDS.toNanos(1))
                .toList();
        return (whole.isEmpty() ? seconds : whole)
                .stream().mapToDouble(Second::perSecond).sorted().toArray();
    }

    private void put(Metric metric, double value) {
        figures.put(metric, value);
    }

    /** Until nothing is written to the device any more, be it by others; they may go on, so not for long. */
    private void awaitQuiet() throws InterruptedException {
        long deadlineNs = System.nanoTime() + MOST_WAIT_NS;
        OptionalLong before = OptionalLong.empty();
        OptionalLong now = device.bytes();
        while (now.isPresent() && !now.equals(before) && System.nanoTime() - deadlineNs < 0) {
            Thread.sleep(QUIET_MS);
            before = now;
            now = device.bytes();
        }
    }
}
