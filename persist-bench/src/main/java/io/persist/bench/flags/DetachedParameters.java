package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.bench.host.CpuSet;
import io.persist.bench.host.Pinning;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.log.DetachedConfig;
import io.persist.log.WaitStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The flags that choose which threads write: through a queue or not, how many, and on which CPUs. */
public final class DetachedParameters {

    /** Each has rings for its latencies, so there has to be a limit. */
    private static final int MAX_PRODUCERS = 64;

    private static final String NONE = "none";

    /** How the source of these programs prints that there is none; its users give it so. */
    private static final String NULL = "null";

    private static final String BLOCK = "block";
    private static final long MAX_WAIT_MS = TimeUnit.DAYS.toMillis(1);

    @Parameter(
            names = {"-d", "--detached"},
            arity = 1,
            order = 10,
            description = "hand over to a queue, from which a thread of its own writes")
    private boolean detached = false;

    @Parameter(
            names = {"-q", "--queueDepth"},
            order = 11,
            placeholder = "N",
            description = "entries of the queue, rounded up to a power of two")
    private long queueDepth = DetachedConfig.DEFAULT_QUEUE_DEPTH;

    @Parameter(
            names = {"-j", "--affinity"},
            order = 12,
            placeholder = "MASK",
            defaultValueDescription = "none",
            description = "CPUs of the thread that writes the log: 0x3 and [0,1] are both CPU 0 and 1")
    private String affinity = NONE;

    @Parameter(
            names = "--producers",
            order = 16,
            placeholder = "N",
            description = "threads that write: of a store always, else with -d; they share --count and --rate")
    private long producers = 1;

    @Parameter(
            names = "--waitStrategy",
            order = 17,
            placeholder = "HOW",
            description = "of the writer at an empty queue: busySpin, yielding, sleeping or blocking")
    private WaitStrategy waitStrategy = WaitStrategy.BLOCKING;

    @Parameter(
            names = "--whenFull",
            order = 18,
            placeholder = "block|fail|MS",
            description = "of the queue: block, or fail at once or after so many ms, and try again")
    private String whenFull = BLOCK;

    @Parameter(
            names = "--queueBytes",
            order = 19,
            placeholder = "BYTES",
            defaultValueDescription = "64MB",
            description = "bytes that fill the queue; by default no more than a quarter of the heap")
    private long queueBytes = DetachedConfig.defaultQueueBytes();

    void validate() {
        Checks.range("--queueDepth", queueDepth, 1, DetachedConfig.MAX_QUEUE_DEPTH);
        Checks.range("--queueBytes", queueBytes, DetachedConfig.MIN_QUEUE_BYTES, DetachedConfig.MAX_QUEUE_BYTES);
        Checks.range("--producers", producers, 1, MAX_PRODUCERS);
        if (!detached && producers > 1 && isBound()) {
            throw new UsageException("--affinity " + affinity + " binds one thread, and there are " + producers
                    + " that write; add --detached true, or leave --affinity out");
        }
        CpuSet cpus = cpus();
        if (cpus != null) {
            cpus.checkWithin(CpuSet.online());
        }
        if (!whenFull.equals(BLOCK)) {
            fullTimeoutMs();
        }
    }

    /** Refuses several producers that would write to an attached log themselves. */
    void requireOneThread() {
        if (!detached && producers > 1) {
            throw new UsageException("--producers " + producers
                    + ": only one thread at a time can write to a log that is not detached; add --detached true");
        }
    }

    public boolean isDetached() {
        return detached;
    }

    public int producers() {
        return (int) producers;
    }

    /** Whether an append can be refused. */
    public boolean refuses() {
        return detached && !whenFull.equals(BLOCK);
    }

    private boolean isBound() {
        return !affinity.equals(NONE) && !affinity.equals(NULL);
    }

    private @Nullable CpuSet cpus() {
        return isBound() ? CpuSet.parse(affinity) : null;
    }

    public Pinning pinning() {
        CpuSet cpus = cpus();
        return cpus == null ? Pinning.none() : Pinning.to(cpus);
    }

    /** How records get to the writer thread, or null if there is none. */
    @Nullable
    public DetachedConfig config(Pinning pinning) {
        if (!detached) {
            return null;
        }
        DetachedConfig.Builder builder = DetachedConfig.builder()
                .queueDepth((int) queueDepth)
                .queueBytes(queueBytes)
                .waitStrategy(waitStrategy);
        if (refuses()) {
            builder.waitWhenFull(Duration.ofMillis(fullTimeoutMs()));
        }
        if (pinning.isWanted()) {
            builder.threadFactory(pinning.threadFactory("persist-writer"));
        }
        return builder.build();
    }

    private long fullTimeoutMs() {
        if (whenFull.equals("fail")) {
            return 0;
        }
        if (!whenFull.matches("\\d{1,15}")) {
            throw new UsageException("--whenFull " + whenFull + " is none of block, fail, or a number of ms; give one");
        }
        long ms = Long.parseLong(whenFull);
        Checks.range("--whenFull", ms, 0, MAX_WAIT_MS);
        return ms;
    }

    /** Adds the values that matter for reading the results. */
    void describe(Map<String, Object> rows) {
        String unused = detached ? "" : Text.unused("not detached");
        rows.put("detached", detached);
        rows.put("queueDepth", depth() + unused);
        CpuSet cpus = cpus();
        String thread = detached ? "the writer thread" : "the appending thread";
        rows.put("affinity", cpus == null ? NONE : affinity + ", " + thread + " on CPU " + cpus);
        rows.put("producers", producers);
        rows.put("waitStrategy", Text.camelCase(waitStrategy) + unused);
        rows.put("queueBytes", queueBytes + unused);
        rows.put("whenFull", (whenFull.matches("\\d+") ? fullTimeoutMs() + " ms" : whenFull) + unused);
    }

    private int depth() {
        return DetachedConfig.builder().queueDepth((int) queueDepth).build().queueDepth();
    }
}
