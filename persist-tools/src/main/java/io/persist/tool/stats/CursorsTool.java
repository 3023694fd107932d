package io.persist.tool.stats;

import io.persist.cursor.CursorName;
import io.persist.file.Storage;
import io.persist.log.read.LogCursors;
import io.persist.log.read.LogCursors.CursorState;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import io.persist.tool.text.PayloadText;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows the named cursors of a log: how far each is, what it holds, and who uses it. */
public final class CursorsTool implements LogTool {

    private static final List<String> HEADINGS =
            List.of("name", "position", "record", "lag", "holds from", "stored at", "in use by");

    private final Output output;

    public CursorsTool(Output output) {
        this.output = output;
    }

    /** A tool that removes the cursor {@code name}, which then holds nothing any more. */
    public static LogTool removing(String name) {
        CursorName.check(name);
        return (log, out, err) -> {
            new LogCursors(log).remove(name);
            out.println(Descriptions.name(log) + ": removed cursor " + name);
            return ExitCode.OK;
        };
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        List<CursorState> cursors = new LogCursors(log).list();
        if (cursors.isEmpty()) {
            SegmentFiles.requireLog(log);
        }
        switch (output) {
            case TEXT -> printText(Descriptions.name(log), cursors, out);
            case JSON -> printJson(log.description(), cursors, out);
        }
        out.flush();
        int code = SegmentFiles.isAny(log) ? EndOfLog.of(log).say(err) : ExitCode.OK;
        boolean isAnyRefused = cursors.stream().anyMatch(cursor -> cursor.damage() != null || cursor.refused() != null);
        return isAnyRefused ? ExitCode.FAILURE : code;
    }

    /** What the reader of a cursor would be told, and with that how to let go of what the cursor holds. */
    public static String refusal(String name, String why) {
        return "cursor " + name + " holds the log for a reader that is refused: " + PayloadText.visible(why);
    }

    private static void printText(String log, List<CursorState> cursors, PrintStream out) {
        if (cursors.isEmpty()) {
            out.println(log + ": no cursors");
            return;
        }
        out.println(log + ": " + Descriptions.number(cursors.size(), "cursor"));
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        cursors.stream()
                .filter(cursor -> cursor.damage() == null)
                .map(CursorsTool::row)
                .forEach(rows::add);
        if (rows.size() > 1) {
            printTable(rows, out);
        }
        for (CursorState cursor : cursors) {
            if (cursor.damage() != null) {
                out.println("  " + cursor.name() + ": cannot be read and holds the whole log: " + cursor.damage());
            }
            if (cursor.refused() != null) {
                out.println("  " + refusal(cursor.name(), cursor.refused()));
            }
        }
    }

    private static List<String> row(CursorState cursor) {
        return List.of(
                cursor.name(),
                Long.toString(cursor.position()),
                Long.toString(cursor.sequence()),
                cursor.lagBytes() + " bytes",
                cursor.file().isEmpty() ? "-" : cursor.file(),
                Instant.ofEpochMilli(cursor.storedAtMs()).toString(),
                cursor.inUse() ? "process " + cursor.pid() : "-");
    }

    private static void printTable(List<List<String>> rows, PrintStream out) {
        int[] widths = new int[HEADINGS.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append("  ")
                        .append(row.get(i))
                        .append(" ".repeat(widths[i] - row.get(i).length()));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static void printJson(String log, List<CursorState> cursors, PrintStream out) {
        JsonLine.print(out, json -> {
            json.name("log").value(log);
            json.name("cursors").beginArray();
            for (CursorState cursor : cursors) {
                json.object(fields -> write(fields, cursor));
            }
            json.endArray();
        });
    }

    private static void write(JsonLine json, CursorState cursor) throws IOException {
        json.name("name").value(cursor.name());
        json.name("position").value(cursor.position());
        json.name("sequence").value(cursor.sequence());
        json.name("lagBytes").value(cursor.lagBytes());
        json.name("holdsFrom").value(cursor.file());
        json.name("storedAtMs").value(cursor.storedAtMs());
        json.name("inUse").value(cursor.inUse());
        json.name("pid").value(cursor.pid());
        if (cursor.damage() != null) {
            json.name("damage").value(cursor.damage());
        }
        if (cursor.refused() != null) {
            json.name("refused").value(cursor.refused());
        }
    }
}
