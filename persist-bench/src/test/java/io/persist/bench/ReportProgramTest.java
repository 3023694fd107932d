package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.persist.bench.Program.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From benchmarks to the page that shows them. */
class ReportProgramTest {

    @TempDir
    Path directory;

    @Test
    void shouldShowWhatTheBenchmarksHaveMeasured() throws IOException {
        Program messages = Kind.MESSAGE.small(
                directory,
                "-c",
                "20000",
                "--output",
                directory.resolve("runs/1").toString());
        Kind.PACKET.small(
                directory,
                "-c",
                "200",
                "-d",
                "-l",
                directory.resolve("packets").toString(),
                "--output",
                directory.resolve("runs/2").toString());
        Path page = directory.resolve("report.html");

        Program report =
                Program.run(Main::run, "report", directory.resolve("runs").toString(), "--output", page.toString());

        assertThat(report.err()).isEmpty();
        assertThat(report.code()).isZero();
        assertThat(report.out()).startsWith("Report of 2 runs in " + page + ", ");
        JsonArray runs = runs(page);
        JsonObject first = runs.get(0).getAsJsonObject();
        assertThat(first.get("label").getAsString()).isEqualTo("message MAPPED BUFFERED");
        assertThat(first.get("command").getAsString()).startsWith("bin/persist message -c 20000 --output ");
        assertThat(first.get("perSecond").getAsDouble())
                .isBetween(messages.number("msgs/sec post") - 1.0, messages.number("msgs/sec post") + 1.0);
        assertThat(first.getAsJsonObject("environment").keySet()).contains("JVM", "CPUs", "file system");
        assertThat(sum(first, 2)).isEqualTo(20_000);
        assertThat(sum(first, 3)).isEqualTo(messages.number("rolls")).isPositive();
        assertThat(sum(first.getAsJsonArray("series").get(0).getAsJsonObject(), 2))
                .isEqualTo(20_000);
        assertThat(runs.get(1).getAsJsonObject().getAsJsonArray("series")).hasSize(4);
    }

    private static JsonArray runs(Path page) throws IOException {
        String html = Files.readString(page);
        String begin = "id=\"data\">";
        int start = html.indexOf(begin) + begin.length();
        return JsonParser.parseString(html.substring(start, html.indexOf("</script>", start)))
                .getAsJsonObject()
                .getAsJsonArray("runs");
    }

    private static long sum(JsonObject of, int column) {
        return of.getAsJsonArray("slices").asList().stream()
                .mapToLong(slice -> slice.getAsJsonArray().get(column).getAsLong())
                .sum();
    }
}
