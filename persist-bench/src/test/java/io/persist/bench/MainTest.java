package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    private static final Path LAUNCHER = Path.of("../bin/persist");

    @ParameterizedTest
    @ValueSource(strings = {"", "help", "-h", "--help"})
    void shouldPrintAnOverview(String argument) {
        Program program = Program.run(Main::run, argument.isEmpty() ? new String[0] : new String[] {argument});

        assertThat(program.code()).isZero();
        assertThat(program.err()).isEmpty();
        assertThat(program.out()).contains("Usage:", "message", "help");
    }

    /** The comment of the launcher names those that it does not find here. */
    @Test
    void shouldNameAllCommandsOfTheLauncher() throws IOException {
        Matcher named = Pattern.compile("(?m)^#   bin/persist ([a-z][a-z-]+) ").matcher(Files.readString(LAUNCHER));
        List<String> commands = named.results().map(result -> result.group(1)).toList();

        assertThat(commands).contains("jmh", "memcached", "jcstress");
        String overview = Program.run(Main::run, "help").out();
        assertThat(commands).allSatisfy(command -> assertThat(overview).containsPattern("(?m)^  " + command + " "));
    }

    @Test
    void shouldSayWhatTheJvmSaysIfItDoesNotStart() throws IOException, InterruptedException {
        ProcessBuilder launcher = new ProcessBuilder("bash", LAUNCHER.toString(), "help");
        launcher.environment().put("JAVA_HOME", System.getProperty("java.home"));
        launcher.environment().put("JAVA_TOOL_OPTIONS", "-XX:+Nonsense");
        Process process = launcher.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(Command.FAILED);
        assertThat(said)
                .startsWith("persist: " + System.getProperty("java.home") + "/bin/java does not run (")
                .contains("Nonsense", "; look at JAVA_HOME and JAVA_TOOL_OPTIONS")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseAnUnknownCommandInOneLine() {
        Program program = Program.run(Main::run, "massage", "-c", "5");

        assertThat(program.code()).isEqualTo(Command.USAGE);
        assertThat(program.out()).isEmpty();
        assertThat(program.err().lines())
                .containsExactly("persist: unknown command 'massage'; choose one of "
                        + program.err().strip().replaceAll(".*one of ", ""));
        assertThat(program.err()).contains("message");
    }

    /** What only the launcher has is among them: it is a typing mistake of one of those, too. */
    @Test
    void shouldNameTheCommandsOfTheLauncherToo() {
        Program program = Program.run(Main::run, "memcache");

        assertThat(program.code()).isEqualTo(Command.USAGE);
        assertThat(program.err()).contains("choose one of ", ", memcached, ").hasLineCount(1);
        assertThat(Program.run(Main::run, "memcached").err())
                .isEqualTo("persist: 'memcached' needs more than libs/*; run bin/persist memcached, or with --help\n");
    }

    @Test
    void shouldExplainOneCommand() {
        assertThat(Program.run(Main::run, "help", "message").out())
                .isEqualTo(Program.run(Main::run, "message", "--help").out());
        assertThat(Program.run(Main::run, "help", "massage").code()).isEqualTo(Command.USAGE);
    }

    @Test
    void shouldForwardTheOtherArguments() {
        Program program = Program.run(Main::run, "message", "-c", "0");

        assertThat(program.code()).isEqualTo(Command.USAGE);
        assertThat(program.err()).startsWith("persist message: --count 0 is out of range");
    }
}
