package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.backup.DiskArchive;
import io.persist.backup.DiskBackup;
import io.persist.support.Docs;
import io.persist.tool.stats.ArcusStats;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/api.md lists of the tools is all that a program needs that uses them as a library. */
class FaceTest {

    private static final Pattern OWN_TYPE = Pattern.compile("io\\.persist\\.[\\w.$]+");

    @Test
    void shouldListWhatAProgramGetsThatBeginsWithOneOfThese() throws ClassNotFoundException {
        TreeSet<String> ofTheCore = new TreeSet<>(listed("face"));
        TreeSet<String> reached = new TreeSet<>();
        Deque<Class<?>> left = new ArrayDeque<>(List.of(DiskBackup.class, DiskArchive.class, ArcusStats.class));
        while (!left.isEmpty()) {
            Class<?> type = left.pop();
            if (reached.add(type.getName())) {
                assertThat(Modifier.isPublic(type.getModifiers()))
                        .as("%s", type)
                        .isTrue();
                for (String name : mentioned(type)) {
                    if (!ofTheCore.contains(name)) {
                        left.push(Class.forName(name));
                    }
                }
            }
        }
        assertThat(listed("tools-face")).containsExactlyInAnyOrderElementsOf(reached);
    }

    /** In the signatures of what is public in it. */
    private static List<String> mentioned(Class<?> type) {
        List<String> signatures = new ArrayList<>();
        Arrays.stream(type.getMethods()).map(Method::toGenericString).forEach(signatures::add);
        Arrays.stream(type.getConstructors()).map(Constructor::toGenericString).forEach(signatures::add);
        return signatures.stream()
                .map(signature -> signature.replaceFirst("[\\w.$]+\\(", "("))
                .flatMap(signature -> OWN_TYPE.matcher(signature).results())
                .map(match -> match.group())
                .toList();
    }

    private static List<String> listed(String table) {
        List<String> names = new ArrayList<>();
        for (List<String> row : Docs.table("docs/api.md", table)) {
            for (String type : row.get(2).split(", ")) {
                names.add(row.get(1) + "." + type.replace('.', '$'));
            }
        }
        return names;
    }
}
