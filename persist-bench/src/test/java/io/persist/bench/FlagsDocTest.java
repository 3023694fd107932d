package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of flags of docs/measure.md is that of the programs: letters, names and defaults. */
class FlagsDocTest {

    private static final Path DOCUMENT = Path.of("../docs/measure.md");
    private static final Pattern ROW = Pattern.compile("\\| (?:`(-.)`)? ?\\| `(--\\w+)` \\| (.*?) \\| .* \\|");
    private static final Pattern SECTION = Pattern.compile("\\| \\*\\*(\\w+)\\*\\* \\|.*");

    /** A row; {@code program} is empty if all programs have the flag. */
    private record Flag(String program, String letter, String name, String defaultValue) {}

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldBeTrue(Kind kind) throws IOException {
        String out = kind.run("-h").out();
        String flags = out.substring(out.indexOf("default")); // after the examples
        for (Flag flag : table()) {
            if (!flag.program.isEmpty() && !flag.program.equals(kind.command)) {
                continue;
            }
            String names = flag.letter.isEmpty() ? " {3,}" + flag.name : flag.letter + ", " + flag.name;
            Matcher help =
                    Pattern.compile("(?m)^ +" + names + "(?: \\S+)?\\s+(\\S+) ").matcher(flags);
            assertThat(help.find()).as("%s of %s", flag, kind).isTrue();
            assertThat(help.group(1)).as(flag.name).isEqualTo(flag.defaultValue.replace("the ", ""));
        }
    }

    @Test
    void shouldHaveTheFlagsOfEachProgram() throws IOException {
        assertThat(table()).hasSizeGreaterThan(30);
        for (Kind kind : Kind.values()) {
            assertThat(table()).anyMatch(flag -> flag.program.equals(kind.command));
        }
    }

    private static List<Flag> table() throws IOException {
        List<Flag> flags = new ArrayList<>();
        String program = "";
        String document = Files.readString(DOCUMENT);
        for (String line :
                document.substring(document.indexOf("\n## Flags")).lines().toList()) {
            Matcher section = SECTION.matcher(line);
            Matcher row = ROW.matcher(line);
            if (section.matches()) {
                program = section.group(1);
            } else if (row.matches()) {
                flags.add(new Flag(program, row.group(1) == null ? "" : row.group(1), row.group(2), row.group(3)));
            }
        }
        return flags;
    }
}
