package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.packet.Packet;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.copy.ArchiveTool;
import io.persist.tool.print.EntryPrinter;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.read.WalkTool;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.CursorsTool;
import io.persist.tool.store.StoreGetTool;
import io.persist.tool.store.StoreGetTool.ValueStyle;
import io.persist.tool.store.StoreScanTool;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payloads, keys and names that somebody chose for the terminal, the spreadsheet or the browser that shows them. */
class HostileOutputTest {

    private static final List<String> FORMULAS = List.of(
            "=HYPERLINK(\"http://x\",\"y\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\uFF1D1");

    private static final List<String> PAYLOADS = new ArrayList<>(List.of(
            "\u001B]0;title\u0007\u001B[2J\u001B[1;1H", // set the title, clear the screen
            "\u009B31m\u0090q\u009C", // the same in 8 bits
            "a\rb\nfake line\bx\u007F",
            "\u202Edetrevni\u2066\u2028\u2029\uFEFF",
            "</code></td><script>alert(1)</script><img src=x onerror=alert(1)>",
            "\"><svg onload='x'>&amp;{{x}}",
            "\\\"],\"x\":[",
            "\uD83D\uDE00 plain"));

    static {
        PAYLOADS.addAll(FORMULAS);
    }

    private final CrashableStorage storage = new CrashableStorage();

    @TempDir
    Path temporary;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void writeLog() {
        try (Log log = ToolLog.open(storage)) {
            PAYLOADS.forEach(payload -> ToolLog.append(log, payload));
            log.append(new byte[] {(byte) 0xFF, 27, '[', 'm', (byte) 0x9B}, 0, 5);
            log.commit(Durability.SYNCED);
        }
    }

    private void writePackets() {
        try (PacketLogger logger = PacketLogger.open(ToolLog.CONFIG, storage)) {
            Packet packet = logger.packet();
            PAYLOADS.forEach(payload -> packet.add(bytes(payload)));
            logger.append(packet);
            logger.commit(Durability.SYNCED);
        }
    }

    private void writeStore() {
        try (StoreLogger store = ToolStore.open(storage)) {
            PAYLOADS.forEach(payload -> ToolStore.put(store, payload, payload));
        }
    }

    private Run dump(RecordPrinter printer) {
        Run run = ToolLog.run(storage, new DumpTool(RecordRange.ALL, printer));
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    /** Nothing but line ends, and what a terminal shows as a character. */
    private static void assertHarmless(String output) {
        assertThat(output.chars()
                        .filter(c -> c != '\n' && Character.isISOControl(c))
                        .boxed())
                .as(output)
                .isEmpty();
        assertThat(output).doesNotContainPattern("[\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]");
    }

    @Test
    void shouldPrintNoControlsAsTextOrJson() {
        List<Runnable> contents = List.of(this::writeLog, this::writePackets, this::writeStore);
        for (Runnable content : contents) {
            storage.list().forEach(this::delete);
            content.run();
            for (PayloadStyle style : PayloadStyle.values()) {
                for (RecordPrinter printer : List.of(RecordPrinter.text(style), RecordPrinter.json(style))) {
                    assertHarmless(dump(printer).out());
                    BufferedReader input = new BufferedReader(new StringReader("n 100\nt\ni\n\u001B[2J\n"));
                    Run walk = ToolLog.run(storage, new WalkTool(input, WalkTool.Prompt.NONE, printer));
                    assertHarmless(walk.out());
                    assertHarmless(walk.err());
                }
                assertThat(dump(RecordPrinter.json(style)).out()).matches("(?s)[ -~\n]*"); // plain ASCII
            }
        }
    }

    private void delete(String name) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldPrintAStoreWithoutControls() {
        writeStore();
        for (EntryPrinter.Form form : List.of(EntryPrinter.Form.TEXT, EntryPrinter.Form.JSON)) {
            for (PayloadStyle style : PayloadStyle.values()) {
                assertHarmless(scan(EntryPrinter.of(form, KeyFormat.TEXT, style)));
            }
        }
        for (String key : PAYLOADS) {
            for (ValueStyle style : List.of(ValueStyle.TEXT, ValueStyle.HEX, ValueStyle.BASE64)) {
                Run run = ToolLog.run(storage, new StoreGetTool(key, KeyFormat.TEXT, style, StorePlace.ONE));
                assertThat(run.code()).isZero();
                assertHarmless(run.out());
            }
            assertHarmless(
                    ToolLog.run(storage, new StoreGetTool(key + "?", KeyFormat.TEXT, ValueStyle.TEXT, StorePlace.ONE))
                            .err());
        }
    }

    private String scan(EntryPrinter printer) {
        return ToolLog.run(
                        storage,
                        new StoreScanTool(KeyRange.all(), Direction.FORWARD, Long.MAX_VALUE, printer, StorePlace.ONE))
                .out();
    }

    /** A spreadsheet takes no value for a formula, and a terminal obeys none. */
    @Test
    void shouldPrintNoFormulasAsCsv() {
        writeLog();
        for (PayloadStyle style : List.of(PayloadStyle.TEXT, PayloadStyle.PREVIEW, PayloadStyle.HEX)) {
            checkCsv(dump(RecordPrinter.csv(style)).out());
        }
        storage.list().forEach(this::delete);
        writeStore();
        checkCsv(dump(RecordPrinter.csv(PayloadStyle.TEXT)).out());
        String entries = scan(EntryPrinter.of(EntryPrinter.Form.CSV, KeyFormat.TEXT, PayloadStyle.TEXT));
        checkCsv(entries);
        checkCsv(scan(EntryPrinter.ofKeys(EntryPrinter.Form.CSV, KeyFormat.TEXT)));
        assertThat(values(entries)).contains("'-2+3", "'@SUM(A1)", "'=HYPERLINK(\"http://x\",\"y\")", "'\uFF1D1");
    }

    private static void checkCsv(String csv) {
        assertThat(csv.chars()
                        .filter(c -> Character.isISOControl(c) && "\r\n\t".indexOf(c) < 0)
                        .boxed())
                .as(csv)
                .isEmpty();
        assertThat(values(csv))
                .as(csv)
                .noneMatch(value -> value.matches("(?s)[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].*"));
    }

    /** The values of all rows, as a program reads them that knows RFC 4180. */
    private static List<String> values(String csv) {
        List<String> values = new ArrayList<>();
        Matcher matcher = Pattern.compile("\"((?:[^\"]|\"\")*)\"|([^,\"\r\n]+)").matcher(csv);
        while (matcher.find()) {
            values.add(
                    matcher.group(1) == null
                            ? matcher.group(2)
                            : matcher.group(1).replace("\"\"", "\""));
        }
        return values;
    }

    /** Base64 may begin with a plus, and has nothing of which a call can be made. */
    @Test
    void shouldLeaveBase64InCsvAsItIs() {
        writeLog();
        assertThat(values(dump(RecordPrinter.csv(PayloadStyle.BASE64)).out()))
                .allMatch(value -> value.matches("[A-Za-z0-9+/=]+"));
    }

    @Test
    void shouldPrintNoMarkupAsHtml() {
        for (Runnable content : List.<Runnable>of(this::writeLog, this::writePackets, this::writeStore)) {
            storage.list().forEach(this::delete);
            content.run();
            for (PayloadStyle style : PayloadStyle.values()) {
                String html = dump(RecordPrinter.html(style)).out();
                assertHarmless(html);
                assertThat(html)
                        .contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"")
                        .doesNotContainPattern("(?i)<(script|img|svg|iframe|a|object|link|form)\\b")
                        .doesNotContainPattern("<[^>]*\\son\\w+=");
            }
        }
    }

    /** {@code verify *} has names of directories that somebody else may have made. */
    @Test
    void shouldPrintNoControlsOfADirectorysName() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("a\u001B[2J\u202Eb\nc"));
        LogConfig config = LogConfig.builder(directory).segmentLength(4096).build();
        try (Log log = Log.open(config)) {
            ToolLog.append(log, 500);
            log.tailer("reader").close();
        }
        Path missing = directory.resolve("missing\u001B[2J");
        Path empty = Files.createDirectory(directory.resolve("empty\u001B[2J"));
        List<Function<Output, LogTool>> tools = List.of(
                output -> new VerifyTool(output, base -> {}),
                CursorsTool::new,
                output -> new RepairTool(Effect.APPLY),
                output -> new DumpTool(RecordRange.ALL, RecordPrinter.html(PayloadStyle.NONE)),
                output -> ArchiveTool.packing(
                        temporary.resolve("x\u001B[2J" + output + ".zip"), ArchiveTool.Originals.KEEP));
        for (Output output : Output.values()) {
            for (Function<Output, LogTool> tool : tools) {
                for (Path log : List.of(directory, missing, empty)) {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    ToolRunner.run(List.of(log), tool.apply(output), ToolLog.print(out), ToolLog.print(out));
                    assertHarmless(ToolLog.text(out));
                    assertThat(ToolLog.text(out)).contains("\\u001b[2J");
                }
            }
        }
    }
}
