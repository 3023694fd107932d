package io.persist.bench;

import io.persist.bench.flags.DetachedParameters;
import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.host.Pinning;
import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.load.Follower;
import io.persist.bench.load.Journal;
import io.persist.bench.load.PositionFollower;
import io.persist.bench.load.Producers;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.measure.Setup;
import io.persist.bench.measure.WarmUp;
import io.persist.bench.record.Messages;
import io.persist.bench.result.NewDirectories;
import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.bench.subject.Subject;
import io.persist.command.Text;
import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.monitor.LogStatistics;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One run of a benchmark, phase by phase: open, warm up, write, close, reopen, read back. */
final class BenchmarkRun {

    private final LoggerParameters parameters;
    private final Messages messages;
    private final Size size;
    private final Function<Stop, Subject> subjects;
    private final Console console;
    private final PrintStream out;
    private final LogConfig config;

    /** @param subjects makes what is measured, once interrupts are looked after */
    BenchmarkRun(
            LoggerParameters parameters,
            Messages messages,
            Size size,
            Function<Stop, Subject> subjects,
            Console console) {
        this.parameters = parameters;
        this.messages = messages;
        this.size = size;
        this.subjects = subjects;
        this.console = console;
        this.out = console.out();
        this.config = parameters.logConfig();
    }

    @SuppressWarnings("try") // the output is given back, and nothing else
    void run() throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        RunHeader header = new RunHeader(parameters, out);
        WarmUp.deleteLeftovers(parameters.logLocation());
        header.checkSpace(size);
        Pinning pinning = parameters.detached().pinning();
        pinning.tryOut();
        try (Stop stop = Stop.onInterrupt()) {
            NewDirectories logs = NewDirectories.notYetThere(parameters.logLocation());
            NewDirectories results = NewDirectories.notYetThere(parameters.output());
            // Before the stop is closed: then the program ends, if it is to end.
            try (RunOutput output = header.makeDirectories(console.program())) {
                run(header, pinning, stop);
            } finally {
                results.deleteEmpty();
                logs.deleteEmpty();
            }
        }
    }

    private void run(RunHeader header, Pinning pinning, Stop stop)
            throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        RunRecord.Conditions conditions = new RunRecord.Conditions(
                parameters.describe(messages, size.count()), Machine.of(parameters.placeOfLog()));
        ClockCost clockCost = header.print(conditions);
        RunRecord record = new RunRecord(
                new RunFiles(
                        console.program(),
                        console.command(),
                        conditions.machine().environment()),
                parameters,
                config,
                conditions);
        Subject subject = subjects.apply(stop);
        writeAndRead(subject, setup(subject, pinning, clockCost, stop), record);
        pinning.check();
        record.check();
    }

    private Setup setup(Subject subject, Pinning pinning, ClockCost clockCost, Stop stop) {
        DetachedParameters detached = parameters.detached();
        List<Follower.Starter> followers = new ArrayList<>();
        if (detached.isDetached()) {
            followers.add(PositionFollower::start);
        }
        followers.addAll(subject.readers());
        LatencyRow row = subject.readers().isEmpty()
                ? LatencyRow.of(subject.operation(), parameters.common().rate(), detached.isDetached())
                : LatencyRow.tailed(subject.operation(), parameters.common().rate(), detached.isDetached());
        WriteLoop loop = new WriteLoop(row, parameters.numPerCommit(), System::nanoTime, clockCost, stop);
        return new Setup(
                opened -> subject.open(opened, detached.config(pinning)),
                row,
                new Producers(
                        loop,
                        detached.producers(),
                        detached.refuses(),
                        detached.isDetached() ? Pinning.none() : pinning),
                followers,
                clockCost,
                subject::warmUpReading,
                stop);
    }

    private void writeAndRead(Subject subject, Setup setup, RunRecord record)
            throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        // Before the log is there: else its filler would prepare space while nothing is measured.
        warmUp(setup);
        if (setup.stop().requested()) {
            out.println("Interrupted before the run began: nothing was measured, and what was there is as it was.");
            return;
        }
        setup.stop().writesTo(parameters.logDirectory()); // to fill much with -z takes longer than an end may
        // Around the journals: it looks at what they leave once they are closed.
        try (Leavings leavings = Leavings.before(parameters, out)) {
            try {
                measure(subject, setup, record, leavings);
            } catch (LogLockedException e) {
                leavings.keepForAnother();
                throw e;
            } catch (ReadPass.VerificationException | CorruptLogException e) {
                leavings.keepAsEvidence();
                throw e;
            }
        }
    }

    private void measure(Subject subject, Setup setup, RunRecord record, Leavings leavings)
            throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        Stretch stretch;
        boolean isCut;
        String work;
        long closeStartNs;
        long bytes;
        DeviceTraffic traffic = DeviceTraffic.begin(parameters.placeOfLog());
        try (Journal journal = open("Opened", setup.opener())) {
            long firstSequence = journal.lastSequence() + 1;
            long startPosition = journal.reached(Durability.BUFFERED);
            if (firstSequence > 1) {
                leavings.keepForAnother(); // though the directory may have been empty before
                out.println(subject.describeExisting(journal));
            }
            if (setup.stop().requested()) { // while it was opened, which fills the space with -z
                out.println("Interrupted before the run began: nothing was measured.");
                return;
            }
            List<WriteLoop.Written> perProducer =
                    new WritePhase(parameters, subject, setup, config, console).write(journal, size.count(), record);
            stretch = new Stretch(firstSequence, startPosition, perProducer);
            isCut = setup.stop().requested();
            if (isCut) {
                out.println(
                        stretch.count() == 0
                                ? "Interrupted before the first write: nothing was measured."
                                : "Interrupted: this is what was measured until then; it is not read back.");
            } else {
                subject.readOpen(journal, stretch);
            }
            LogStatistics statistics = journal.statistics();
            work = describe(statistics);
            bytes = journal.recordBytes();
            closeStartNs = System.nanoTime();
        }
        out.println("Closed in " + Text.micros(System.nanoTime() - closeStartNs) + " us: " + work + ".");
        DeviceTraffic.Traffic written = traffic.end(parameters.logDirectory(), bytes);
        out.println(written.line());
        if (parameters.common().writesLatencies() && written.perByte().isPresent()) {
            record.add("device B/B", written.perByte().getAsDouble());
        }
        if (!setup.stop().requested() && subject.reopens()) {
            try (Journal journal = open("Reopened", reopened -> subject.open(reopened, null))) {
                subject.readReopened(journal, stretch);
            }
        }
        if (!isCut && setup.stop().requested()) {
            out.println("Interrupted: only what is said above was read back.");
        }
    }

    private void warmUp(Setup setup) throws IOException, ReadPass.VerificationException, Pinning.PinningException {
        long durationNs = parameters.common().warmupNs();
        if (durationNs == 0) {
            out.println("No warm up.");
            return;
        }
        LogConfig scratch = parameters.scratchConfig(size.maxLength());
        out.println("Warming up for " + Text.decimal(durationNs / 1e9) + " s on a scratch log in " + scratch.directory()
                + " ...");
        new WarmUp(setup, scratch, size.maxLength())
                .run(durationNs, parameters.common().rate());
        if (!setup.stop().requested()) {
            out.println("Warm up complete.");
        }
    }

    private Journal open(String verb, Journal.Opener opener) {
        long startNs = System.nanoTime();
        Journal journal = opener.open(config);
        long elapsedNs = System.nanoTime() - startNs;
        out.println(verb + " " + parameters.logDirectory() + " in " + Text.micros(elapsedNs) + " us.");
        journal.describeRecovery().lines().forEach(line -> out.println("  " + line));
        return journal;
    }

    /** What a log had to do, in one line without a full stop. */
    private static String describe(LogStatistics statistics) {
        return Text.number(statistics.rolls(), "roll") + ", " + Text.number(statistics.syncs(), "sync") + ", "
                + Text.number(statistics.stalls(), "stall") + " (" + Text.micros(statistics.stallNs()) + " us)";
    }

    /**
     * How much is written.
     *
     * @param count how many writes
     * @param averageLength bytes of a record on average
     * @param maxLength bytes of the longest one
     */
    record Size(long count, double averageLength, int maxLength) {}

    /**
     * What was typed, and where the output goes.
     *
     * @param program the command's name
     * @param command the whole command line
     */
    record Console(String program, List<String> command, PrintStream out, PrintStream err) {}
}
