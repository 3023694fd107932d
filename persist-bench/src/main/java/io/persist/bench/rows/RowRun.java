package io.persist.bench.rows;

import io.persist.bench.host.DirectoryTree;
import io.persist.bench.rows.promise.RowPromise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Makes a table, fills it batch by batch, and takes it away. */
final class RowRun {

    /** SQLite's files beside the one that is named. Whatever has such a name it takes for its own. */
    private static final List<String> BESIDE = List.of("-wal", "-shm", "-journal");

    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long WARM_UP_BATCH = 100;

    private final RowsFlags flags;
    private final Path path;
    private final byte[] text;
    private final BooleanSupplier isEnding;
    private boolean isMade; // what is at the path, by this run

    RowRun(RowsFlags flags, Path path, BooleanSupplier isEnding) {
        this.flags = flags;
        this.path = path;
        this.text = "x".repeat((int) flags.rowSize).getBytes(StandardCharsets.UTF_8);
        this.isEnding = isEnding;
    }

    /**
     * When it ends, whichever comes first.
     *
     * @param batches that are written
     * @param ns after which no batch begins
     * @param rows after which no batch begins
     */
    record Until(long batches, long ns, long rows) {

        boolean isReached(long batches, long ns, long rows) {
            return batches >= this.batches || ns >= this.ns || rows >= this.rows;
        }
    }

    /**
     * Makes a table that is deleted again, so that no engine pays for the JIT compiler because it is the first: of at
     * most {@code mostRows} rows, in batches as the run has them, or shorter ones.
     */
    void warmUp(RowEngine engine, long mostRows) throws IOException {
        long size = Math.min(flags.sizes().get(0), WARM_UP_BATCH);
        run(engine, size, new Until(Long.MAX_VALUE, WARM_UP_NS, Math.min(flags.warmup, mostRows)));
        delete();
    }

    /** Like sqlite-bench it times the batches alone, and not what comes before and after. */
    Result run(RowEngine engine, long batchSize, Until until) throws IOException {
        RowPromise promise = engine.promises().apply(flags.journalMode, flags.synchronous);
        RowSpec spec = new RowSpec(
                path, flags.journalMode, flags.synchronous, promise, flags.segmentLength(), flags.writeMode);
        Histogram commits = new Histogram(3);
        Instant startedAt = Instant.now();
        long batches = 0;
        long rows = 0;
        long elapsedNs = 0;
        try (RowTable table = open(engine, spec)) {
            long startNs = System.nanoTime();
            while (!until.isReached(batches, elapsedNs, rows) && !isEnding.getAsBoolean()) {
                table.begin();
                for (long i = 0; i < batchSize; i++) {
                    table.insert(++rows, text);
                }
                table.commit();
                batches++;
                long ns = System.nanoTime() - startNs;
                commits.recordValue(ns - elapsedNs);
                elapsedNs = ns;
            }
        }
        boolean isCutOff = !until.isReached(batches, elapsedNs, rows);
        return new Result(
                engine, promise, startedAt, batchSize, rows, elapsedNs, commits, DirectoryTree.bytes(path), isCutOff);
    }

    private RowTable open(RowEngine engine, RowSpec spec) throws IOException {
        isMade = true;
        try {
            return engine.opener().open(spec);
        } catch (FileAlreadyExistsException e) {
            isMade = false;
            throw new IOException(
                    path + " was made by another program meanwhile, and stays as it is; name another PATH", e);
        }
    }

    /** All that a run may make, and delete: the files beside the path, then the path. */
    static List<Path> files(Path path) {
        return Stream.concat(
                        BESIDE.stream().map(suffix -> path.resolveSibling(path.getFileName() + suffix)),
                        Stream.of(path))
                .toList();
    }

    /** Deletes what the last run has made, if that is still there: beside a directory that is nothing. */
    void delete() throws IOException {
        if (!isMade) {
            return;
        }
        if (Files.isDirectory(path)) {
            DirectoryTree.delete(path);
        } else if (Files.exists(path)) {
            for (Path file : files(path)) {
                Files.deleteIfExists(file);
            }
        }
        isMade = false;
    }

    /**
     * What came of a run.
     *
     * @param batchSize rows of each commit
     * @param rows that were inserted
     * @param elapsedNs of the batches alone
     * @param commits how long each batch took, from its begin until its commit had returned, ns
     * @param fileBytes how long the files were that it left, once it was closed
     * @param isCutOff whether it was to end before it was done
     */
    record Result(
            RowEngine engine,
            RowPromise promise,
            Instant startedAt,
            long batchSize,
            long rows,
            long elapsedNs,
            Histogram commits,
            long fileBytes,
            boolean isCutOff) {

        double perSecond() {
            return elapsedNs == 0 ? 0 : rows * 1e9 / elapsedNs;
        }

        /** Mean time of a batch, ns. */
        double batchNs() {
            return commits.getTotalCount() == 0 ? 0 : (double) elapsedNs / commits.getTotalCount();
        }
    }
}
