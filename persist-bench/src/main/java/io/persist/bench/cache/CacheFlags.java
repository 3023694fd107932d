package io.persist.bench.cache;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.bench.cache.CacheTest.Pattern;
import io.persist.bench.flags.MatrixParameters;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of {@link CacheCommand}. Those whose defaults depend on others are null until they are given. */
final class CacheFlags {

    private static final Path LOGS = Path.of("logs");

    /** In all: each is kept in memory, and they are there before the first request. */
    private static final int MAX_CLIENTS = 1_000_000;

    @Parameter(names = "--items", order = 1, placeholder = "N", description = "how many items there are")
    int items = 1_000_000;

    @Parameter(
            names = "--requests",
            order = 2,
            placeholder = "N",
            defaultValueDescription = "--items",
            description = "requests of all clients together")
    private @Nullable Long requests;

    @Parameter(names = "--valueSize", order = 3, placeholder = "BYTES", description = "bytes of each value")
    int valueSize = 50;

    @Parameter(names = "--threads", order = 4, placeholder = "N", description = "threads that serve clients")
    int threads = 8;

    @Parameter(
            names = "--clients",
            order = 5,
            placeholder = "N",
            description = "clients of each thread, as memtier counts them; each has one request outstanding")
    int clients = 50;

    @Parameter(
            names = "--ratio",
            order = 6,
            placeholder = "S:G",
            defaultValueDescription = "1:9",
            description = "sets to gets; 1:0 begins with nothing, else all items are put before")
    private @Nullable String ratio;

    @Parameter(
            names = "--pattern",
            order = 7,
            placeholder = "P",
            defaultValueDescription = "P for 1:0, else R",
            description = "P: each client its part of the items in order; R: any item at random")
    private @Nullable String pattern;

    @Parameter(
            names = "--mode",
            order = 8,
            placeholder = "MODE",
            defaultValueDescription = "sync",
            description = "off: a map on the heap; async: logged, synced by time; sync: a set waits for its sync")
    private @Nullable CacheMode mode;

    @Parameter(names = "--engine", order = 9, placeholder = "ENGINE", description = "store or rocksdb")
    String engine = "store";

    @Parameter(
            names = "--dataPath",
            order = 10,
            placeholder = "DIR",
            defaultValueDescription = "--logsPath",
            description = "where checkpoints are written, in a new directory that is deleted in the end")
    private @Nullable Path dataPath;

    @Parameter(
            names = "--logsPath",
            order = 11,
            placeholder = "DIR",
            description = "where the log is, in a new directory that is deleted in the end")
    Path logsPath = LOGS;

    @Parameter(
            names = "--syncInterval",
            order = 12,
            placeholder = "MS",
            description = "ms after which mode async syncs what was set")
    long syncInterval = 10;

    @Parameter(
            names = "--checkpoint",
            order = 13,
            placeholder = "WHEN",
            description = "none; auto: by the engine's own rule; or a number: at that second of the run")
    private String checkpoint = "none";

    @Parameter(
            names = "--chkptRateMBps",
            order = 14,
            placeholder = "MB",
            defaultValueDescription = "auto: the engine's",
            description = "the most that a checkpoint writes per second, MB of 10^6; at a second: no limit by default")
    private @Nullable Double chkptRate;

    @Parameter(
            names = "--percentiles",
            order = 15,
            placeholder = "LIST",
            description = "of the latencies, parted by commas")
    private String percentiles = "90,95,99";

    @Parameter(names = "--seed", order = 16, placeholder = "N", description = "of the items that are taken at random")
    long seed = 1;

    @ParametersDelegate
    final MatrixParameters matrix = new MatrixParameters();

    @Parameter(names = "--csv", order = 21, placeholder = "FILE", description = "where to leave a line for each run")
    @Nullable
    Path csv;

    @Parameter(
            names = "--output",
            order = 22,
            placeholder = "DIR",
            defaultValueDescription = "none",
            description = "where to leave each run for the report, and its seconds as CSV")
    @Nullable
    Path output;

    /** @throws UsageException if a value is of no use */
    void validate() {
        Checks.range("--items", items, 1, 100_000_000);
        Checks.range("--requests", requests(), 1, 1e12);
        Checks.range("--valueSize", valueSize, CacheItems.MIN_VALUE_SIZE, 1 << 20);
        Checks.range("--threads", threads, 1, 1024);
        Checks.range("--clients", clients, 1, 100_000);
        if ((long) threads * clients > MAX_CLIENTS) {
            throw new UsageException("--threads " + threads + " with --clients " + Text.grouped(clients) + " each are "
                    + Text.grouped((long) threads * clients) + " clients; give at most " + Text.grouped(MAX_CLIENTS)
                    + " in all");
        }
        Checks.range("--syncInterval", syncInterval, 1, 3_600_000);
        matrix.validate();
        if (matrix.isWhole() && (ratio != null || pattern != null || mode != null)) {
            throw new UsageException("--all has every ratio, pattern and mode; leave --ratio, --pattern, --mode out");
        }
        tests();
        modes();
        percentiles();
        checkpointAtSecond();
        requireHeap();
        if (chkptRate != null) {
            Checks.range("--chkptRateMBps", chkptRate, 2, 1e6);
        }
    }

    /** A heap that is full of items has no room for their threads to go on, and is collected for minutes before. */
    private void requireHeap() {
        long needed = items * (CacheItems.BYTES_EACH + MapEngine.OVERHEAD + valueSize) / 3 * 4;
        if (modes().contains(CacheMode.OFF) && needed > Runtime.getRuntime().maxMemory()) {
            throw new UsageException("--items " + Text.grouped(items) + " in mode off need a heap of "
                    + Text.bytes(needed) + ", but it may have "
                    + Text.bytes(Runtime.getRuntime().maxMemory()) + "; give fewer, or PERSIST_JAVA_OPTS=-Xmx"
                    + ((needed >> 20) + 1) + "m");
        }
    }

    long requests() {
        return requests == null ? items : requests;
    }

    /** What is run, one after the other. */
    List<CacheTest> tests() {
        return matrix.isWhole() ? CacheTest.MATRIX : List.of(test());
    }

    private CacheTest test() {
        String given = ratio == null ? "1:9" : ratio;
        if (!given.matches("\\d{1,4}:\\d{1,4}") || given.matches("0+:0+")) {
            throw new UsageException("--ratio " + given + " is no ratio of sets to gets; give one such as 1:9 or 1:0");
        }
        int colon = given.indexOf(':');
        int sets = Integer.parseInt(given.substring(0, colon));
        int gets = Integer.parseInt(given.substring(colon + 1));
        return new CacheTest(sets, gets, pattern(gets == 0));
    }

    private Pattern pattern(boolean isInsert) {
        if (pattern == null) {
            return isInsert ? Pattern.PARALLEL : Pattern.RANDOM;
        }
        return Arrays.stream(Pattern.values())
                .filter(each -> each.id().equalsIgnoreCase(pattern))
                .findFirst()
                .orElseThrow(() -> new UsageException("--pattern " + pattern + " is none of P, R; choose one of them"));
    }

    List<CacheMode> modes() {
        if (matrix.isWhole()) {
            return List.of(CacheMode.values());
        }
        return List.of(mode == null ? CacheMode.SYNC : mode);
    }

    double[] percentiles() {
        double[] parsed;
        try {
            parsed = Arrays.stream(percentiles.split(",", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } catch (NumberFormatException e) {
            throw new UsageException("--percentiles " + percentiles + " is no list of numbers; give one such as 90,99");
        }
        for (double percentile : parsed) {
            Checks.range("--percentiles", percentile, 0, 100);
        }
        return parsed;
    }

    /** -1 if none is asked for at a time. */
    long checkpointAtSecond() {
        if (checkpoint.equals("none") || isAuto()) {
            return -1;
        }
        if (!checkpoint.matches("\\d{1,6}")) {
            throw new UsageException("--checkpoint " + checkpoint
                    + " is none of none, auto, or the second of the run at which one begins; choose one of them");
        }
        return Long.parseLong(checkpoint);
    }

    private boolean isAuto() {
        return checkpoint.equals("auto");
    }

    Path dataPath() {
        return dataPath == null ? logsPath : dataPath;
    }

    /** Below which engines of this mode are opened. */
    CacheEngine.Place place(CacheMode of) {
        return new CacheEngine.Place(
                dataPath(),
                logsPath,
                of,
                Duration.ofMillis(syncInterval),
                isAuto(),
                chkptRate == null ? 0 : Math.round(chkptRate * 1e6));
    }

    /** How long a run of this test goes on at least: an insert that did so would replace what it has put. */
    long leastNs(CacheTest test) {
        return test.isInsert() ? 0 : (long) (matrix.seconds() * 1e9);
    }

    /** What a run of this test does. */
    CacheRun.Work work(CacheTest test, CacheMode of) {
        return new CacheRun.Work(
                test,
                of,
                threads,
                threads * clients,
                requests(),
                leastNs(test),
                of == CacheMode.OFF ? -1 : checkpointAtSecond(),
                seed);
    }

    /** Names and values, for the heading and the record; what has no effect says so. */
    Map<String, String> parameters(CacheTest test, CacheMode of) {
        String off = of == CacheMode.OFF ? Text.unused("mode off") : "";
        boolean hasCheckpoint = !checkpoint.equals("none");
        // What RocksDB flushes by itself is no checkpoint: the rate would hold up its compaction too.
        boolean hasRate = hasCheckpoint && (!isAuto() || engine.equals(StoreEngine.KIND.id()));
        String idle = hasRate ? "" : Text.unused("checkpoint " + checkpoint + (hasCheckpoint ? " of " + engine : ""));
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("items", Text.grouped(items));
        rows.put("requests", Text.grouped(requests()));
        rows.put(
                "seconds",
                Text.decimal(matrix.seconds()) + " at least" + (test.isInsert() ? Text.unused("an insert") : ""));
        rows.put("valueSize", valueSize + " bytes");
        rows.put("threads", Integer.toString(threads));
        rows.put("clients", clients + " for each thread, " + Text.grouped((long) threads * clients) + " in all");
        rows.put("ratio", test.sets() + ":" + test.gets());
        rows.put("pattern", test.pattern().id());
        rows.put("mode", of.id());
        rows.put("engine", of == CacheMode.OFF ? "map" : engine);
        rows.put("dataPath", dataPath() + off);
        rows.put("logsPath", logsPath + off);
        rows.put("syncInterval", syncInterval + " ms" + (of == CacheMode.ASYNC ? "" : Text.unused("mode " + of.id())));
        rows.put("checkpoint", checkpoint + (hasCheckpoint ? off : ""));
        rows.put("chkptRateMBps", chkptRate == null ? "none" : Text.decimal(chkptRate) + (off.isEmpty() ? idle : off));
        rows.put("seed", Long.toString(seed));
        return rows;
    }
}
