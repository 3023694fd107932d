package io.persist.bench;

import io.persist.log.LogConfig;
import io.persist.log.LogStatistics;
import io.persist.log.Tailer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One run of the benchmark, phase by phase: open, warm up, write, close, reopen, read back. */
final class MessageLoggerRun {

    private static final int FRAME_OVERHEAD = 32;

    private final MessageLoggerParameters parameters;
    private final Messages messages;
    private final long count;
    private final PrintStream out;
    private final PrintStream err;
    private final LogConfig config;

    MessageLoggerRun(
            MessageLoggerParameters parameters, Messages messages, long count, PrintStream out, PrintStream err) {
        this.parameters = parameters;
        this.messages = messages;
        this.count = count;
        this.out = out;
        this.err = err;
        this.config = parameters.logConfig();
    }

    void run() throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        checkSpace();
        Pinning pinning = parameters.detached().pinning();
        pinning.tryOut();
        makeOutputDirectory();
        out.println("Parameters");
        out.print(Text.block(parameters.describe(messages, count)));
        out.println();
        out.println("Machine: " + Machine.describe(parameters.logLocation()));
        ClockCost clockCost = ClockCost.calibrate(System::nanoTime);
        out.printf(
                Locale.ROOT,
                "Clock: System.nanoTime() takes %.1f ns (fastest of %,d calls); each latency is less by %d ns.%n%n",
                clockCost.callNs(),
                clockCost.calls(),
                clockCost.ns());
        try (Stop stop = Stop.onInterrupt()) {
            writeAndRead(setup(pinning, clockCost, stop));
        }
        pinning.check();
    }

    private Setup setup(Pinning pinning, ClockCost clockCost, Stop stop) {
        DetachedParameters detached = parameters.detached();
        int producers = detached.producers();
        LatencyRow row = LatencyRow.of(parameters.common().rate(), detached.isDetached());
        WriteLoop loop = new WriteLoop(row, parameters.numPerCommit(), System::nanoTime, clockCost, stop);
        return new Setup(
                opened -> MessageJournal.open(opened, detached.config(pinning), messages, producers),
                row,
                new Producers(loop, producers, detached.refuses(), detached.isDetached() ? Pinning.none() : pinning),
                clockCost,
                new ReadPass(messages, producers, stop),
                stop);
    }

    private void writeAndRead(Setup setup)
            throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        long firstSequence;
        long written;
        LogStatistics statistics;
        long closeStartNs;
        try (Journal journal = open("Opened", setup.opener())) {
            firstSequence = journal.lastSequence() + 1;
            if (firstSequence > 1) {
                out.println("The log has " + Text.grouped(firstSequence - 1)
                        + " messages already; this run appends to them, and reads back only its own.");
            }
            warmUp(setup);
            written = write(setup, journal);
            if (setup.stop().requested()) {
                out.println("Interrupted: this is what was measured until then.");
            }
            statistics = journal.statistics();
            closeStartNs = System.nanoTime();
        }
        out.println(
                "Closed in " + Text.micros(System.nanoTime() - closeStartNs) + " us: " + describe(statistics) + ".");
        if (!setup.stop().requested()) {
            readBack(setup.readPass(), firstSequence, written);
        }
    }

    private void warmUp(Setup setup) throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        long durationNs = parameters.common().warmupNs();
        if (durationNs == 0) {
            out.println("No warm up.");
            return;
        }
        LogConfig scratch = parameters.scratchConfig(messages.maxLength());
        out.println("Warming up for " + Text.decimal(durationNs / 1e9) + " s on a scratch log in " + scratch.directory()
                + " ...");
        new WarmUp(setup, scratch, messages.maxLength())
                .run(durationNs, parameters.common().rate());
        out.println("Warm up complete.");
    }

    private long write(Setup setup, Journal journal) throws IOException, Pinning.PinningException {
        List<LatencySeries> series = openSeries(setup.row().seriesNames());
        Measurement.Measured measured;
        try (LiveOutput live = liveOutput()) {
            // Far enough away never to be reached, and near enough that the difference to it does not overflow.
            long never = System.nanoTime() + Long.MAX_VALUE / 2;
            measured = new Measurement(setup, journal, config)
                    .write(count, parameters.common().rate(), never, series, live);
        }
        WriteLoop.Written written = measured.written();
        out.println("Wrote " + Text.grouped(written.messages()) + " messages @ " + Text.grouped(written.perSecond())
                + " msgs/sec post warmup.");
        if (setup.row().detached()) {
            DetachedSummary summary = new DetachedSummary(measured, config.durability(), parameters.numPerCommit());
            out.println("Detached");
            out.print(Text.block(summary.rows()));
        }
        if (measured.recorderWaits() > 0) {
            out.println("The recorder of the latencies fell behind " + measured.recorderWaits()
                    + " times; the rate would have been higher without measuring.");
        }
        out.println();
        out.println("Latencies in microseconds:");
        LatencyTable.total(series).forEach(out::println);
        if (setup.row().detached()) {
            out.println("hand-off: until the producer's calls returned; durable: until "
                    + DetachedSummary.done(config.durability()) + "; both from the actual start.");
        }
        if (parameters.common().writesLatencies()) {
            out.println("Written to " + latencyFiles(series) + " in "
                    + parameters.common().output() + ".");
        }
        out.println();
        return written.messages();
    }

    private LiveOutput liveOutput() {
        return parameters.common().printsIntervals()
                ? LiveOutput.intervals(out)
                : LiveOutput.progress("Writing", count, err);
    }

    private List<LatencySeries> openSeries(List<String> names) throws IOException {
        List<LatencySeries> series = new ArrayList<>();
        Path directory = parameters.common().output();
        for (String name : names) {
            if (parameters.common().writesLatencies()) {
                series.add(LatencySeries.withFiles(name, directory));
            } else {
                series.add(LatencySeries.inMemory(name));
            }
        }
        return series;
    }

    /** Of many, only what differs in their names. */
    private String latencyFiles(List<LatencySeries> series) {
        List<String> names = series.stream().map(LatencySeries::name).toList();
        if (names.size() > 1) {
            return "latencies.{" + String.join(",", names) + "}.{bin,hlog}";
        }
        return LatencySeries.files(names.get(0), parameters.common().output()).stream()
                .map(file -> file.getFileName().toString())
                .collect(Collectors.joining(", "));
    }

    private void readBack(ReadPass readPass, long firstSequence, long written) throws ReadPass.VerificationException {
        Journal.Opener attached = reopened -> MessageJournal.open(reopened, null, messages, 1);
        try (Journal journal = open("Reopened", attached);
                Tailer tailer = journal.tailer()) {
            ReadPass.Read read = readPass.read(tailer, firstSequence, written);
            out.println("Read " + Text.grouped(read.messages()) + " messages @ " + Text.grouped(read.perSecond())
                    + " msgs/sec, all verified.");
        }
    }

    private Journal open(String verb, Journal.Opener opener) {
        long startNs = System.nanoTime();
        Journal journal = opener.open(config);
        long elapsedNs = System.nanoTime() - startNs;
        out.println(verb + " " + parameters.logLocation() + " in " + Text.micros(elapsedNs) + " us.");
        out.println("  " + journal.recovery().describe());
        return journal;
    }

    private static String describe(LogStatistics statistics) {
        return Text.grouped(statistics.rolls()) + " rolls, " + Text.grouped(statistics.syncs()) + " syncs, "
                + Text.grouped(statistics.stalls()) + " stalls (" + Text.micros(statistics.stallNs()) + " us)";
    }

    /** Before the run, so that it is not in vain. */
    private void makeOutputDirectory() {
        Path directory = parameters.common().output();
        try {
            Files.createDirectories(directory);
            if (Files.isWritable(directory)) {
                return;
            }
        } catch (IOException e) {
            throw new UsageException(
                    "--output " + directory + " cannot be made (" + Text.describe(e) + "); name a directory that can");
        }
        throw new UsageException("--output " + directory + " is not writable; name a directory that is");
    }

    /** Says so at once if the run cannot fit, instead of filling up the disk first. */
    private void checkSpace() throws IOException {
        long usable = Machine.usableBytes(parameters.logLocation());
        if (parameters.common().initialLength() > usable) {
            throw new UsageException(
                    "--initialLogLength takes " + Text.bytes(parameters.common().initialLength())
                            + ", but only " + Text.bytes(usable) + " are free in " + parameters.logLocation()
                            + "; give a smaller --initialLogLength, or another --logLocation");
        }
        double needed = count * (messages.averageLength() + FRAME_OVERHEAD);
        if (needed > usable) {
            throw new UsageException("--count " + count + " takes about " + Text.bytes((long) needed) + ", but only "
                    + Text.bytes(usable) + " are free in " + parameters.logLocation()
                    + "; give a smaller --count, or another --logLocation");
        }
    }
}
