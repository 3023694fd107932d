package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each section of SECURITY.md that promises something names the tests of it, and these exist. */
class SecurityDocTest {

    private static final Pattern TEST = Pattern.compile("`((?:[a-z]+/)*[A-Z]\\w+Test)`");

    private static final List<String> MODULES = List.of("persist-core", "persist-matrix", "persist-tools");

    @Test
    void shouldNameTestsThatExist() {
        Set<String> named = new LinkedHashSet<>();
        Matcher matcher = TEST.matcher(Docs.read("SECURITY.md"));
        while (matcher.find()) {
            named.add(matcher.group(1));
        }
        assertThat(named)
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(MODULES.stream()
                                .map(module -> file(module, name))
                                .filter(Files::exists))
                        .as(name)
                        .hasSize(1));
    }

    private static Path file(String module, String test) {
        return Docs.root().resolve(module).resolve("src/test/java/io/persist").resolve(test + ".java");
    }

    @Test
    void shouldHaveTestsForEachTopic() {
        String[] sections = Docs.read("SECURITY.md").split("\n### ");
        assertThat(sections).hasSizeGreaterThan(5);
        for (int i = 1; i < sections.length; i++) {
            assertThat(sections[i]).contains("Tests: `").containsPattern(TEST);
        }
    }

    @Test
    void shouldBeFoundFromWhereOneLooks() {
        assertThat(Docs.read("README.md")).contains("](SECURITY.md)");
        assertThat(Docs.read("CONTRIBUTING.md")).contains("](SECURITY.md)");
    }
}
