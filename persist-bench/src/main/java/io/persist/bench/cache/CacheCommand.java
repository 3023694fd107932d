package io.persist.bench.cache;

import io.persist.bench.doctor.Fingerprint;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.bench.result.NewDirectories;
import io.persist.bench.result.RunFiles;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** {@code cache}: a cache that is journaled, as ARCUS has measured it with memtier. */
public final class CacheCommand extends Program {

    static final String NAME = "cache";

    /** What a set takes in the log and in checkpoints besides its value, and what is rewritten, at most. */
    private static final int SET_OVERHEAD = 160;

    private static final long EMPTY_ENGINE_BYTES = 512L << 20;

    /** More than is set in a second, and more than a disk takes of it. */
    private static final long SETS_PER_SECOND = 1_000_000;

    private static final long BYTES_PER_SECOND = 2_000_000_000;

    private final List<CacheEngine.Kind> engines;
    private final CacheFlags flags = new CacheFlags();

    /** With the store, and what is on the class path besides. */
    public CacheCommand() {
        this(Stream.concat(
                        Stream.of(StoreEngine.KIND),
                        ServiceLoader.load(CacheEngine.Kind.class).stream().map(ServiceLoader.Provider::get))
                .toList());
    }

    CacheCommand(List<CacheEngine.Kind> engines) {
        this.engines = engines;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "",
                        "Serves the clients of a cache whose sets are journaled, as ARCUS is measured with memtier.",
                        "It prints requests per second, latencies, and what happens in each second, also while",
                        "a checkpoint is written.")
                .example("ARCUS's matrix, and what is left of the speed without a log", "--all --output results")
                .example(
                        "the dip while a checkpoint is written in the fifth second",
                        "--requests 20000000 --checkpoint 5 --output results/full")
                .example(
                        "the same with a throttle",
                        "--requests 20000000 --checkpoint 5 --chkptRateMBps 10 --output results/throttled")
                .note("A client sends its next request as soon as it is answered, so --threads 8 --clients 50 are 400"
                        + " requests at once. A latency is from the sending to the answer, with the wait for its turn.")
                .note("Modes: off is a map on the heap. async: a killed process loses nothing, a power cut what was"
                        + " set in the last --syncInterval. sync: neither takes a set that was acknowledged.")
                .note("With --all each run has three turns of five seconds at least, or of all items if it inserts"
                        + " them; requests/s are medians, and a ratio is the median of those within a round.")
                .note("After each run the engine is opened anew, and each acknowledged set has to be there.")
                .exits("failed, or an acknowledged set was lost");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected String memoryRemedy() {
        return super.memoryRemedy() + ", or fewer --items";
    }

    @Override
    protected int work(Call call) throws IOException, InterruptedException {
        flags.validate();
        try (Stop stop = Stop.onInterrupt()) {
            stop.writesTo(flags.logsPath);
            return measure(engine(), call, stop::requested);
        } catch (IllegalStateException e) { // of an engine, or an item is not what was set
            throw new IOException(e.getMessage(), e);
        }
    }

    private CacheEngine.Kind engine() {
        for (CacheEngine.Kind kind : engines) {
            if (kind.id().equals(flags.engine)) {
                return kind;
            }
        }
        if (flags.engine.equals("rocksdb")) {
            throw new UsageException("--engine rocksdb is not on this class path; run it by bin/persist cache");
        }
        throw new UsageException("--engine " + flags.engine + " is none of store, rocksdb; choose one of them");
    }

    private int measure(CacheEngine.Kind kind, Call call, BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        List<NewDirectories> made = newDirectories();
        try {
            makeDirectories();
            checkSpace();
            CacheFiles files = new CacheFiles(
                    new RunFiles(
                            NAME, call.command(), Fingerprint.of(flags.logsPath).asMap()),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS));
            CacheTable table = new CacheTable(flags.percentiles());
            long lost;
            try {
                lost = new CacheRounds(flags, kind, files, table, isStopped).run(call.out(), call.err());
            } finally {
                print(table, call.out()); // also of the runs before one that failed
            }
            if (isStopped.getAsBoolean()) {
                call.err()
                        .println(prefix() + "interrupted; "
                                + (table.isEmpty()
                                        ? "no run was over until then"
                                        : "this is what was measured until then"));
            }
            return lost > 0 || isStopped.getAsBoolean() ? FAILED : OK;
        } finally {
            made.forEach(NewDirectories::deleteEmpty);
        }
    }

    private void print(CacheTable table, PrintStream out) throws IOException {
        if (table.isEmpty()) {
            return;
        }
        out.println();
        table.printRuns(out);
        if (flags.matrix.isWhole()) {
            out.println();
            table.printRatios(out);
            out.println();
            out.println("ARCUS: memtier over a network, 50 M items, hard disks. Its ratios compare, its times do not.");
        }
        if (flags.csv != null) {
            CacheFiles.write(flags.csv, table.csv());
        }
    }

    /** Of logs, checkpoints and results. */
    private List<NewDirectories> newDirectories() {
        Stream<Path> all = flags.output == null
                ? Stream.of(flags.logsPath, flags.dataPath())
                : Stream.of(flags.logsPath, flags.dataPath(), flags.output);
        return all.map(NewDirectories::notYetThere).toList();
    }

    private void makeDirectories() {
        Checks.directory("--logsPath", flags.logsPath);
        Checks.directory("--dataPath", flags.dataPath());
        if (flags.output != null) {
            Checks.directory("--output", flags.output);
        }
        if (flags.csv != null) {
            Checks.file("--csv", flags.csv);
        }
    }

    private void checkSpace() throws IOException {
        double most = 0;
        for (CacheTest test : flags.tests()) {
            double setBytes = flags.valueSize + SET_OVERHEAD;
            double loaded = test.isInsert() ? 0 : setBytes * flags.items;
            double seconds = flags.leastNs(test) / 1e9;
            double timed = seconds * Math.min(SETS_PER_SECOND * setBytes, BYTES_PER_SECOND) * test.partOfSets();
            double asked = setBytes * flags.work(test, CacheMode.SYNC).sets();
            most = Math.max(most, loaded + Math.max(timed, asked));
        }
        boolean isLogged = flags.modes().stream().anyMatch(mode -> mode != CacheMode.OFF);
        long needed = isLogged ? EMPTY_ENGINE_BYTES + (long) most : 0;
        DiskSpace.require(
                flags.logsPath,
                needed,
                "the run takes",
                "fewer --items, --requests or --seconds, or another --logsPath");
    }
}
