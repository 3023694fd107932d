package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the programs say about themselves is complete, and the same everywhere. */
class ManualTest {

    private static Stream<NamedCommand> all() {
        return Main.programs().stream().flatMap(each -> Stream.concat(Stream.of(each), each.parts().stream()));
    }

    @Test
    void shouldExplainEachProgramWithItsPurposeFlagsExamplesAndExitCodes() {
        assertThat(all()).hasSizeGreaterThan(20).allSatisfy(program -> {
            Manual manual = program.manual();
            assertThat(String.join(" ", manual.purpose())).endsWith(".").matches("[A-Z][^.]+.*");
            assertThat(manual.purpose()).allMatch(line -> line.length() <= 120);
            assertThat(manual.exits()).extracting(Manual.Exit::code).contains(0, 1, 2);
            if (program.parts().isEmpty()) {
                assertThat(manual.examples()).isNotEmpty();
                Program help = Program.run(program, "--help");
                assertThat(help.code()).isZero();
                assertThat(help.err()).isEmpty();
                assertThat(help.out())
                        .startsWith(manual.purpose().get(0))
                        .contains("Usage: bin/persist " + manual.name() + " [flags]", "-h, --help", "Example: ")
                        .contains("\nExit code: 0 ");
            }
        });
    }

    @Test
    void shouldBreakALineOnlyWhereItIsFull() {
        assertThat(all().map(program -> program.manual().purpose())).allSatisfy(lines -> {
            for (int i = 1; i < lines.size(); i++) {
                String longer = lines.get(i - 1) + " " + lines.get(i).split(" ")[0];
                assertThat(longer).hasSizeGreaterThan(80);
            }
        });
    }

    /** A terminal shows them whole; only commands are as long as they are. */
    @Test
    void shouldPrintNoLongLines() {
        assertThat(all().filter(program -> program.parts().isEmpty()))
                .allSatisfy(program -> assertThat(
                                Program.run(program, "--help").out().lines())
                        .filteredOn(line -> !line.startsWith("  bin/persist "))
                        .allMatch(line -> line.length() <= 120));
    }

    @Test
    void shouldParseEachExample() {
        assertThat(all().flatMap(program -> program.manual().examples().stream()
                        .map(example -> List.of(program, String.join(" ", example.command())))))
                .allSatisfy(each -> {
                    NamedCommand program = (NamedCommand) each.get(0);
                    String typed = ((String) each.get(1)).replace("\\", "").replaceFirst(" [<>|].*", "");
                    String[] words = typed.strip().split("\\s+");
                    int first = 1 + program.manual().name().split(" ").length;
                    CommandLine commandLine = program.commandLine();
                    commandLine.parse(Arrays.copyOfRange(words, first, words.length));
                });
    }

    @Test
    void shouldMakeTheManualPageOfTheSame() {
        String page = Program.run(Main::run, "man").out();
        assertThat(page).startsWith(".TH PERSIST 1\n").contains("\n.SH STORE COMPACT\n", "compare\\-peers");
        all().forEach(program -> assertThat(program.commandLine().flags())
                .allSatisfy(
                        flag -> assertThat(page).contains(flag.names().get(0).replace("-", "\\-"))));
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|B|TP|PP|nf|fi)( .*)?"));
    }

    @Test
    void shouldCompleteCommandsAndFlagsInBash() throws Exception {
        assertThat(complete("bin/persist", "ver")).containsExactly("verify");
        assertThat(complete("bin/persist", "compare")).containsExactly("compare", "compare-peers", "compare-rocksdb");
        assertThat(complete("bin/persist", "dump", "--fromS")).containsExactly("--fromSequence");
        assertThat(complete("bin/persist", "store", "comp")).containsExactly("compact");
        assertThat(complete("bin/persist", "store", "--pre")).containsExactly("--prefix");
        assertThat(Program.run(Main::run, "completion").usageError())
                .contains("no shell is given; name one of bash, zsh");
        assertThat(Program.run(Main::run, "completion", "fish").usageError()).contains("none of bash, zsh");
        assertThat(Program.run(Main::run, "completion", "zsh").out()).startsWith("autoload -U +X bashcompinit");
    }

    private static List<String> complete(String... words) throws IOException, InterruptedException {
        String script = Program.run(Main::run, "completion", "bash").out() + "COMP_WORDS=(" + String.join(" ", words)
                + "); COMP_CWORD=" + (words.length - 1) + "; _persist; printf '%s\\n' \"${COMPREPLY[@]}\"\n";
        Process bash =
                new ProcessBuilder("bash", "-s").redirectErrorStream(true).start();
        try (PrintStream input = new PrintStream(bash.getOutputStream(), true, StandardCharsets.UTF_8)) {
            input.print(script);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        bash.getInputStream().transferTo(out);
        assertThat(bash.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @Test
    void shouldSayItsVersion() {
        assertThat(Program.run(Main::run, "--version").out())
                .startsWith("persist ")
                .contains("JDK " + System.getProperty("java.version"));
    }
}
