package io.persist.tool.print;

import io.persist.log.read.Tailer;
import io.persist.tool.select.RecordSelection.Counts;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadStyle;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A page with a table of records. It loads nothing and runs nothing, and says so to the browser: what a payload holds
 * stays text.
 */
final class HtmlPrinter extends RecordPrinter {

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%1$s</title>
            <style>
            :root { color-scheme: light dark; --text: #1c2126; --faint: #5b6570; --page: #ffffff; --line: #e2e6ea;
              --head: #f3f5f7; --commit: #8a97a4; --part: #0b5cad; --warn: #9a3412; }
            @media (prefers-color-scheme: dark) { :root { --text: #e3e7eb; --faint: #98a3ae; --page: #14181c;
              --line: #2a3138; --head: #1d2328; --commit: #66727e; --part: #7cb7f2; --warn: #fdba74; } }
            body { margin: 2rem; color: var(--text); background: var(--page); font: 15px/1.5 system-ui, sans-serif; }
            h1 { margin: 0; font-size: 1.3rem; }
            h1 + p { margin: 0 0 1.5rem; color: var(--faint); overflow-wrap: anywhere; }
            table { width: 100%%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th { position: sticky; top: 0; padding: .4rem .8rem; background: var(--head); font-weight: 600; }
            td { padding: .15rem .8rem; border-top: 1px solid var(--line); vertical-align: top; }
            tr.commit td { border-top-color: var(--commit); }
            th, td { text-align: right; white-space: nowrap; }
            th:nth-child(3), td:nth-child(3) { text-align: center; }
            td:nth-child(3), .bytes { color: var(--faint); }
            th:nth-child(5), td:nth-child(5) { width: 100%%; text-align: left; white-space: normal; }
            code { font: 13px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
              unicode-bidi: isolate; }
            b { color: var(--part); font-weight: 600; }
            i { color: var(--faint); font-style: normal; }
            footer { margin-top: 1.5rem; color: var(--faint); }
            footer strong { color: var(--warn); }
            </style>
            </head>
            <body>
            <h1>Records of a log</h1>
            <p>%1$s</p>
            <table>
            <thead><tr><th>position</th><th>sequence</th><th>commit</th><th>length</th><th>payload</th></tr></thead>
            <tbody>
            """;

    HtmlPrinter(PayloadStyle style) {
        super(style);
    }

    @Override
    public void begin(String log, PrintStream out) {
        out.printf(HEAD, escaped(PayloadText.visible(log)));
    }

    @Override
    public void print(Tailer record, List<Part> parts, PrintStream out) {
        ByteBuffer payload = record.payloadUntilNext().duplicate();
        out.append(record.startsCommit() ? "<tr class=\"commit\"><td>" : "<tr><td>")
                .print(record.position());
        out.append("</td><td>").print(record.sequence());
        out.append("</td><td>").append(record.startsCommit() ? "starts" : "");
        out.append("</td><td>").print(payload.remaining());
        out.append("</td><td>");
        if (parts.isEmpty()) {
            printCode(payload, out);
        } else {
            parts.forEach(part -> printPart(part, out));
        }
        out.append("</td></tr>\n");
    }

    private void printPart(Part part, PrintStream out) {
        out.append("<div><b>").append(escaped(part.name())).append("</b>");
        for (Part.Field field : part.fields()) {
            out.append(" <i>").append(escaped(field.name())).append("</i> ");
            if (field instanceof Part.NumberField number) {
                out.print(number.value());
            } else if (field instanceof Part.TextField text) {
                out.append(escaped(text.value()));
            } else if (field instanceof Part.KeyField key && style() != PayloadStyle.NONE) {
                out.append("<code>").append(escaped(key.plain(style()))).append("</code>");
            } else if (field instanceof Part.BytesField bytes) {
                printCode(bytes.value().duplicate(), out);
            }
        }
        out.append("</div>");
    }

    private void printCode(ByteBuffer bytes, PrintStream out) {
        if (style() == PayloadStyle.BASE64 || style() == PayloadStyle.HEX) {
            out.append("<code class=\"bytes\">");
            PayloadText.print(bytes, style(), out);
        } else {
            String text = PayloadText.of(bytes, style());
            int last = text.lastIndexOf('"');
            out.append(last > 0 ? "<code>" : "<code class=\"bytes\">");
            out.append(escaped(last > 0 ? unquoted(text, last) : text));
        }
        out.append("</code>");
    }

    /** A cell of a table is quotes enough. */
    private static String unquoted(String text, int last) {
        return text.substring(1, last).replace("\\\"", "\"") + text.substring(last + 1);
    }

    @Override
    public void end(Counts counts, String message, PrintStream out) {
        out.append("</tbody>\n</table>\n<footer>\n<p>")
                .append(Descriptions.number(counts.records(), "record"))
                .append(" in ")
                .append(Descriptions.number(counts.commits(), "commit"))
                .append(", ")
                .append(Descriptions.number(counts.bytes(), "byte"))
                .append(" of payload</p>\n");
        if (!message.isEmpty()) {
            out.append("<p><strong>").append(escaped(message)).append("</strong></p>\n");
        }
        out.append("</footer>\n</body>\n</html>\n");
    }

    /** Text in which a browser finds no markup, within an element or an attribute. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(character);
            }
        }
        return escaped.toString();
    }
}
