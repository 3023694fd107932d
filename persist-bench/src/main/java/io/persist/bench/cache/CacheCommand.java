package io.persist.bench.cache;

import io.persist.bench.doctor.Fingerprint;
import io.persist.bench.flags.Checks;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.load.Stop;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.error.PersistException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code cache}: a cache that is journaled, as ARCUS has measured it with memtier. */
public final class CacheCommand implements NamedCommand {

    static final String NAME = "cache";
    private static final String PREFIX = "persist " + NAME + ": ";

    /** What a set takes in the log and in checkpoints besides its value, and what is rewritten, at most. */
    private static final int SET_OVERHEAD = 160;

    private static final long EMPTY_ENGINE_BYTES = 512L << 20;
    private static final int WARM_UP_ITEMS = 10_000;

    private final List<CacheEngine.Kind> engines;
    private final CacheFlags flags = new CacheFlags();

    /** With the store alone. */
    public CacheCommand() {
        this(List.of(StoreEngine.KIND));
    }

    /** With these engines. */
    public CacheCommand(List<CacheEngine.Kind> engines) {
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
                .note("After each run the engine is opened anew, and each acknowledged set has to be there.")
                .exits("failed, or an acknowledged set was lost");
    }

    @Override
    public CommandLine commandLine() {
        return CommandLine.of(flags);
    }

    @Override
    public int run(String[] args, PrintStream out, PrintStream err) {
        try {
            CommandLine commandLine = commandLine();
            commandLine.parse(args);
            if (flags.help) {
                manual().print(commandLine, out);
                return Command.OK;
            }
            flags.validate();
            List<String> command = new ArrayList<>(List.of("bin/persist", NAME));
            command.addAll(Arrays.asList(args));
            try (Stop stop = Stop.onInterrupt()) {
                stop.writesTo(flags.logsPath);
                return measure(engine(), command, out, err, stop::requested);
            }
        } catch (UsageException e) {
            err.println(PREFIX + Text.describe(e));
            return Command.USAGE;
        } catch (IOException | UncheckedIOException | PersistException | IllegalStateException e) {
            err.println(PREFIX + Text.describe(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println(PREFIX + "interrupted");
        } catch (OutOfMemoryError e) {
            err.println(PREFIX + "out of memory with a heap of "
                    + Text.bytes(Runtime.getRuntime().maxMemory()) + "; give the JVM a larger -Xmx, or fewer --items");
        }
        return Command.FAILED;
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

    private int measure(
            CacheEngine.Kind kind, List<String> command, PrintStream out, PrintStream err, BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        List<Path> missing = missingDirectories();
        try {
            makeDirectories();
            checkSpace();
            CacheFiles files = new CacheFiles(
                    command,
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                    Fingerprint.of(flags.logsPath).asMap());
            CacheTable table = new CacheTable(flags.percentiles());
            warmUp(kind, isStopped);
            long lost;
            try {
                lost = runAll(kind, files, table, out, err, isStopped);
            } finally {
                print(table, out); // also of the runs before one that failed
            }
            if (isStopped.getAsBoolean()) {
                err.println(PREFIX + "interrupted; this is what was measured until then");
            }
            return lost > 0 || isStopped.getAsBoolean() ? Command.FAILED : Command.OK;
        } finally {
            for (Path directory : missing) {
                deleteIfEmpty(directory);
            }
        }
    }

    private void print(CacheTable table, PrintStream out) throws IOException {
        if (table.isEmpty()) {
            return;
        }
        out.println();
        table.printRuns(out);
        if (flags.all) {
            out.println();
            table.printRatios(out);
            out.println();
            out.println("ARCUS: memtier over a network, 50 M items, hard disks. Its ratios compare, its times do not.");
        }
        if (flags.csv != null) {
            CacheFiles.write(flags.csv, table.csv());
        }
    }

    /** Those of logs and checkpoints that are not there, with all above them, the deepest first. */
    private List<Path> missingDirectories() {
        return Stream.of(flags.logsPath, flags.dataPath())
                .flatMap(directory -> DirectoryTree.missing(directory).stream())
                .distinct()
                .sorted(Comparator.comparing(Path::getNameCount).reversed())
                .toList();
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

    private static void deleteIfEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return; // it could not be made
        }
        try (Stream<Path> content = Files.list(directory)) {
            if (content.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(directory);
    }

    private void checkSpace() throws IOException {
        long sets = 0;
        for (CacheTest test : flags.tests()) {
            long loaded = test.isInsert() ? 0 : flags.items;
            sets = Math.max(sets, loaded + flags.work(test, CacheMode.SYNC).sets());
        }
        boolean isLogged = flags.modes().stream().anyMatch(mode -> mode != CacheMode.OFF);
        long needed = isLogged ? EMPTY_ENGINE_BYTES + sets * (flags.valueSize + SET_OVERHEAD) : 0;
        long usable = Files.getFileStore(flags.logsPath).getUsableSpace();
        if (usable < needed) {
            throw new IOException("about " + Text.bytes(needed) + " are needed, but only " + Text.bytes(usable)
                    + " are free in " + flags.logsPath
                    + "; give fewer --items or --requests, or another --logsPath");
        }
    }

    /** A small cache in each mode, so that no run pays for the JIT compiler. */
    private void warmUp(CacheEngine.Kind kind, BooleanSupplier isStopped) throws IOException, InterruptedException {
        if (flags.warmup > 0) {
            for (CacheMode mode : flags.modes()) {
                CacheItems items = new CacheItems(WARM_UP_ITEMS, flags.valueSize);
                CacheRun.Work work = new CacheRun.Work(
                        CacheTest.MATRIX.get(CacheTest.MATRIX.size() - 1),
                        mode,
                        flags.threads,
                        flags.threads * flags.clients,
                        flags.warmup,
                        -1,
                        flags.seed);
                new CacheRun(work, items, isStopped, null).run(kind, flags.place(mode), (second, beganNs) -> {});
            }
        }
    }

    private long runAll(
            CacheEngine.Kind kind,
            CacheFiles files,
            CacheTable table,
            PrintStream out,
            PrintStream err,
            BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        long lost = 0;
        int runs = flags.tests().size() * flags.modes().size();
        int run = 0;
        for (CacheTest test : flags.tests()) {
            for (CacheMode mode : flags.modes()) {
                if (isStopped.getAsBoolean()) {
                    return lost;
                }
                run++;
                if (runs == 1) {
                    out.print(Text.block(flags.parameters(test, mode)));
                    out.println();
                    out.println(CacheSeconds.Second.HEADING);
                } else {
                    err.println("[" + run + "/" + runs + "] " + test + ", " + mode.id() + " ...");
                }
                @Nullable CacheResult result = run(kind, test, mode, runs == 1 ? out : null, isStopped);
                if (result == null) {
                    return lost;
                }
                table.add(result);
                lost += say(result, runs == 1 ? out : err); // before its files: these may have no space
                if (flags.output != null) {
                    files.write(flags.output.resolve(result.id()), result, flags.parameters(test, mode));
                }
            }
        }
        return lost;
    }

    private @Nullable CacheResult run(
            CacheEngine.Kind kind,
            CacheTest test,
            CacheMode mode,
            @Nullable PrintStream seconds,
            BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        CacheItems items = new CacheItems(flags.items, flags.valueSize);
        CacheRun.Work work = flags.work(test, mode);
        String id = test.id().replace(':', '-') + "-" + mode.id();
        Path output = flags.output == null ? null : flags.output.resolve(id);
        return new CacheRun(work, items, isStopped, output).run(kind, flags.place(mode), (second, beganNs) -> {
            if (seconds != null) {
                seconds.println(second.line(beganNs));
            }
        });
    }

    /** Says what else there is to a run; returns how many items were lost. */
    private long say(CacheResult result, PrintStream out) {
        CacheResult.Checkpoint checkpoint = result.checkpoint();
        if (checkpoint != null) {
            out.println("Checkpoint from " + Text.decimal(Math.round(checkpoint.startNs() / 1e8) / 10.0)
                    + " s on, took " + Text.decimal(Math.round(checkpoint.elapsedNs() / 1e7) / 100.0) + " s.");
        } else if (flags.checkpointAtSecond() >= 0 && result.mode() != CacheMode.OFF) {
            out.println("No checkpoint: the run was over before; give more --requests.");
        }
        CacheResult.Reopened reopened = result.reopened();
        if (reopened == null) {
            return 0;
        }
        out.println("Reopened in " + Text.decimal(Math.round(reopened.elapsedNs() / 1e4) / 100.0) + " ms: of "
                + Text.grouped(reopened.items()) + " items with an acknowledged set " + Text.grouped(reopened.lost())
                + " are lost.");
        return reopened.lost();
    }
}
