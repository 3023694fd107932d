package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.host.Pinning;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.latency.LatencyTable;
import io.persist.bench.load.Journal;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.measure.DetachedSummary;
import io.persist.bench.measure.LiveOutput;
import io.persist.bench.measure.Measurement;
import io.persist.bench.measure.RunIntervals;
import io.persist.bench.measure.Setup;
import io.persist.bench.report.Shell;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.subject.PreparedSpace;
import io.persist.bench.subject.Subject;
import io.persist.command.Text;
import io.persist.log.LogConfig;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The measured phase of a run, and what it prints: the rate, the work of the writer thread, the latencies. */
final class WritePhase {

    private final LoggerParameters parameters;
    private final Subject subject;
    private final Setup setup;
    private final LogConfig config;
    private final PrintStream out;
    private final PrintStream err;

    WritePhase(
            LoggerParameters parameters, Subject subject, Setup setup, LogConfig config, BenchmarkRun.Console console) {
        this.parameters = parameters;
        this.subject = subject;
        this.setup = setup;
        this.config = config;
        this.out = console.out();
        this.err = console.err();
    }

    /** Writes and prints, and keeps the record if there are latency files; returns what each producer has written. */
    List<WriteLoop.Written> write(Journal journal, long count, RunRecord record)
            throws IOException, Pinning.PinningException, ReadPass.VerificationException {
        if (parameters.common().writesLatencies()) {
            record.begin();
        }
        List<LatencySeries> series = openSeries(setup.row().seriesNames());
        RunIntervals intervals = new RunIntervals(journal);
        PreparedSpace space = PreparedSpace.of(parameters, journal);
        out.println(space.describe());
        Instant startedAt = Instant.now();
        Measurement.Measured measured;
        try (LiveOutput live = parameters.common().printsIntervals()
                ? LiveOutput.intervals(out)
                : LiveOutput.progress("Writing", count, err)) {
            // Far enough away never to be reached, and near enough that the difference to it does not overflow.
            long never = System.nanoTime() + Long.MAX_VALUE / 2;
            measured = new Measurement(setup, journal, config)
                    .write(count, parameters.common().rate(), never, series, live.and(intervals));
        }
        if (measured.written().count() == 0 && setup.stop().requested()) {
            forget(record);
            return measured.result().perProducer();
        }
        print(measured, series);
        if (parameters.common().writesLatencies()) {
            try {
                for (LatencySeries each : series) {
                    each.checkFiles();
                }
                record.write(startedAt, measured, series, intervals);
                record.add("prepared MiB", space.bytes() / (double) (1 << 20));
                Path directory = parameters.output();
                out.println("Written to " + latencyFiles(series) + ", " + RunDirectory.FILE + " in " + directory
                        + "; to see them: bin/persist report "
                        + Shell.quoted(directory.toString()));
            } catch (IOException e) {
                record.failed(e);
            }
        }
        out.println();
        return measured.result().perProducer();
    }

    /** A record of nothing would be a run without a rate, and with percentiles of 0, in the report. */
    private void forget(RunRecord record) throws IOException {
        if (parameters.common().writesLatencies()) {
            record.abandon();
        }
    }

    private void print(Measurement.Measured measured, List<LatencySeries> series) {
        boolean detached = parameters.detached().isDetached();
        WriteLoop.Written written = measured.written();
        out.println("Wrote " + Text.number(written.count(), subject.noun()) + " @ " + Text.grouped(written.perSecond())
                + " " + subject.rateUnit() + " post warmup.");
        out.println(waits(measured));
        if (detached) {
            DetachedSummary summary =
                    new DetachedSummary(measured, config.durability(), parameters.numPerCommit(), subject.rateUnit());
            out.println("Detached");
            out.print(Text.block(summary.rows()));
        }
        if (measured.recorderWaits() > 0) {
            out.println("The recorder of the latencies fell behind " + Text.number(measured.recorderWaits(), "time")
                    + "; the rate would have been higher without measuring.");
        }
        out.println();
        out.println("Latencies in microseconds:");
        LatencyTable.total(series).forEach(out::println);
        LatencyTable.legend(series).forEach(out::println);
        String start = parameters.common().rate() > 0 ? "intended" : "actual";
        if (detached) {
            out.println("hand-off: until the producer's calls returned, from the actual start; durable: until "
                    + DetachedSummary.done(config.durability()) + ", from the " + start + " start.");
        }
        if (!subject.readers().isEmpty()) {
            out.println("tail: from the " + start + " start until the reader that follows the writer had it.");
        }
    }

    /** What the thread that appends waited for. The log was opened for the run, so that its longest wait is in it. */
    private static String waits(Measurement.Measured measured) {
        long stalls = measured.counted(Counter.STALLS);
        long paces = measured.counted(Counter.PACES);
        String waited = stalls == 0
                ? "The appender never waited for space."
                : "The appender waited for space " + Text.number(stalls, "time") + ": "
                        + Text.micros(measured.counted(Counter.STALL_NS)) + " us in all, "
                        + Text.micros(measured.after().stallMaxNs()) + " us the longest.";
        return paces == 0
                ? waited
                : waited + " It was slowed down " + Text.number(paces, "time") + " to the speed of the filler: "
                        + Text.micros(measured.counted(Counter.PACE_NS)) + " us in all.";
    }

    private List<LatencySeries> openSeries(List<String> names) throws IOException {
        List<LatencySeries> series = new ArrayList<>();
        Path directory = parameters.output();
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
        return LatencySeries.files(names.get(0), parameters.output()).stream()
                .map(file -> file.getFileName().toString())
                .collect(Collectors.joining(", "));
    }
}
