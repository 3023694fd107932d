package io.persist.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.persist.command.Run;
import io.persist.tool.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {

    private static final Pattern SCRIPT = Pattern.compile("(?s)<script([^>]*)>(.*?)</script>");
    private static final String HOSTILE =
            "</script><script>alert(1)</script><img src=x onerror='alert(\"2\")'> & é {{data}}";

    @TempDir
    Path directory;

    @Test
    void shouldPutAllRunsBelowADirectoryIntoOnePage() throws IOException {
        SavedRun.save(directory.resolve("a/one"), "first", 10, 5);
        SavedRun.save(directory.resolve("b"), "second", 20, 5);
        Files.createDirectory(directory.resolve("old"));
        SavedRun.saveLog(directory.resolve("old/latencies.total.hlog"), 5, 7);

        Run run = report();

        assertThat(run.out())
                .isEqualTo("Report of 3 runs in " + page() + ", " + kib() + " KiB. Open it in a browser.\n");
        JsonArray runs = data().getAsJsonArray("runs");
        assertThat(strings(runs, "label")).containsExactly("first", "second", "old");
        assertThat(runs.get(0).getAsJsonObject().get("command").getAsString())
                .isEqualTo("bin/persist message -k 'my logs'");
        assertThat(runs.get(1).getAsJsonObject().getAsJsonArray("slices")).hasSize(20);
        JsonObject total =
                runs.get(2).getAsJsonObject().getAsJsonArray("series").get(0).getAsJsonObject();
        assertThat(total.get("name").getAsString()).isEqualTo("total");
        assertThat(total.get("count").getAsLong()).isEqualTo(35);
    }

    @Test
    void shouldNeedNothingFromElsewhere() throws Exception {
        SavedRun.save(directory.resolve("a"), "first", 10, 5);
        report();
        String page = Files.readString(page());

        assertThat(page)
                .contains("Chart.js v4.5.1", "Released under the MIT License")
                .doesNotContain("sourceMappingURL");
        assertThat(Pattern.compile("<[a-z]+ [^>]*(src|href|action)=\"(?!data:)")
                        .matcher(page.replaceAll("(?s)(<script[^>]*>).*?</script>", "$1"))
                        .find())
                .isFalse();
        List<String> scripts = new ArrayList<>();
        Matcher matcher = SCRIPT.matcher(page);
        while (matcher.find()) {
            if (matcher.group(1).isEmpty()) {
                byte[] digest = MessageDigest.getInstance("SHA-256")
                        .digest(matcher.group(2).getBytes(StandardCharsets.UTF_8));
                scripts.add("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
            }
        }
        assertThat(scripts).hasSize(2);
        assertThat(page)
                .contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
                .contains("; script-src " + String.join(" ", scripts) + "\">");
    }

    @Test
    void shouldLetNothingOutOfAFileBecomeMarkup() throws IOException {
        Path hostile = directory.resolve("<img src=x onerror=alert(3)>&\"'");
        SavedRun.save(hostile, HOSTILE, 3, 5);
        Path json = hostile.resolve("run.json");
        Files.writeString(
                json,
                Files.readString(json)
                        .replace("\"JVM\": \"one\"", "\"__proto__\": \"<b>\u2028\", \"<i>\": \"<!--<script>\""));

        assertThat(run(hostile.toString(), "--output", page().toString(), "--title", HOSTILE)
                        .code())
                .isZero();

        String page = Files.readString(page());
        assertThat(page.split("<script", -1)).hasSize(4);
        assertThat(page.split("</script", -1)).hasSize(4);
        assertThat(page)
                .contains("<title>&lt;/script&gt;&lt;script&gt;alert(1)")
                .contains("&amp; é {{data}}</title>")
                .doesNotContain("<img", "<b>", "<i>", "<!--", "\u2028");
        JsonObject run = data().getAsJsonArray("runs").get(0).getAsJsonObject();
        assertThat(run.get("label").getAsString()).isEqualTo(HOSTILE);
        assertThat(run.get("directory").getAsString()).isEqualTo(hostile.toString());
        assertThat(run.getAsJsonObject("environment").get("__proto__").getAsString())
                .isEqualTo("<b>\u2028");
    }

    @Test
    void shouldTellRunsOfTheSameNameApart() throws IOException {
        SavedRun.save(directory.resolve("x/a"), "same", 3, 5);
        SavedRun.save(directory.resolve("x/b/c"), "same", 3, 5);
        SavedRun.save(directory.resolve("x/d"), "other", 3, 5);

        assertThat(run(
                                directory.resolve("x").toString(),
                                directory.resolve("x/a").toString(),
                                "--output",
                                page().toString())
                        .code())
                .isZero();

        assertThat(strings(data().getAsJsonArray("runs"), "label")).containsExactly("same (a)", "same (b/c)", "other");
    }

    @Test
    void shouldKeepThePageOfManyRunsSmall() throws IOException {
        int runs = Boolean.getBoolean("persist.nightly") ? 20 : 8;
        SavedRun.save(directory.resolve("0"), "0", 1000, 1000);
        for (int i = 1; i < runs; i++) {
            Path copy = Files.createDirectory(directory.resolve(Integer.toString(i)));
            for (String file : List.of("run.json", "latencies.write.hlog")) {
                Files.copy(directory.resolve("0").resolve(file), copy.resolve(file));
            }
        }

        assertThat(report().code()).isZero();

        assertThat(data().getAsJsonArray("runs")).hasSize(runs);
        assertThat(Files.size(page())).isLessThan(runs * 75_000L);
    }

    @Test
    void shouldPrintATableAsCsv() throws IOException {
        SavedRun.save(directory.resolve("a"), "one, \"two\"", 100, 50);
        Files.createDirectory(directory.resolve("b"));
        SavedRun.saveLog(directory.resolve("b/x.hlog"), 1, 1);

        Run run = run(directory.toString(), "--csv");

        assertThat(run.code()).isZero();
        String[] rows = run.out().split("\r\n", -1);
        assertThat(rows).hasSize(4);
        assertThat(rows[0])
                .isEqualTo(
                        "run,directory,startedAt,series,count,runPerSecond,meanNs,p50Ns,p90Ns,p99Ns,p99.9Ns,p99.99Ns,"
                                + "maxNs,allocated B/op");
        assertThat(rows[1])
                .startsWith("\"one, \"\"two\"\"\"," + directory.resolve("a") + ",2026-11-21T12:00:00Z,write,5000,500,")
                .endsWith(",1.5");
        assertThat(rows[2]).startsWith("b,").endsWith(",");
        assertThat(rows[3]).isEmpty();
    }

    /** As a device that only tells a rate: its figures are in the tables, and its latencies are empty. */
    @Test
    void shouldHaveARowForARunWithoutLatencies() throws IOException {
        Path one = SavedRun.save(directory.resolve("a"), "one", 100, 50);
        Path json = one.resolve("run.json");
        String noSeries = Files.readString(json).replaceFirst("(?s)\"series\": \\[.*?]", "\"series\": []");
        Files.writeString(json, noSeries);

        String[] rows = run(one.toString(), "--csv").out().split("\r\n", -1);
        assertThat(rows).hasSize(3);
        assertThat(rows[1]).isEqualTo("one," + one + ",2026-11-21T12:00:00Z,,5000,500,,,,,,,,1.5");

        JsonObject row = JsonParser.parseString(run(one.toString(), "--json").out())
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject();
        assertThat(row.get("runPerSecond").getAsDouble()).isEqualTo(500);
        assertThat(row.get("p90Ns").isJsonNull()).isTrue();
    }

    @Test
    void shouldWriteATableAsJsonIntoAFile() throws IOException {
        SavedRun.save(directory.resolve("a"), "one", 100, 50);

        assertThat(run(directory.toString(), "--json", "--output", page().toString())
                        .out())
                .isEmpty();

        JsonObject row = JsonParser.parseString(Files.readString(page()))
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject();
        assertThat(row.get("series").getAsString()).isEqualTo("write");
        assertThat(row.get("runPerSecond").getAsDouble()).isEqualTo(500);
        assertThat(row.get("p90Ns").getAsLong()).isBetween(90_000L, 90_100L);
        assertThat(row.getAsJsonObject("figures").get("allocated B/op").getAsDouble())
                .isEqualTo(1.5);
    }

    @Test
    void shouldRefuseInOneLineWhatMakesNoSense() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        SavedRun.save(directory.resolve("a"), "one", 1, 1);

        assertFails(ExitCode.USAGE, "no DIR is given");
        assertFails(ExitCode.USAGE, file + " is no directory", file.toString());
        assertFails(
                ExitCode.USAGE,
                "missing is no directory",
                directory.resolve("missing").toString());
        assertFails(ExitCode.USAGE, "unknown flag --jsn", directory.toString(), "--jsn");
        assertFails(ExitCode.USAGE, "--csv and --json are two tables", directory.toString(), "--csv", "--json");
        assertFails(ExitCode.USAGE, "not a path", "a\0b");
    }

    @Test
    void shouldFollowALinkToADirectoryOfRuns() throws IOException {
        SavedRun.save(directory.resolve("real/a"), "one", 1, 1);
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("real"));

        assertThat(run(link.toString(), "--csv").out()).contains("one," + link.resolve("a") + ",");
        assertThat(run(link.toString(), directory.resolve("real").toString(), "--csv")
                        .out()
                        .split("\r\n"))
                .as("each run once")
                .hasSize(2);
    }

    @Test
    void shouldHaveNoRateWhereNoneIsKnown() throws IOException {
        SavedRun.saveLog(directory.resolve("x.hlog"), 1, 1);
        SavedRun.saveLog(directory.resolve("y.hlog"), 1, 1);

        assertThat(run(directory.toString(), "--csv").out().split("\r\n")[1]).contains("Z,x,1,,1000");
    }

    @Test
    void shouldReplaceNothingThatARunHasMeasured() throws IOException {
        Path one = SavedRun.save(directory.resolve("a"), "one", 1, 1);
        for (String name : List.of("run.json", "latencies.write.hlog")) {
            String before = Files.readString(one.resolve(name));
            assertFails(
                    ExitCode.USAGE,
                    "has the name of what a run has measured",
                    one.toString(),
                    "--csv",
                    "--output",
                    one.resolve(name).toString());
            assertThat(one.resolve(name)).hasContent(before);
        }
    }

    /** As on a full disk: here it cannot be made for another reason. */
    @Test
    void shouldKeepTheEarlierPageIfTheNewOneCannotBeWritten() throws IOException {
        Path one = SavedRun.save(directory.resolve("a"), "one", 1, 1);
        Files.writeString(page(), "earlier");
        Path inTheWay = Files.createDirectory(directory.resolve("page.html.tmp"));
        assertFails(ExitCode.FAILURE, "cannot write " + page() + " (", one.toString(), "--output", page().toString());
        assertThat(page()).hasContent("earlier");

        Files.delete(inTheWay);
        assertThat(run(one.toString(), "--output", page().toString()).code()).isZero();
        assertThat(page().toFile().length()).isGreaterThan(10_000);
        assertThat(inTheWay).doesNotExist();
    }

    /** Other tools call their pages so, too. */
    @Test
    void shouldReplaceNoPageOfAnotherToolUnlessToldTo() throws IOException {
        String one = SavedRun.save(directory.resolve("a"), "one", 1, 1).toString();
        assertThat(run(byDefault(), one).code()).isZero();
        assertThat(run(byDefault(), one, "--title", "again").code()).isZero();
        assertThat(page()).content().contains("<title>again</title>");

        Files.writeString(page(), "mine");
        Run refused = run(byDefault(), one);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).startsWith("persist report: " + page() + " is there and is no page of this command");
        assertThat(run(byDefault(), one, "--csv").code()).isZero();
        assertThat(page()).hasContent("mine");

        assertThat(run(one, "--output", page().toString()).code()).isZero();
        assertThat(page().toFile().length()).isGreaterThan(10_000);
    }

    /** The file is a hole, and longer than any array. */
    @Test
    void shouldSayThatAResultIsTooLarge() throws IOException {
        Path one = SavedRun.save(directory.resolve("a"), "one", 1, 1);
        try (RandomAccessFile file =
                new RandomAccessFile(one.resolve("run.json").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        assertFails(ExitCode.FAILURE, one + " takes more memory than there is (", one.toString());
    }

    @Test
    void shouldFailInOneLineAndSayWhatToDo() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertFails(ExitCode.FAILURE, "no run in " + empty, empty.toString());

        Path one = SavedRun.save(directory.resolve("a"), "one", 1, 1);
        Path nowhere = directory.resolve("nowhere/report.html");
        assertFails(
                ExitCode.FAILURE,
                "cannot write " + nowhere + " (no such file or directory); name another file with --output",
                one.toString(),
                "--output",
                nowhere.toString());
        assertFails(ExitCode.FAILURE, "cannot write " + empty, one.toString(), "--output", empty.toString());

        Files.writeString(one.resolve("run.json"), "{");
        assertFails(ExitCode.FAILURE, one.resolve("run.json") + " is not the JSON of a run", directory.toString());
    }

    @Test
    void shouldNameWhatItMayNotRead() throws IOException {
        Path one = SavedRun.save(directory.resolve("a"), "one", 1, 1);
        Path log = one.resolve("latencies.write.hlog");
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(log), "root may read everything");

        assertFails(ExitCode.FAILURE, "cannot read " + log + " (", one.toString());
    }

    @Test
    void shouldExplainItself() {
        assertThat(run("--help").out())
                .contains(
                        "bin/persist report",
                        "DIR...",
                        "--output",
                        "--csv",
                        "--json",
                        "--title",
                        "Benchmarks of Persist");
    }

    private void assertFails(int code, String message, String... args) {
        Run run = run(args);
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("persist report: ")
                .contains(message);
    }

    private Run report() {
        return run(directory.toString(), "--output", page().toString());
    }

    /** Writes the page if it is not told where. */
    private ReportCommand byDefault() {
        return new ReportCommand(page());
    }

    private Path page() {
        return directory.resolve("page.html");
    }

    private long kib() throws IOException {
        return (Files.size(page()) + 1023) / 1024;
    }

    private JsonObject data() throws IOException {
        Matcher data = Pattern.compile("(?s)<script type=\"application/json\" id=\"data\">(.*?)</script>")
                .matcher(Files.readString(page()));
        assertThat(data.find()).isTrue();
        return JsonParser.parseString(data.group(1)).getAsJsonObject();
    }

    private static Stream<String> strings(JsonArray objects, String name) {
        return objects.asList().stream()
                .map(JsonElement::getAsJsonObject)
                .map(each -> each.get(name).getAsString());
    }

    private static Run run(String... args) {
        return run(new ReportCommand(), args);
    }

    private static Run run(ReportCommand command, String... args) {
        return Run.of(command, args);
    }
}
