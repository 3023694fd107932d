package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes from another library is sent to what there is. */
class ComingFromTest {

    private static final String PAGE = "docs/coming-from.md";

    private static final String FACE = "persist-core/src/test/resources/face/public-types.txt";

    private static final Pattern TYPE = Pattern.compile("(?:class|interface|enum|record) (io\\.persist\\.[\\w.$]+)");

    /** A member of a type, as the page names it. */
    private static final Pattern MEMBER = Pattern.compile("\\b([A-Z]\\w+(?:\\.[A-Z]\\w+)*)\\.([a-z]\\w+)");

    @ParameterizedTest
    @ValueSource(strings = {"from-chronicle", "from-aeron", "from-rocksdb", "from-artemis", "from-arcus"})
    void shouldNameMembersOfThePublicFace(String table) throws ClassNotFoundException {
        Set<String> face = members();
        List<String> unknown = new ArrayList<>();
        int known = 0;
        for (List<String> row : Docs.table(PAGE, table)) {
            Matcher named = MEMBER.matcher(row.get(1) + " " + row.get(2).replaceAll("]\\([^)]*\\)", "]"));
            while (named.find()) {
                if (face.contains(named.group())) {
                    known++;
                } else {
                    unknown.add(named.group());
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(known).as("members that are named").isGreaterThan(5);
    }

    /** The methods of each public type with those that it inherits, by its name and theirs. */
    private static Set<String> members() throws ClassNotFoundException {
        Set<String> members = new HashSet<>();
        Matcher types = TYPE.matcher(Docs.read(FACE));
        while (types.find()) {
            Class<?> type = Class.forName(types.group(1));
            String name =
                    type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
            for (Method method : type.getMethods()) {
                members.add(name + "." + method.getName());
            }
        }
        return members;
    }
}
