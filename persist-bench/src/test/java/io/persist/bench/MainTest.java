package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "help", "-h", "--help"})
    void shouldPrintAnOverview(String argument) {
        Program program = Program.run(Main::run, argument.isEmpty() ? new String[0] : new String[] {argument});

        assertThat(program.code()).isZero();
        assertThat(program.err()).isEmpty();
        assertThat(program.out()).contains("Usage:", "message", "help");
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

    @Test
    void shouldForwardTheOtherArguments() {
        Program program = Program.run(Main::run, "message", "-c", "0");

        assertThat(program.code()).isEqualTo(Command.USAGE);
        assertThat(program.err()).startsWith("persist message: --count 0 is out of range");
    }
}
