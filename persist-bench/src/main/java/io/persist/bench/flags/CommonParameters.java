package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.log.Durability;
import io.persist.log.Prefill;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags that all benchmark programs have, under the names and with the defaults of the Rumi benchmark suite. */
public final class CommonParameters {

    private static final long DEFAULT_COUNT = 1_000_000;
    private static final long GIGABYTE = 1L << 30;

    @Parameter(
            names = {"-c", "--count"},
            order = 1,
            placeholder = "N",
            defaultValueDescription = "1000000",
            description = "how many to write; by default each of --messages once, if that is given")
    private @Nullable Long count;

    @Parameter(
            names = {"-t", "--warmupTime"},
            order = 2,
            placeholder = "SECONDS",
            description = "seconds of warm-up, written to a scratch log that is deleted again")
    private double warmupTime = 2;

    @Parameter(
            names = {"-r", "--rate"},
            order = 3,
            placeholder = "N",
            description = "writes per second of all producers together, or -1 for as many as possible")
    private long rate = -1;

    @Parameter(
            names = {"-i", "--initialLogLength"},
            order = 4,
            placeholder = "GB",
            description = "length in GB that is kept filled ahead from the start; fractions are fine")
    private double initialLogLength = 1;

    @Parameter(
            names = {"-z", "--zeroOutInitial"},
            arity = 1,
            order = 5,
            description = "fill the whole initial length with zeros before starting")
    private boolean zeroOutInitial = false;

    @Parameter(
            names = {"-a", "--writeBufferSize"},
            order = 6,
            placeholder = "BYTES",
            description = "bytes of the write buffer, with --writeMode file")
    private long writeBufferSize = 8192;

    @Parameter(
            names = {"-b", "--readBufferSize"},
            order = 7,
            placeholder = "BYTES",
            description = "bytes of the read buffer, where files are not read mapped")
    private long readBufferSize = 8192;

    @Parameter(
            names = {"-f", "--flushOnCommit"},
            arity = 1,
            order = 8,
            description = "each commit hands over to the OS; a flush does not imply a sync")
    private boolean flushOnCommit = false;

    @Parameter(
            names = {"-y", "--syncOnCommit"},
            arity = 1,
            order = 9,
            description = "each commit waits until the device has it; with -d it does not wait")
    private boolean syncOnCommit = false;

    @Parameter(
            names = "--noLatencyWrites",
            arity = 1,
            order = 13,
            description = "write no latency files; the table is printed anyway")
    private boolean noLatencyWrites = false;

    @Parameter(
            names = "--printIntervalStats",
            arity = 1,
            order = 14,
            description = "print the latencies of each second")
    private boolean printIntervalStats = false;

    @Parameter(
            names = "--output",
            order = 15,
            placeholder = "DIR",
            defaultValueDescription = "results",
            description = "directory of the latency files; by default one below --logLocation")
    private @Nullable Path output;

    @Parameter(
            names = "--cleanup",
            arity = 1,
            order = 28,
            description = "delete the log in the end, unless it held something before; results stay")
    private boolean cleanup = false;

    @Parameter(
            names = "--syncInterval",
            order = 27,
            placeholder = "MS",
            description = "ms after which a background thread syncs what is committed; 0 for never")
    private long syncInterval = 0;

    void validate() {
        if (count != null) {
            Checks.range("--count", count, 1, 1e10);
        }
        Checks.range("--warmupTime", warmupTime, 0, 3600);
        if (rate != -1) {
            if (rate < 1 || rate > 100_000_000) {
                throw new UsageException(
                        "--rate " + rate + " is out of range; give -1 for unlimited, or a value from 1 to 100,000,000");
            }
        }
        Checks.range("--initialLogLength", initialLogLength, 0, 1024);
        Checks.range("--writeBufferSize", writeBufferSize, 64, GIGABYTE);
        Checks.range("--readBufferSize", readBufferSize, 64, GIGABYTE);
        Checks.range("--syncInterval", syncInterval, 0, 3_600_000);
    }

    /** What --count says, or what the messages suggest, or the default. */
    public long count(@Nullable Long suggested) {
        if (count != null) {
            return count;
        }
        return suggested != null ? suggested : DEFAULT_COUNT;
    }

    public long warmupNs() {
        return (long) (warmupTime * 1e9);
    }

    public long rate() {
        return rate;
    }

    public long initialLength() {
        return (long) (initialLogLength * GIGABYTE);
    }

    public Prefill prefill() {
        return zeroOutInitial ? Prefill.BEFORE_OPEN : Prefill.BACKGROUND;
    }

    public int writeBufferLength() {
        return (int) writeBufferSize;
    }

    int readBufferLength() {
        return (int) readBufferSize;
    }

    public Durability durability() {
        if (syncOnCommit) {
            return Durability.SYNCED;
        }
        return flushOnCommit ? Durability.FLUSHED : Durability.BUFFERED;
    }

    long syncIntervalMs() {
        return syncInterval;
    }

    public boolean writesLatencies() {
        return !noLatencyWrites;
    }

    public boolean printsIntervals() {
        return printIntervalStats;
    }

    /** Null if none is named. */
    @Nullable
    Path output() {
        return output;
    }

    public boolean cleansUp() {
        return cleanup;
    }

    /** Adds the values that matter for reading the results. */
    void describe(Map<String, Object> rows) {
        rows.put("warmupTime", Text.decimal(warmupTime) + " s");
        rows.put("rate", rate < 0 ? "unlimited" : Text.grouped(rate) + " per second");
        rows.put("initialLogLength", Text.decimal(initialLogLength) + " GB");
        rows.put(
                "zeroOutInitial",
                zeroOutInitial + (zeroOutInitial && initialLogLength == 0 ? Text.unused("no length") : ""));
        rows.put(
                "flushOnCommit",
                flushOnCommit + (flushOnCommit && syncOnCommit ? Text.unused("syncOnCommit does more") : ""));
        rows.put("syncOnCommit", syncOnCommit);
        rows.put(
                "syncInterval",
                syncInterval == 0
                        ? "none"
                        : Text.grouped(syncInterval) + " ms"
                                + (syncOnCommit ? Text.unused("syncOnCommit does more") : ""));
        rows.put("noLatencyWrites", noLatencyWrites);
        if (output != null && noLatencyWrites) {
            rows.put("output", output + Text.unused("noLatencyWrites"));
        }
        rows.put("printIntervalStats", printIntervalStats);
        rows.put("cleanup", cleanup);
    }
}
