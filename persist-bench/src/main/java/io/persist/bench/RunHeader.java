package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.latency.ClockCost;
import io.persist.bench.result.RunOutput;
import io.persist.command.Checks;
import io.persist.command.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What comes before a run: checks, so that it is not in vain, and what has to be known to read its figures. */
final class RunHeader {

    private static final int FRAME_OVERHEAD = 32;

    private final LoggerParameters parameters;
    private final PrintStream out;

    RunHeader(LoggerParameters parameters, PrintStream out) {
        this.parameters = parameters;
        this.out = out;
    }

    /** Makes those of logs and of results; returns that of results, which it refuses if it is somebody else's. */
    RunOutput makeDirectories(String program) throws IOException {
        Path output = parameters.output();
        Checks.directory("--logLocation", parameters.logLocation());
        Checks.directory("--output", output);
        return parameters.common().writesLatencies()
                ? RunOutput.take(program, output, List.of(output))
                : RunOutput.none();
    }

    /** Says so at once if the run cannot fit, instead of filling up the disk first. */
    void checkSpace(BenchmarkRun.Size size) throws IOException {
        Path place = parameters.placeOfLog();
        DiskSpace.require(
                place,
                parameters.common().initialLength(),
                "--initialLogLength takes",
                "a smaller --initialLogLength, or another --logLocation");
        double needed = parameters.recordsKept(size.count()) * (size.averageLength() + FRAME_OVERHEAD);
        DiskSpace.require(
                place,
                (long) needed,
                "--count " + size.count() + " takes",
                "a smaller --count, or another --logLocation");
    }

    /** Parameters, machine and clock. */
    ClockCost print(RunRecord.Conditions conditions) {
        out.println("Parameters");
        out.print(Text.block(conditions.parameters()));
        out.println();
        conditions.machine().describe().forEach(out::println);
        ClockCost clockCost = ClockCost.ofSystem();
        out.printf(
                Locale.ROOT,
                "Clock: System.nanoTime() takes %.1f ns (fastest of %,d calls); each latency is less by %d ns.%n%n",
                clockCost.callNs(),
                clockCost.calls(),
                clockCost.ns());
        return clockCost;
    }
}
