package io.persist.bench.device;

import com.sun.management.OperatingSystemMXBean;
import io.persist.bench.device.Worker.Stretch;
import io.persist.command.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Measures one cell after another: a thread for each file, and fio in turns with them if it is asked to be. */
final class CellRun implements AutoCloseable {

    /** With fio: so that both meet what else the disk does. */
    private static final int TURNS = 2;

    private final DeviceFlags flags;
    private final List<TestFile> files;
    private final @Nullable Fio fio;
    private final long memoryBytes;
    private final BooleanSupplier isEnding;
    private final ExecutorService threads;

    CellRun(DeviceFlags flags, List<TestFile> files, @Nullable Fio fio, long memoryBytes, BooleanSupplier isEnding) {
        this.flags = flags;
        this.files = files;
        this.fio = fio;
        this.memoryBytes = memoryBytes;
        this.isEnding = isEnding;
        threads = Executors.newFixedThreadPool(files.size(), task -> {
            Thread thread = new Thread(task, "device-file");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What cannot be measured is an empty result that says why; never another engine's. */
    CellResult measure(Cell cell) throws InterruptedException {
        Optional<String> missing = cell.engine().missing().get();
        if (missing.isPresent()) {
            return CellResult.empty(cell, missing.get());
        }
        Total total = new Total();
        double fioRates = 0;
        int fioTurns = 0;
        try {
            int turns = fio == null ? 1 : TURNS;
            for (int turn = 0; turn < turns && !isEnding.getAsBoolean(); turn++) {
                total.add(turn(cell, turn == 0 ? flags.warmup : Math.min(flags.warmup, 0.2), flags.seconds / turns));
                if (fio != null && !isEnding.getAsBoolean()) {
                    OptionalDouble rate = fio.perSecond(cell, files, flags.seconds / turns, isEnding);
                    fioRates += rate.orElse(0);
                    fioTurns += rate.isPresent() ? 1 : 0; // not all are done if the user stops it
                }
            }
        } catch (IOException | UncheckedIOException | UnsupportedOperationException | IllegalArgumentException e) {
            return CellResult.empty(cell, why(e));
        }
        long bytes = files.stream().mapToLong(TestFile::length).sum();
        return new CellResult(
                cell,
                total.startedAt,
                total.latencies,
                total.rates / Math.max(1, total.turns),
                total.elapsedNs,
                total.cpuNs,
                CellResult.isCached(cell, bytes, memoryBytes),
                fioTurns == 0 ? null : Double.valueOf(fioRates / fioTurns),
                total.latencies.getTotalCount() == 0 ? "interrupted" : "");
    }

    private String why(Exception e) {
        String why = Text.describe(e);
        return flags.isAligned() || !why.contains("lign")
                ? why
                : why + "; O_DIRECT needs a --block that is a multiple of 4096";
    }

    /** The sum of the turns. */
    private static final class Total {

        private final Histogram latencies = new Histogram(3);
        private final Instant startedAt = Instant.now();
        private double rates;
        private long elapsedNs;
        private long cpuNs;
        private int turns;

        void add(Turn turn) {
            turns++;
            cpuNs += turn.cpuNs;
            long longestNs = 0;
            for (Stretch stretch : turn.stretches) {
                latencies.add(stretch.latencies());
                rates += stretch.perSecond();
                longestNs = Math.max(longestNs, stretch.elapsedNs());
            }
            elapsedNs += longestNs;
        }
    }

    private record Turn(List<Stretch> stretches, long cpuNs) {}

    private Turn turn(Cell cell, double warmupSeconds, double seconds) throws IOException, InterruptedException {
        List<Worker> workers = new ArrayList<>();
        try {
            for (TestFile file : files) {
                workers.add(new Worker(cell, file, flags.block(), flags.seed + workers.size(), isEnding));
            }
            if (warmupSeconds > 0) {
                all(workers, warmupSeconds);
            }
            long cpuBeforeNs = cpuNs();
            List<Stretch> stretches = all(workers, seconds);
            return new Turn(stretches, cpuNs() - cpuBeforeNs);
        } finally {
            for (Worker worker : workers) {
                worker.close();
            }
            for (TestFile file : files) {
                file.settle();
            }
        }
    }

    private List<Stretch> all(List<Worker> workers, double seconds) throws IOException, InterruptedException {
        long forNs = (long) (seconds * 1e9);
        List<Callable<Stretch>> tasks = new ArrayList<>();
        workers.forEach(worker -> tasks.add(() -> worker.work(forNs)));
        List<Stretch> stretches = new ArrayList<>();
        for (Future<Stretch> each : threads.invokeAll(tasks)) {
            try {
                stretches.add(each.get());
            } catch (ExecutionException e) {
                throw new IOException(Text.describe(e.getCause() == null ? e : e.getCause()), e);
            }
        }
        return stretches;
    }

    /** Of all threads: some engines work in threads of their own. Those of the kernel are not in it. */
    private static long cpuNs() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
