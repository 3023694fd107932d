package io.persist.bench;

import io.persist.MessageLogger;
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

    /** The series that a run of this rate measures, in the order of {@link WriteLoop}'s indexes. */
    static List<String> seriesNames(long rate) {
        return rate < 0 ? List.of("write") : List.of("write", "response");
    }

    void run() throws IOException, ReadPass.VerificationException {
        checkSpace();
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
            WriteLoop loop = new WriteLoop(messages, parameters.numPerCommit(), System::nanoTime, clockCost, stop);
            ReadPass readPass = new ReadPass(messages, stop);
            writeAndRead(loop, readPass, stop);
        }
    }

    private void writeAndRead(WriteLoop loop, ReadPass readPass, Stop stop)
            throws IOException, ReadPass.VerificationException {
        long firstSequence;
        long written;
        LogStatistics statistics;
        long closeStartNs;
        try (MessageLogger log = open("Opened")) {
            firstSequence = log.lastSequence() + 1;
            if (firstSequence > 1) {
                out.println("The log has " + Text.grouped(firstSequence - 1)
                        + " messages already; this run appends to them, and reads back only its own.");
            }
            warmUp(loop, readPass, stop);
            written = write(log, loop);
            if (stop.requested()) {
                out.println("Interrupted: this is what was measured until then.");
            }
            statistics = log.statistics();
            closeStartNs = System.nanoTime();
        }
        out.println(
                "Closed in " + Text.micros(System.nanoTime() - closeStartNs) + " us: " + describe(statistics) + ".");
        if (!stop.requested()) {
            readBack(readPass, firstSequence, written);
        }
    }

    private void warmUp(WriteLoop loop, ReadPass readPass, Stop stop)
            throws IOException, ReadPass.VerificationException {
        if (parameters.common().warmupNs() == 0) {
            out.println("No warm up.");
            return;
        }
        WarmUp warmUp = new WarmUp(parameters, messages, loop, readPass, stop);
        out.println("Warming up for " + Text.decimal(parameters.common().warmupNs() / 1e9) + " s on a scratch log in "
                + warmUp.directory() + " ...");
        warmUp.run();
        out.println("Warm up complete.");
    }

    private long write(MessageLogger log, WriteLoop loop) throws IOException {
        long rate = parameters.common().rate();
        List<LatencySeries> series = openSeries(seriesNames(rate));
        WriteLoop.Written written;
        long ringWaits;
        try (LiveOutput live = liveOutput();
                LatencyRecorder recorder = LatencyRecorder.start(series, live)) {
            // Far enough away never to be reached, and near enough that the difference to it does not overflow.
            long never = System.nanoTime() + Long.MAX_VALUE / 2;
            written = loop.write(log, count, never, Pacer.of(rate, System::nanoTime), recorder.ring());
            ringWaits = recorder.ring().waits();
        }
        out.println("Wrote " + Text.grouped(written.messages()) + " messages @ " + Text.grouped(written.perSecond())
                + " msgs/sec post warmup.");
        if (ringWaits > 0) {
            out.println("The recorder of the latencies fell behind " + ringWaits
                    + " times; the rate would have been higher without measuring.");
        }
        out.println();
        out.println("Latencies in microseconds:");
        LatencyTable.total(series).forEach(out::println);
        if (parameters.common().writesLatencies()) {
            out.println("Written to " + String.join(", ", latencyFiles(series)) + " in "
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

    private List<String> latencyFiles(List<LatencySeries> series) {
        return series.stream()
                .flatMap(each ->
                        LatencySeries.files(each.name(), parameters.common().output()).stream())
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private void readBack(ReadPass readPass, long firstSequence, long written) throws ReadPass.VerificationException {
        try (MessageLogger log = open("Reopened");
                Tailer tailer = log.tailer()) {
            ReadPass.Read read = readPass.read(tailer, firstSequence, written);
            out.println("Read " + Text.grouped(read.messages()) + " messages @ " + Text.grouped(read.perSecond())
                    + " msgs/sec, all verified.");
        }
    }

    private MessageLogger open(String verb) {
        long startNs = System.nanoTime();
        MessageLogger log = MessageLogger.open(config);
        long elapsedNs = System.nanoTime() - startNs;
        out.println(verb + " " + parameters.logLocation() + " in " + Text.micros(elapsedNs) + " us.");
        out.println("  " + log.recovery().describe());
        return log;
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
