package io.persist.bench.rows;

import io.persist.bench.doctor.Fingerprint;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.bench.result.RunOutput;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.UsageException;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code rows PATH}: rows per second, as sqlite-bench prints them. */
public final class RowsCommand extends Program {

    /** Of rows at most: what a size of a sweep may take, and what it may take of the free space. */
    private static final long MOST_BYTES = 2L << 30;

    private static final int PART_OF_FREE = 8;
    private static final long ROW_OVERHEAD = 64;

    private final RowsFlags flags = new RowsFlags();
    private final RowEngines engines;

    /** With the engines of this class path. */
    public RowsCommand() {
        this(RowEngines.load());
    }

    RowsCommand(RowEngines engines) {
        this.engines = engines;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "rows",
                        "PATH",
                        "Inserts rows in batches and prints the four lines of sqlite-bench, whose flags it has.",
                        "PATH is made, a file or a directory, and deleted in the end.")
                .note("Neither PATH nor PATH-wal, PATH-shm or PATH-journal, which SQLite makes, may be there before.")
                .note("Before the first engine is measured each has had a table that is deleted again (--warmup), so"
                        + " that none pays for the compiler.")
                .note("What a commit is worth is printed too: SQLite with -journal-mode wal -synchronous normal is not"
                        + " durable at commit.")
                .example("a million rows of 1000 bytes", "-row-size 1000 -journal-mode wal -synchronous normal ./bench")
                .example(
                        "what a batch should have",
                        "--engine message,sqlite --sweep 1..4096 -row-size 1000 -journal-mode wal ./bench")
                .exits("an engine is missing, or the disk is full");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected String[] flagsOf(String... args) {
        return RowsFlags.asTyped(args);
    }

    @Override
    @SuppressWarnings("try") // the output is given back, and nothing else
    protected int work(Call call) throws IOException {
        flags.validate(engines.names());
        Path path = path(call.operands());
        flags.makeOutput(path);
        try (Stop stop = Stop.onInterrupt();
                RunOutput output = RowRuns.take(flags)) { // given back before the stop is: then the program ends
            return measure(path, stop, call);
        }
    }

    private static Path path(List<String> operands) {
        if (operands.size() != 1) {
            throw new UsageException(
                    operands.isEmpty()
                            ? "no PATH is given; name a file or directory to make"
                            : "rows makes one PATH, given=" + operands.size());
        }
        Path path = Path.of(operands.get(0));
        for (Path file : RowRun.files(path)) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new UsageException(
                        file + " is there already and would be replaced; delete it, or name another PATH");
            }
        }
        Path parent = path.toAbsolutePath().normalize().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new UsageException(path + " is in no directory that is there; make it first");
        }
        String why = FileReason.ofNoWriting(parent);
        if (!why.isEmpty()) {
            throw new UsageException(path + " cannot be made (" + why + "); name another PATH");
        }
        return path;
    }

    private int measure(Path path, Stop stop, Call call) throws IOException {
        Path parent = path.toAbsolutePath().normalize().getParent();
        Path directory = parent == null ? path : parent;
        long rowBytes = flags.rowSize + ROW_OVERHEAD;
        if (!flags.isSweep()) {
            double needed = (double) flags.batchCount * flags.batchSize * rowBytes;
            DiskSpace.require(directory, (long) needed, "the rows take", "a smaller -batch-count");
        }
        long mostRows = Math.max(1, Math.min(MOST_BYTES, DiskSpace.usable(directory) / PART_OF_FREE) / rowBytes);
        Map<String, String> environment = Map.of();
        if (flags.isSweep() || flags.output != null) {
            Fingerprint fingerprint = Fingerprint.of(directory);
            environment = fingerprint.asMap();
            if (flags.isSweep()) {
                fingerprint.describe().forEach(call.out()::println);
            }
        }
        RowRuns runs = new RowRuns(flags, directory, call.command(), environment);
        List<RowEngine> present = present(call.err());
        stop.writesTo(path);
        RowRun run = new RowRun(flags, path, stop::requested);
        try {
            measure(run, runs, present, mostRows, stop, call.out());
        } finally {
            if (!flags.keep) {
                run.delete();
            }
        }
        boolean isWhole = present.size() == flags.engines().size();
        return isWhole && !stop.requested() ? OK : FAILED;
    }

    private void measure(RowRun run, RowRuns runs, List<RowEngine> present, long mostRows, Stop stop, PrintStream out)
            throws IOException {
        warmUp(run, present, mostRows, stop, out);
        for (RowEngine engine : present) {
            if (stop.requested()) {
                out.println("Interrupted: " + engine.name() + " was not measured.");
            } else if (flags.isSweep()) {
                new RowSweep(flags, run, runs, out).sweep(engine, mostRows);
            } else {
                new RowOnce(flags, run, runs, out).measure(engine);
            }
        }
    }

    private void warmUp(RowRun run, List<RowEngine> present, long mostRows, Stop stop, PrintStream out)
            throws IOException {
        for (RowEngine engine : present) {
            if (flags.warmup > 0 && !stop.requested()) {
                run.warmUp(engine, mostRows);
            }
        }
        if (stop.requested()) {
            out.println("Interrupted before anything was measured.");
        }
    }

    /** Of those that are asked for; says which are not. */
    private List<RowEngine> present(PrintStream err) {
        List<RowEngine> present = new ArrayList<>();
        for (String name : flags.engines()) {
            RowEngine engine = engines.named(name);
            engine.missing()
                    .ifPresentOrElse(
                            why -> err.println(prefix() + name + " is not measured: " + why),
                            () -> present.add(engine));
        }
        return present;
    }
}
