package io.persist.tool;

import io.persist.file.Storage;
import io.persist.log.LogInspector;
import io.persist.log.LogInspector.Inspection;
import io.persist.log.LogScan.Start;
import io.persist.log.RecoveryTable.Decision;
import java.io.PrintStream;

/**
 * Prints the records of a log up to its end, or up to the first damage, which it reports. Its memory does not grow with
 * the log.
 */
public final class DumpTool implements LogTool {

    private final RecordRange range;
    private final Portion portion;
    private final RecordPrinter printer;

    /** A dump of the records in {@code range}. */
    public DumpTool(RecordRange range, RecordPrinter printer) {
        this(range, Portion.ALL, printer);
    }

    /** A dump of a portion of the records in {@code range}. */
    public DumpTool(RecordRange range, Portion portion, RecordPrinter printer) {
        this.range = range;
        this.portion = portion;
        this.printer = printer;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        try (RecordSource source = new RecordSource(log)) {
            source.goTo(range);
            RecordSelection selection = new RecordSelection(wanted(log), portion);
            RecordPump pump = new RecordPump(log, source, selection, printer, out);
            printer.begin(log.description(), out);
            String message = "something went wrong on the way; records are missing";
            try {
                Ending ending = dump(pump);
                message = ending.message();
                return pump.finish(ending, err);
            } finally {
                printer.end(selection.counts(), message, out);
            }
        }
    }

    private static Ending dump(RecordPump pump) {
        while (pump.run()) {
            Ending ending = pump.ending();
            if (ending.kind() != Ending.Kind.MORE) {
                return ending;
            }
        }
        return Ending.PLAIN;
    }

    /** A dump of a live log ends where the log does now: a writer may be faster than a dump. */
    private RecordRange wanted(Storage log) {
        Inspection now = new LogInspector(log).inspect(Start.TRUSTED, base -> {});
        return Descriptions.isLive(now) && now.findings().row().decision() != Decision.CORRUPT
                ? range.before(now.findings().tail())
                : range;
    }
}
