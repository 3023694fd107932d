package io.persist.tool.repair;

import io.persist.log.recovery.AsideFile;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.salvage.LogSalvage.Missing;
import io.persist.tool.salvage.LogSalvage.Report;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import java.io.PrintStream;
import java.util.List;

/** What is in a file that recovery or repair set aside. */
final class AsideReport {

    private AsideReport() {}

    /** Prints it; returns FAILURE if not all of it is whole records. */
    static int print(AsideFile aside, Output output, PrintStream out) {
        Report found = withoutFiles(new LogSalvage(aside.storage()).look());
        switch (output) {
            case TEXT -> printText(aside, found, out);
            case JSON -> printJson(aside, found, out);
        }
        return found.missing().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** The segment that it is read as has a name that nobody has seen. */
    static Report withoutFiles(Report report) {
        List<Missing> missing = report.missing().stream()
                .map(part -> new Missing(
                        "",
                        part.fromPosition(),
                        part.toPosition(),
                        part.firstSequence(),
                        part.lastSequence(),
                        part.why()))
                .toList();
        return new Report(
                report.content(),
                report.records(),
                report.firstSequence(),
                report.lastSequence(),
                report.bytes(),
                report.vacatedSegments(),
                missing);
    }

    private static void printText(AsideFile aside, Report found, PrintStream out) {
        out.println(Descriptions.name(aside.storage()) + ": set aside, cut off a log at position " + aside.position());
        out.println("  " + SalvageTool.records(found));
        SalvageTool.printMissing(found, "not whole", out);
        if (found.missing().isEmpty()) {
            out.println("  nothing else is in it");
        }
    }

    private static void printJson(AsideFile aside, Report found, PrintStream out) {
        JsonLine.print(out, json -> {
            json.name("log").value(aside.storage().description());
            json.name("status").value("aside");
            json.name("position").value(aside.position());
            SalvageTool.write(json, found);
        });
    }
}
