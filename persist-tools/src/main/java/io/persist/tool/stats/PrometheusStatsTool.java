package io.persist.tool.stats;

import io.persist.LogMonitor;
import io.persist.file.Storage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Prints the numbers of logs in the text format of Prometheus, under the names that {@code persist-micrometer} has
 * there. What it prints is of all logs together, each metric once. It reads no records, however large the logs are.
 */
public final class PrometheusStatsTool implements LogTool {

    private final LongSupplier clockMs;

    /** By what each log is called: one that is named twice must not be in the output twice. */
    private final Map<String, LogNumbers> logs = new LinkedHashMap<>();

    /** A tool that tells ages by this clock, ms since 1970. */
    public PrometheusStatsTool(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        LogMonitor monitor = new LogMonitor(log);
        LogNumbers now = new LogNumbers(monitor.read(), monitor.extent(), clockMs.getAsLong());
        logs.put(log.description(), now);
        return ExitCode.OK;
    }

    @Override
    public void finish(PrintStream out) {
        out.print(new PrometheusText(logs));
    }
}
