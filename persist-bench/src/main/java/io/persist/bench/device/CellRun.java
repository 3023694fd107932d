package io.persist.bench.device;

import com.sun.management.OperatingSystemMXBean;
import io.persist.bench.device.Worker.Stretch;
import io.persist.bench.host.WorkThreads;
import io.persist.command.Text;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Measures one cell after another: a thread for each file, and fio in turns with them if it is asked to be. */
final class CellRun {

    /** With fio: so that both meet what else the disk does. */
    private static final int TURNS = 2;

    private final DeviceFlags flags;
    private final List<TestFile> files;
    private final @Nullable Fio fio;
    private final long memoryBytes;
    private final BooleanSupplier isEnding;

    CellRun(DeviceFlags flags, List<TestFile> files, @Nullable Fio fio, long memoryBytes, BooleanSupplier isEnding) {
        this.flags = flags;
        this.files = files;
        this.fio = fio;
        this.memoryBytes = memoryBytes;
        this.isEnding = isEnding;
    }

    /** What cannot be measured is an empty result that says why; never another engine's. */
    CellResult measure(Cell cell) throws InterruptedException {
        Optional<String> missing = cell.engine().missing().get();
        if (missing.isPresent()) {
            return CellResult.empty(cell, missing.get());
        }
        Total total = new Total();
        FioTurns fioTurns = new FioTurns();
        int turns = fio == null ? 1 : TURNS;
        try {
            for (int turn = 0; turn < turns && !isEnding.getAsBoolean(); turn++) {
                total.add(turn(cell, turn == 0 ? flags.warmup : Math.min(flags.warmup, 0.2), flags.seconds / turns));
                if (fio != null && !isEnding.getAsBoolean()) {
                    fioTurns.add(fio, cell, flags.seconds / turns);
                }
            }
        } catch (IOException | RuntimeException | InternalError e) { // that one: a page of a mapping is not there
            return CellResult.empty(cell, why(e));
        } catch (OutOfMemoryError e) {
            return CellResult.empty(
                    cell,
                    "no memory for its blocks (" + Text.describe(e) + "); give a smaller --block, --depth or number of"
                            + " files, or more by PERSIST_JAVA_OPTS=-Xmx");
        }
        long bytes = files.stream().mapToLong(TestFile::length).sum();
        boolean isCut =
                isEnding.getAsBoolean() && (total.turns < turns || total.elapsedNs < (long) (flags.seconds * 1e9));
        return new CellResult(
                cell,
                total.startedAt,
                total.latencies,
                total.rates / Math.max(1, total.turns),
                total.elapsedNs,
                total.cpuNs,
                CellResult.isCached(cell, bytes, memoryBytes),
                fioTurns.perSecond(),
                total.latencies.getTotalCount() == 0 ? "interrupted" : "",
                isCut ? String.format(Locale.ROOT, "cut short after %.1f s", total.elapsedNs / 1e9) : fioTurns.failure);
    }

    private String why(Throwable e) {
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

    /** What fio has done beside it. When it fails it is not asked again: what was measured here stands without it. */
    private final class FioTurns {

        private String failure = "";
        private double rates;
        private int turns;

        void add(Fio program, Cell cell, double seconds) throws InterruptedException {
            if (!failure.isEmpty()) {
                return;
            }
            try {
                OptionalDouble rate = program.perSecond(cell, files, seconds, isEnding);
                rates += rate.orElse(0);
                turns += rate.isPresent() ? 1 : 0; // not all are done if the user stops it
            } catch (IOException e) {
                failure = "nothing of fio: " + Text.describe(e);
            }
        }

        @Nullable
        Double perSecond() {
            return turns == 0 || !failure.isEmpty() ? null : Double.valueOf(rates / turns);
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
        try (WorkThreads<Stretch> threads = WorkThreads.start("device-file", tasks)) {
            return threads.results();
        } catch (ExecutionException e) {
            throw new IOException(Text.describe(e.getCause() == null ? e : e.getCause()), e);
        }
    }

    /** Of all threads: some engines work in threads of their own. Those of the kernel are not in it. */
    private static long cpuNs() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
