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
    private final RecordPrinter printer;

    /** A dump of the records in {@code range}. */
    public DumpTool(RecordRange range, RecordPrinter printer) {
        this.range = range;
        this.printer = printer;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        try (RecordSource source = new RecordSource(log)) {
            source.goTo(range);
            RecordPump pump = new RecordPump(log, source, wanted(log), printer, out);
            while (pump.run()) {
                Ending ending = pump.ending();
                if (ending.kind() != Ending.Kind.MORE) {
                    return pump.finish(ending, err);
                }
            }
            return ExitCode.OK;
        }
    }

    /** A dump of a live log ends where the log does now: a writer may be faster than a dump. */
    private RecordRange wanted(Storage log) {
        Inspection now = new LogInspector(log).inspect(Start.TRUSTED, base -> {});
        return Descriptions.isLive(now) && now.findings().row().decision() != Decision.CORRUPT
                ? range.before(now.findings().tail())
                : range;
    }
}
