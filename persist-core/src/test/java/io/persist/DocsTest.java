package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links lead somewhere, and the route through the source names what there is. */
class DocsTest {

    private static final String READING = "docs/reading.md";

    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)]*)?\\)");

    private static final Pattern LINK_TO_HEADING = Pattern.compile("]\\(([^)#\\s]*)#([^)\\s]+)\\)");

    /** A heading; or the fence of a block, in which such a line is a comment of the shell. */
    private static final Pattern HEADING = Pattern.compile("(?m)^(?:#{1,6} (.+)|```.*)$");

    private static final Pattern SOURCE = Pattern.compile("\\[`?([A-Z]\\w+)(?:\\.(\\w+))?`?]\\(([^)\\s]+\\.java)\\)");

    /** What a document shows of the source. */
    private static final Pattern LINES =
            Pattern.compile("<!-- lines of: (\\S+) -->\n```\n(.*?\n)```\n", Pattern.DOTALL);

    /** A type, with a method or without one. */
    private static final Pattern CODE = Pattern.compile("`[A-Z]\\w+(\\.\\w+)?`");

    @Test
    void shouldLinkOnlyToWhatExists() {
        List<String> dead = new ArrayList<>();
        for (Path document : Docs.all()) {
            Matcher matcher = LINK.matcher(Docs.read(document));
            while (matcher.find()) {
                String target = matcher.group(1);
                if (!target.startsWith("https://") && !Files.exists(document.resolveSibling(target))) {
                    dead.add(Docs.root().relativize(document) + " -> " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    /** A heading of a document has the anchor that GitHub gives it. */
    @Test
    void shouldLinkOnlyToHeadingsThatExist() {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path document : Docs.all()) {
            Matcher matcher = LINK_TO_HEADING.matcher(Docs.read(document));
            while (matcher.find()) {
                String target = matcher.group(1);
                Path page = target.isEmpty() ? document : document.resolveSibling(target);
                boolean isOurs = !target.startsWith("https://") && Files.exists(page);
                links += isOurs ? 1 : 0;
                if (isOurs && !anchors(page).contains(matcher.group(2))) {
                    dead.add(Docs.root().relativize(document) + " -> " + target + "#" + matcher.group(2));
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).as("links to a heading").isGreaterThan(100);
    }

    /** Of each heading; where it comes again, a number behind it. */
    private static Set<String> anchors(Path document) {
        Set<String> anchors = new HashSet<>();
        boolean isInBlock = false;
        Matcher matcher = HEADING.matcher(Docs.read(document));
        while (matcher.find()) {
            if (matcher.group(1) == null) {
                isInBlock = !isInBlock;
            } else if (!isInBlock) {
                String anchor = matcher.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w -]", "")
                        .replace(' ', '-');
                String unique = anchor;
                for (int i = 1; !anchors.add(unique); i++) {
                    unique = anchor + "-" + i;
                }
            }
        }
        return anchors;
    }

    /** A link to a source names the type in it, and a method of that type if the name goes on behind a point. */
    @Test
    void shouldNameTypesAndMethodsThatExist() {
        List<String> dead = new ArrayList<>();
        int methods = 0;
        for (Path document : Docs.all()) {
            Matcher matcher = SOURCE.matcher(Docs.read(document));
            while (matcher.find()) {
                String source = Docs.read(document.resolveSibling(matcher.group(3)));
                boolean isType = matcher.group(3).endsWith("/" + matcher.group(1) + ".java");
                String method = matcher.group(2);
                methods += method == null ? 0 : 1;
                if (!isType || method != null && !source.contains(" " + method + "(")) {
                    dead.add(Docs.root().relativize(document) + ": " + matcher.group());
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(methods).as("methods that are named").isGreaterThan(10);
    }

    /** But for what they are indented by. */
    @Test
    void shouldShowLinesOfTheSourceAsTheyAre() {
        int shown = 0;
        for (Path document : Docs.all()) {
            Matcher matcher = LINES.matcher(Docs.read(document));
            while (matcher.find()) {
                shown++;
                Path source = document.resolveSibling(matcher.group(1));
                assertThat(unindented(Docs.read(source)))
                        .as("%s in %s", source.getFileName(), document)
                        .contains(unindented(matcher.group(2)));
            }
        }
        assertThat(shown).as("parts of the source that are shown").isPositive();
    }

    private static String unindented(String lines) {
        return lines.replaceAll("(?m)^ +", "");
    }

    /** Nobody who follows the route has to guess where something lies. */
    @Test
    void shouldLinkEachTypeOfTheRoute() {
        String route = Docs.read(READING);
        String unlinked =
                LINK.matcher(route.substring(route.indexOf("## The core"))).replaceAll("]");
        Matcher matcher = CODE.matcher(unlinked.replaceAll("\\[[^\\]]*]", ""));
        assertThat(matcher.results().map(MatchResult::group)).isEmpty();
    }
}
