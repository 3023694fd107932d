package io.persist.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the programs of a module that the launcher finds there say about themselves is complete. */
public abstract class ManualContract {

    /** All that are to be found. */
    protected abstract List<String> names();

    private static Stream<NamedCommand> all() {
        return ServiceLoader.load(NamedCommand.class).stream()
                .map(ServiceLoader.Provider::get)
                .flatMap(each -> Stream.concat(Stream.of(each), each.parts().stream()))
                .filter(each -> each.parts().isEmpty());
    }

    @Test
    void shouldBeFoundByTheLauncher() {
        assertThat(all().map(program -> program.manual().name())).containsExactlyInAnyOrderElementsOf(names());
    }

    @Test
    void shouldExplainEachProgram() {
        assertThat(all()).allSatisfy(program -> {
            Manual manual = program.manual();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream streams = new PrintStream(out, true, StandardCharsets.UTF_8);
            assertThat(program.run(new String[] {"--help"}, streams, streams)).isZero();
            String help = out.toString(StandardCharsets.UTF_8);
            assertThat(help)
                    .startsWith(manual.purpose().get(0))
                    .contains("Usage: bin/persist " + manual.name() + " [flags]", "-h, --help", "Example: ")
                    .contains("\nExit code: 0 done, 1 ");
            assertThat(help.lines())
                    .filteredOn(line -> !line.startsWith("  bin/persist "))
                    .allMatch(line -> line.length() <= 120);
        });
    }

    @Test
    void shouldParseEachExample() {
        assertThat(all()).allSatisfy(program -> {
            assertThat(program.manual().examples()).isNotEmpty().allSatisfy(example -> {
                String[] words = String.join(" ", example.command()).split("\\s+");
                int first = 1 + program.manual().name().split(" ").length;
                CommandLine commandLine = program.commandLine();
                commandLine.parse(Arrays.copyOfRange(words, first, words.length));
            });
        });
    }
}
