package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the Java snippets of the documents with the regions of the tests that run them. */
class GuideSnippetsTest {

    private static final List<String> TESTS = List.of(
            "persist-core/src/test/java/io/persist/GuideTest.java",
            "persist-core/src/test/java/io/persist/StoreGuideTest.java",
            "persist-core/src/test/java/io/persist/PatternsTest.java",
            "persist-core/src/test/java/io/persist/ProjectionGuideTest.java",
            "persist-core/src/test/java/io/persist/TestingGuideTest.java",
            "persist-core/src/test/java/io/persist/KubernetesGuideTest.java",
            "persist-core/src/test/java/io/persist/StreamsPatternTest.java",
            "persist-core/src/test/java/io/persist/StandbyPatternTest.java",
            "persist-core/src/test/java/io/persist/LoopPatternTest.java",
            "persist-core/src/test/java/io/persist/RaftPatternTest.java",
            "persist-chronicle/src/test/java/io/persist/chronicle/ChronicleGuideTest.java",
            "persist-kafka/src/test/java/io/persist/kafka/KafkaGuideTest.java",
            "persist-shard/src/test/java/io/persist/shard/ShardGuideTest.java",
            "persist-tools/src/test/java/io/persist/backup/DiskArchiveTest.java",
            "persist-tools/src/test/java/io/persist/backup/DiskBackupTest.java");
    private static final Pattern SHOWN =
            Pattern.compile("(<!-- snippet: (\\S+) -->\n```java\n)(.*?)(```\n)", Pattern.DOTALL);
    private static final String START = "// snippet: ";
    private static final String END = "// end";

    @Test
    void shouldShowOnlyCodeThatIsTested() throws IOException {
        Map<String, String> tested = testedSnippets();
        TreeSet<String> shown = new TreeSet<>();
        for (Path document : Docs.all()) {
            String text = Docs.read(document);
            Matcher matcher = SHOWN.matcher(text);
            StringBuilder rewritten = new StringBuilder();
            while (matcher.find()) {
                String name = matcher.group(2);
                assertThat(tested)
                        .as("regions of " + TESTS + " for " + document)
                        .containsKey(name);
                shown.add(name);
                if (!Boolean.getBoolean("rewrite")) {
                    assertThat(matcher.group(3))
                            .as("snippet %s of %s; rewrite it with -Drewrite=true", name, document)
                            .isEqualTo(tested.get(name));
                }
                String snippet = matcher.group(1) + tested.get(name) + matcher.group(4);
                matcher.appendReplacement(rewritten, Matcher.quoteReplacement(snippet));
            }
            matcher.appendTail(rewritten);
            if (Boolean.getBoolean("rewrite") && !rewritten.toString().equals(text)) {
                Files.writeString(document, rewritten);
            }
            assertThat(count(text, "```java"))
                    .as("java blocks of " + document + " without a snippet's name")
                    .isEqualTo(count(text, "<!-- snippet: "));
        }
        assertThat(shown)
                .as("every region of " + TESTS + " is shown somewhere")
                .isEqualTo(new TreeSet<>(tested.keySet()));
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    /** The regions of the tests by name, each without its indentation. */
    private static Map<String, String> testedSnippets() {
        Map<String, String> snippets = new TreeMap<>();
        for (String test : TESTS) {
            addSnippets(Docs.read(test), snippets);
        }
        return snippets;
    }

    private static void addSnippets(String source, Map<String, String> snippets) {
        String name = null;
        List<String> lines = new ArrayList<>();
        for (String line : source.lines().toList()) {
            if (line.strip().startsWith(START)) {
                name = line.strip().substring(START.length());
                lines.clear();
            } else if (name != null && line.strip().equals(END)) {
                String snippet = String.join("\n", lines).stripIndent() + "\n";
                assertThat(snippets.put(name, snippet)).as("another " + name).isNull();
                name = null;
            } else {
                lines.add(line);
            }
        }
    }
}
