package io.persist.tool.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Run;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.ToolLog;
import io.persist.tool.print.Part.BytesField;
import io.persist.tool.print.Part.NumberField;
import io.persist.tool.print.Part.TextField;
import io.persist.tool.read.DumpTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.RecordSource;
import io.persist.tool.text.PayloadStyle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CSV and HTML, and records that are made of parts. */
class DumpFormatsTest {

    private static final String HOSTILE = "</code></td><script>alert(\"x\")</script><img src=x onerror='a&b'>";

    private final CrashableStorage storage = new CrashableStorage();

    private void write(String... payloads) {
        try (Log log = ToolLog.open(storage)) {
            for (String payload : payloads) {
                ToolLog.append(log, payload);
            }
        }
    }

    private Run dump(RecordPrinter printer) {
        return ToolLog.run(storage, new DumpTool(RecordRange.ALL, printer));
    }

    @Test
    void shouldPrintCsv() {
        write("hello", "a,b", "say \"hi\"", "two\r\nlines", "");
        Run run = dump(RecordPrinter.csv(PayloadStyle.TEXT));
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("position,sequence,startsCommit,length,text\r\n64,1,true,5,hello\r\n")
                .contains(",\"say \"\"hi\"\"\"\r\n")
                .endsWith(",5,true,0,\r\n");
        List<List<String>> rows = parse(run.out());
        assertThat(rows).hasSize(6).allMatch(row -> row.size() == 5);
        assertThat(rows.stream().skip(1).map(row -> row.get(4)))
                .containsExactly("hello", "a,b", "say \"hi\"", "two\r\nlines", "");
    }

    @Test
    void shouldPrintCsvInEveryStyle() {
        write("a,\"");
        assertThat(dump(RecordPrinter.csv(PayloadStyle.BASE64)).out())
                .isEqualTo("position,sequence,startsCommit,length,payload\r\n64,1,true,3,YSwi\r\n");
        assertThat(dump(RecordPrinter.csv(PayloadStyle.HEX)).out()).endsWith(",hex\r\n64,1,true,3,612c22\r\n");
        assertThat(parse(dump(RecordPrinter.csv(PayloadStyle.PREVIEW)).out()).get(1))
                .endsWith("\"a,\\\"\"");
        assertThat(dump(RecordPrinter.csv(PayloadStyle.NONE)).out())
                .isEqualTo("position,sequence,startsCommit,length\r\n64,1,true,3\r\n");
    }

    /** As RFC 4180 says: quotes around a value, two for one within. */
    private static List<List<String>> parse(String csv) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < csv.length(); i++) {
            char c = csv.charAt(i);
            boolean isDouble = quoted && c == '"' && csv.startsWith("\"\"", i);
            if (isDouble) {
                value.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ',' || c == '\r')) {
                row.add(value.toString());
                value.setLength(0);
                if (c == '\r') {
                    rows.add(row);
                    row = new ArrayList<>();
                    i++; // LF
                }
            } else {
                value.append(c);
            }
        }
        assertThat(quoted || value.length() > 0).as("ends within a row").isFalse();
        return rows;
    }

    @Test
    void shouldPrintAPageThatAPayloadCannotChange() {
        write("hello", HOSTILE);
        for (PayloadStyle style : List.of(PayloadStyle.PREVIEW, PayloadStyle.TEXT)) {
            String page = dump(RecordPrinter.html(style)).out();
            assertThat(page)
                    .startsWith("<!DOCTYPE html>\n")
                    .contains("<title>memory</title>", "prefers-color-scheme: dark")
                    .contains("<tr class=\"commit\"><td>64</td><td>1</td><td>starts</td><td>5</td><td><code>"
                            + "hello</code></td></tr>\n")
                    .contains("<code>&lt;/code&gt;&lt;/td&gt;&lt;script&gt;alert(&quot;x")
                    .contains("2 records in 2 commits, 69 bytes of payload")
                    .doesNotContain("<script", "<img", "http://", "https://")
                    .endsWith("</html>\n");
        }
        assertThat(dump(RecordPrinter.html(PayloadStyle.HEX)).out())
                .contains("<code class=\"bytes\">68656c6c6f</code>");
        assertThat(HtmlPrinter.escaped("<a b=\"c\" d='e'>&")).isEqualTo("&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
    }

    @Test
    void shouldShowWhatCannotBeSeen() {
        write("\u202Eevil\u200b", "\u0001\u0002", "say \"hi\"\\");
        String page = dump(RecordPrinter.html(PayloadStyle.PREVIEW)).out();
        assertThat(page)
                .contains("<code>\\u202eevil\\u200b</code>")
                .contains("<code class=\"bytes\">0102</code>")
                .contains("<code>say &quot;hi&quot;\\\\</code>");
    }

    @Test
    void shouldFinishThePageAtDamage() {
        List<Long> positions = ToolLog.closed(storage, 30);
        ToolLog.damage(storage, positions.get(20));
        Run run = dump(RecordPrinter.html(PayloadStyle.PREVIEW));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("20 records in 20 commits")
                .containsPattern("<strong>corrupt log: .*position=" + positions.get(20))
                .endsWith("</html>\n");
        assertThat(run.err()).contains("position=" + positions.get(20));
    }

    @Test
    void shouldEscapeTheNameOfTheLog() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = ToolLog.print(bytes);
        RecordPrinter.html(PayloadStyle.PREVIEW).begin("/logs/<b>100%", out);
        assertThat(ToolLog.text(bytes))
                .contains("<title>/logs/&lt;b&gt;100%</title>")
                .contains("<p>/logs/&lt;b&gt;100%");
    }

    @Test
    void shouldPrintThePartsOfARecord() {
        write("k=v");
        List<Part> parts = List.of(
                new Part("put", List.of(bytes("key", "<k>"), bytes("value", "a,\"b"), new NumberField("type", -7))),
                new Part("remove", List.of(bytes("key", "k"), new TextField("by", "\"me\""))));
        assertThat(withParts(RecordPrinter.text(PayloadStyle.PREVIEW), parts))
                .isEqualTo("            64          1        3 C\n" + " ".repeat(37)
                        + "put key=\"<k>\" value=\"a,\\\"b\" type=-7\n" + " ".repeat(37)
                        + "remove key=\"k\" by=\"\\\"me\\\"\"\n");
        String json = "[{\"part\":\"put\",\"key\":\"<k>\",\"value\":\"a,\\\"b\",\"type\":-7},"
                + "{\"part\":\"remove\",\"key\":\"k\",\"by\":\"\\\"me\\\"\"}]";
        assertThat(withParts(RecordPrinter.json(PayloadStyle.TEXT), parts))
                .isEqualTo(
                        "{\"position\":64,\"sequence\":1,\"length\":3,\"startsCommit\":true,\"parts\":" + json + "}\n");
        assertThat(parse("x\r\n" + withParts(RecordPrinter.csv(PayloadStyle.TEXT), parts))
                        .get(1))
                .containsExactly("64", "1", "true", "3", json);
        assertThat(withParts(RecordPrinter.json(PayloadStyle.NONE), parts))
                .contains("[{\"part\":\"put\",\"type\":-7},{\"part\":\"remove\",\"by\":");
        assertThat(withParts(RecordPrinter.html(PayloadStyle.TEXT), parts))
                .contains("<div><b>put</b> <i>key</i> <code>&lt;k&gt;</code> <i>value</i> ")
                .contains(" <i>type</i> -7</div><div><b>remove</b>");
    }

    private static BytesField bytes(String name, String text) {
        return new BytesField(name, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String withParts(RecordPrinter printer, List<Part> parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (RecordSource source = new RecordSource(storage)) {
            assertThat(source.next()).isTrue();
            printer.print(source.record(), parts, ToolLog.print(bytes));
        }
        return ToolLog.text(bytes);
    }
}
