package io.persist.tool.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Command;
import io.persist.command.NamedCommand;
import io.persist.command.launch.Commands.Entry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The jar of the tools has each verb, and explains itself. */
class ToolsMainTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return ToolsMain.commands()
                .run(
                        args,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldListTheVerbs() {
        assertThat(run()).isZero();
        assertThat(out()).contains("java -jar", "  --version").doesNotContain("benchmark", "bin/persist");
        assertThat(ToolsMain.verbs())
                .hasSize(14)
                .allSatisfy(verb -> assertThat(out())
                        .containsPattern(
                                "(?m)^  " + verb.name() + " +" + verb.summary().substring(0, 20)));
    }

    @Test
    void shouldHaveAClassForEachVerbUnderItsName() {
        for (Entry verb : ToolsMain.verbs()) {
            NamedCommand command = verb.program().get();
            assertThat(command.manual().name()).isEqualTo(verb.name());
            assertThat(command.getClass().getSimpleName()).isEqualToIgnoringCase(verb.name() + "Command");
        }
    }

    @Test
    void shouldRefuseWhatItHasNot() {
        assertThat(run("message")).isEqualTo(Command.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("persist: unknown command 'message'; choose one of");
    }

    @Test
    void shouldSayItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out()).startsWith("persist ").contains("JDK ");
    }

    @Test
    void shouldMakeItsManualPage() {
        assertThat(run("man")).isZero();
        assertThat(out())
                .startsWith(".TH PERSIST 1\n")
                .contains("\n.SH STORE COMPACT\n")
                .doesNotContain("compare\\-peers");
    }
}
