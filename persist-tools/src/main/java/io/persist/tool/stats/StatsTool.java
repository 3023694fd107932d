package io.persist.tool.stats;

import io.persist.LogMonitor;
import io.persist.LogMonitor.Reading;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.read.LogCursors;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.Pause;
import io.persist.tool.StorePlace;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Prints the numbers of a log: its writer, its positions and what it has counted; once, or again and again. */
public final class StatsTool implements LogTool {

    /** The head of the table is printed again after so many lines. */
    private static final int HEAD_INTERVAL = 20;

    private final Output output;
    private final @Nullable Pause pause;
    private final LongSupplier nanoTime;

    StatsTool(Output output, @Nullable Pause pause, LongSupplier nanoTime) {
        this.output = output;
        this.pause = pause;
        this.nanoTime = nanoTime;
    }

    /** A tool that prints the numbers as they are now. */
    public static StatsTool once(Output output) {
        return new StatsTool(output, null, System::nanoTime);
    }

    /** A tool that prints them after each pause, while the log is closed and opened too. */
    public static StatsTool watching(Output output, Pause interval) {
        return new StatsTool(output, interval, System::nanoTime);
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        LogMonitor monitor = new LogMonitor(log);
        Reading now = monitor.read();
        if (pause == null) {
            return printOnce(log, monitor, now, out, err);
        }
        watch(log, monitor, now, pause, out, err);
        return ExitCode.OK;
    }

    private int printOnce(Storage log, LogMonitor monitor, Reading now, PrintStream out, PrintStream err) {
        EndOfLog end = EndOfLog.of(log);
        LogExtent extent = LogExtent.of(end, monitor.extent());
        Map<String, String> store = ArcusStats.of(log, ArcusStatsTool.dataPath(log, StorePlace.ONE));
        Map<String, String> refused = new LogCursors(log).refused();
        switch (output) {
            case TEXT -> out.print(new StatsTable(Descriptions.name(log), now, extent, refused, store));
            case JSON -> new StatsJson(log.description(), now, refused).print(extent, end.damage(), store, out);
        }
        out.flush();
        return end.say(err);
    }

    private void watch(
            Storage log, LogMonitor monitor, Reading first, Pause interval, PrintStream out, PrintStream err) {
        StatsRates rates = new StatsRates(first, nanoTime.getAsLong());
        long lines = 0;
        do {
            if (output == Output.TEXT && lines % HEAD_INTERVAL == 0) {
                out.println(StatsRates.HEAD);
            }
            if (out.checkError() || !interval.await(1)) {
                return;
            }
            try {
                Reading now = monitor.read();
                String line = rates.next(now, nanoTime.getAsLong());
                switch (output) {
                    case TEXT -> out.print(line);
                    case JSON -> new StatsJson(log.description(), now, Map.of()).print(out);
                }
            } catch (LogIOException e) {
                // The log may be deleted and made anew.
                out.flush();
                err.println("persist: " + e.getMessage());
            }
            lines++;
        } while (!out.checkError());
    }
}
