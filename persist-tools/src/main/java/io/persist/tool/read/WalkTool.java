package io.persist.tool.read;

import io.persist.file.Storage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.ToolRunner;
import io.persist.tool.print.RecordPrinter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a log as it is told: reads commands, one on a line, until the input ends. A command that cannot be done
 * is answered with one line, and the walk goes on where it was; so is damage, and the exit code tells of that too.
 */
public final class WalkTool implements LogTool {

    /** Whether somebody sits there who wants to be asked. */
    public enum Prompt {
        SHOW,
        NONE
    }

    private static final String HELP = """
            n [N]     print the next entry, or the next N
            t [N]     print the rest of this commit, or of N commits; one record is all of a packet or a transaction
            s N       skip N entries
            g P       go to the entry at position P
            #N        go to the entry with sequence number N
            i         where we are, and how far the log goes
            ?         this help
            q         quit
            """;

    private final BufferedReader input;
    private final Prompt prompt;
    private final RecordPrinter printer;

    /** A walk that {@code input} directs. */
    public WalkTool(BufferedReader input, Prompt prompt, RecordPrinter printer) {
        this.input = input;
        this.prompt = prompt;
        this.printer = printer;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        try (Walk walk = new Walk(log, printer, out)) {
            String line = nextLine(out);
            while (line != null && !line.equals("q")) {
                try {
                    execute(line, walk, out);
                } catch (RuntimeException e) {
                    out.flush();
                    err.println("persist: " + ToolRunner.failure(log, e));
                }
                line = nextLine(out);
            }
            return walk.isDamaged() ? ExitCode.FAILURE : ExitCode.OK;
        }
    }

    private @Nullable String nextLine(PrintStream out) {
        if (prompt == Prompt.SHOW) {
            out.print("> ");
        }
        out.flush();
        try {
            String line = out.checkError() ? null : input.readLine();
            return line == null ? null : line.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void execute(String line, Walk walk, PrintStream out) {
        if (line.isEmpty()) {
            return;
        }
        String command = line.substring(0, 1);
        String argument = line.substring(1).strip();
        switch (command) {
            case "n" -> walk.next(numberOr(1, argument));
            case "t" -> walk.commits(numberOr(1, argument));
            case "s" -> walk.skip(number(argument));
            case "g" -> walk.goTo(number(argument));
            case "#" -> walk.goToSequence(number(argument));
            case "i" -> walk.info();
            case "?" -> out.print(HELP);
            default -> throw new IllegalArgumentException("no such command: " + line + "; ? lists them");
        }
    }

    private static long numberOr(long usual, String argument) {
        return argument.isEmpty() ? usual : number(argument);
    }

    private static long number(String argument) {
        try {
            long number = Long.parseLong(argument);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no number: '" + argument + "'; ? explains the commands", e);
        }
        throw new IllegalArgumentException("number=" + argument + ", min=0");
    }
}
