package io.persist.bench.rows;

import com.beust.jcommander.Parameter;
import io.persist.bench.flags.TransactionSpace;
import io.persist.bench.rows.promise.JournalMode;
import io.persist.bench.rows.promise.Synchronous;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.format.Frame;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The flags of {@link RowsCommand}: sqlite-bench's under its names, and more. */
final class RowsFlags {

    private static final Pattern SWEEP = Pattern.compile("(\\d{1,9})\\.\\.(\\d{1,9})");

    @Parameter(
            names = {"-batch-count", "--batch-count"},
            order = 1,
            placeholder = "N",
            description = "batches to insert")
    long batchCount = 1000;

    @Parameter(
            names = {"-batch-size", "--batch-size"},
            order = 2,
            placeholder = "N",
            description = "rows of each batch, which is a transaction")
    long batchSize = 1000;

    @Parameter(
            names = {"-row-size", "--row-size"},
            order = 3,
            placeholder = "N",
            description = "bytes of each row")
    long rowSize = 100;

    @Parameter(
            names = {"-journal-mode", "--journal-mode"},
            order = 4,
            placeholder = "MODE",
            description = "SQLite's: delete, truncate, persist, memory, wal, off")
    JournalMode journalMode = JournalMode.DELETE;

    @Parameter(
            names = {"-synchronous", "--synchronous"},
            order = 5,
            placeholder = "MODE",
            description = "SQLite's: off, normal, full, extra; the other engines have a level for it")
    Synchronous synchronous = Synchronous.FULL;

    @Parameter(
            names = "--engine",
            order = 6,
            placeholder = "E[,E2...]",
            description = "message, store, sqlite; one after another")
    private String engine = "message";

    @Parameter(
            names = "--sweep",
            order = 7,
            placeholder = "FROM..TO",
            description = "batches of each size from FROM on, doubled up to TO, beside the model n / (sync + n*w)")
    private @Nullable String sweep;

    @Parameter(
            names = "--seconds",
            order = 8,
            placeholder = "SECONDS",
            defaultValueDescription = "2",
            description = "of each size of a sweep")
    private @Nullable Double seconds;

    @Parameter(
            names = "--writeMode",
            order = 9,
            placeholder = "MODE",
            defaultValueDescription = "by level",
            description = "of message and store: mapped or file; by default file if each commit is synced")
    @Nullable
    WriteMode writeMode;

    @Parameter(
            names = "--segmentSize",
            order = 10,
            placeholder = "MB",
            defaultValueDescription = "64",
            description = "MB per segment file of message and store")
    private @Nullable Long segmentSize;

    @Parameter(
            names = "--warmup",
            order = 11,
            placeholder = "N",
            description =
                    "rows into a table of each engine that is deleted again, for a second at most, before anything"
                            + " is measured")
    long warmup = 100_000;

    @Parameter(names = "--keep", arity = 1, order = 12, description = "leave PATH on the disk")
    boolean keep = false;

    @Parameter(
            names = "--output",
            order = 13,
            placeholder = "DIR",
            description =
                    "directory for bin/persist report; replaces what an earlier call for the same engine left there")
    @Nullable
    Path output;

    /** Go's flags may have their value behind = with one hyphen too. */
    static String[] asTyped(String[] args) {
        List<String> words = new ArrayList<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (arg.startsWith("-") && !arg.startsWith("--") && equals > 0) {
                words.add(arg.substring(0, equals));
                words.add(arg.substring(equals + 1));
            } else {
                words.add(arg);
            }
        }
        return words.toArray(String[]::new);
    }

    void validate(List<String> known) {
        Checks.range("-batch-count", batchCount, 1, 1e12);
        Checks.range("-batch-size", batchSize, 1, 1_000_000);
        Checks.range("-row-size", rowSize, 1, 1 << 20);
        Checks.range("--segmentSize", segmentSize(), 2, 1024);
        Checks.range("--seconds", seconds(), 0.01, 3600);
        Checks.range("--warmup", warmup, 0, 1e9);
        if (seconds != null && !isSweep()) {
            throw new UsageException("--seconds " + Text.decimal(seconds)
                    + " is of each size of a sweep; give --sweep too, or -batch-count in place of it");
        }
        for (String name : engines()) {
            if (!known.contains(name)) {
                throw new UsageException(
                        "--engine " + name + " is none of " + String.join(", ", known) + "; choose one");
            }
        }
        if (engines().isEmpty()) {
            throw new UsageException("--engine is empty; choose one of " + String.join(", ", known));
        }
        if (new HashSet<>(engines()).size() < engines().size()) {
            throw new UsageException("--engine " + engine + " names one twice; name each once");
        }
        if (keep && (isSweep() || engines().size() > 1)) {
            throw new UsageException("--keep leaves one table; give one --engine, and no --sweep");
        }
        refuseIgnored();
        if (engines().contains(RowEngines.STORE)) {
            requireTransactions();
        }
        sizes();
    }

    /** Makes the directory for the results, which must not be in what the rows make, and delete in the end. */
    void makeOutput(Path path) {
        if (output == null) {
            return;
        }
        for (Path file : RowRun.files(path)) {
            if (absolute(output).startsWith(absolute(file))) {
                throw new UsageException(
                        "--output " + output + " is in " + file + ", which the rows make; name another directory");
            }
        }
        Checks.directory("--output", output);
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /** A batch of a store is one record, which is in one segment. */
    private void requireTransactions() {
        long most = Frame.maxPayload(segmentLength());
        for (long size : sizes()) {
            long length = TransactionSpace.bytes(size, Long.BYTES, rowSize);
            if (length > most) {
                throw new UsageException("--engine store needs a transaction of " + Text.grouped(length)
                        + " bytes for a batch of " + Text.grouped(size) + " rows, and --segmentSize " + segmentSize()
                        + " holds " + Text.grouped(most) + " at most; give a larger --segmentSize, up to 1024,"
                        + " or smaller batches");
            }
        }
    }

    /** Bytes of a segment. */
    int segmentLength() {
        return (int) segmentSize() << 20;
    }

    private long segmentSize() {
        return segmentSize == null ? LogConfig.DEFAULT_SEGMENT_LENGTH >> 20 : segmentSize;
    }

    /** SQLite has no segments, and one way to write. */
    private void refuseIgnored() {
        if (engines().equals(List.of(RowEngines.SQLITE)) && (writeMode != null || segmentSize != null)) {
            throw new UsageException((writeMode == null ? "--segmentSize" : "--writeMode")
                    + " is for the engines message and store only; leave it out");
        }
    }

    List<String> engines() {
        return Arrays.stream(engine.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Of each size of a sweep. */
    double seconds() {
        return seconds == null ? 2 : seconds;
    }

    boolean isSweep() {
        return sweep != null;
    }

    /** The sizes of the batches: one, or those of the sweep. */
    List<Long> sizes() {
        if (sweep == null) {
            return List.of(batchSize);
        }
        Matcher range = SWEEP.matcher(sweep);
        if (!range.matches()) {
            throw new UsageException("--sweep " + sweep + " is no range; give one as in 1..4096");
        }
        long from = Long.parseLong(range.group(1));
        long to = Long.parseLong(range.group(2));
        if (from < 1 || to < 2 * from || to > 1_000_000) {
            throw new UsageException("--sweep " + sweep
                    + " has no two sizes from 1 to 1,000,000; the second has to be at least twice the first");
        }
        List<Long> sizes = new ArrayList<>();
        for (long size = from; size <= to; size *= 2) {
            sizes.add(size);
        }
        return sizes;
    }
}
