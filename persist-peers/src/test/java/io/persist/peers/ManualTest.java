package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Main;
import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the programs say about themselves is complete. */
class ManualTest {

    private static Stream<NamedCommand> all() {
        return ServiceLoader.load(NamedCommand.class).stream()
                .map(ServiceLoader.Provider::get)
                .flatMap(each -> Stream.concat(Stream.of(each), each.parts().stream()))
                .filter(each -> each.parts().isEmpty());
    }

    @Test
    void shouldBeFoundByTheLauncher() {
        assertThat(all().map(program -> program.manual().name()))
                .containsExactlyInAnyOrder("compare-peers", "compare-rocksdb", "workflow");
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

    /** As bin/persist runs man and completion. */
    @Test
    void shouldBeOnTheManualPageAndInTheCompletion() {
        assertThat(printed("man"))
                .contains("\n.SH COMPARE\\-PEERS\n", "\n.B chronicle\n", "sustained\\-max\\-gb", "\n.SH WORKFLOW\n");
        assertThat(printed("completion", "bash")).containsPattern("\n +compare-rocksdb\\) words=\"--parts --engines ");
    }

    private static String printed(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream streams = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(Main.run(args, streams, streams)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }
}
