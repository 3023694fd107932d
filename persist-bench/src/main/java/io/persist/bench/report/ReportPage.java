package io.persist.bench.report;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs as one HTML page that needs nothing else. The runs are data in it, which its scripts draw. What comes from files
 * gets into the page as text only, and the page's policy lets the browser run its own scripts and nothing else, and
 * load nothing.
 */
final class ReportPage {

    /** In each page, before its data, whatever its title. */
    private static final String MARK = "bin/persist report --csv prints the same numbers";

    private static final int MARK_WITHIN = 1 << 20;

    /** From the web jar of the library; its first comment is its licence. */
    private static final String CHART_JS = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

    private static final Pattern SOURCE_MAP = Pattern.compile("(?m)^//# sourceMappingURL=.*$\\R?");
    private static final List<String> SCRIPTS =
            List.of("text.js", "charts.js", "panels.js", "levels.js", "matrix.js", "sweep.js", "page.js");
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    /** Escapes what has a meaning in HTML, within JSON's own strings. */
    private static final Gson GSON = new Gson();

    private ReportPage() {}

    static String of(String title, List<RunSummary> runs) {
        String style = resource("report.css");
        String library = SOURCE_MAP.matcher(resource(CHART_JS)).replaceAll("");
        StringBuilder own = new StringBuilder();
        SCRIPTS.forEach(script -> own.append(resource(script)));
        String policy = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src "
                + digest(style) + "; script-src " + digest(library) + " " + digest(own.toString());
        Data data = new Data(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                SeriesSummary.PERCENTILES,
                SeriesSummary.CURVE_POINTS_PER_DECADE,
                runs);
        Map<String, String> contents = Map.of(
                "title",
                escaped(title),
                "policy",
                policy,
                "style",
                style,
                "data",
                GSON.toJson(data),
                "library",
                library,
                "script",
                own.toString());
        // In one go: what one of them holds is not looked through for places of others.
        return PLACE.matcher(resource("report.html"))
                .replaceAll(place -> Matcher.quoteReplacement(contents.getOrDefault(place.group(1), place.group())));
    }

    /** Whether a file is such a page, of whichever version. */
    static boolean isIn(Path file) {
        try (InputStream page = Files.newInputStream(file)) {
            return new String(page.readNBytes(MARK_WITHIN), StandardCharsets.UTF_8).contains(MARK);
        } catch (IOException e) {
            return false;
        }
    }

    /** A script or a style that the page's policy allows. */
    private static String digest(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String resource(String name) {
        try (InputStream resource = ReportPage.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("not on the class path: " + name);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the scripts know. */
    private record Data(String madeAt, List<Double> percentiles, int curvePointsPerDecade, List<RunSummary> runs) {}
}
