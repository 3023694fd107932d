package io.persist.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a program returned and printed. */
public record Run(int code, String out, String err) {

    /** Runs {@code program} to its end. */
    public static Run of(Command program, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = program.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The program did what it was asked to. */
    public Run isWell() {
        assertThat(code).as(out + err).isEqualTo(Command.OK);
        return this;
    }
}
