package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocsTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)]*)?\\)");

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
}
