package io.persist.command.launch;

import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code man}: the manual page of all commands, in the language of man(7), made of what their help says. */
final class ManCommand extends TextCommand {

    private final Commands commands;

    ManCommand(Commands commands) {
        this.commands = commands;
    }

    @Override
    public Manual manual() {
        return Manual.of("man", "", "Prints the manual page persist(1) of all commands.")
                .example("read it", "| man -l -")
                .example("install it for this user", "> ~/.local/share/man/man1/persist.1")
                .exits("it cannot be printed");
    }

    @Override
    protected String text(List<String> operands) {
        List<String> lines = new ArrayList<>();
        lines.add(".TH PERSIST 1");
        lines.add(".SH NAME");
        lines.add("persist \\- " + text(commands.purpose()));
        lines.add(".SH SYNOPSIS");
        lines.add(".B persist");
        lines.add("COMMAND [flags]");
        lines.add(".SH COMMANDS");
        commands.summaries().forEach((name, summary) -> {
            lines.add(".TP");
            lines.add(".B " + text(name));
            lines.add(text(summary));
        });
        for (NamedCommand program : commands.programs()) {
            describe(program, lines);
            program.parts().forEach(part -> describe(part, lines));
        }
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private static void describe(NamedCommand program, List<String> lines) {
        Manual manual = program.manual();
        lines.add(".SH " + text(manual.name().toUpperCase(Locale.ROOT)));
        lines.add(text(String.join(" ", manual.purpose())));
        lines.add(".PP");
        lines.add(".B " + text(manual.usage()));
        for (CommandLine.Flag flag : program.commandLine().flags()) {
            lines.add(".TP");
            lines.add(".B " + text(flag.synopsis().strip()));
            lines.add(text(
                    flag.description() + (flag.placeholder().isEmpty() ? "" : " (default: " + flag.usual() + ")")));
        }
        for (Manual.Choice choice : manual.choices()) {
            lines.add(".PP");
            lines.add(text(choice.title() + ":"));
            choice.meanings().forEach((word, meaning) -> {
                lines.add(".TP");
                lines.add(".B " + text(word));
                lines.add(text(meaning));
            });
        }
        for (String note : manual.notes()) {
            lines.add(".PP");
            lines.add(text(note));
        }
        for (Manual.Example example : manual.examples()) {
            lines.add(".PP");
            lines.add(text("Example: " + example.what()));
            lines.add(".nf");
            example.command().forEach(line -> lines.add(text("  " + line)));
            lines.add(".fi");
        }
        lines.add(".PP");
        lines.add("Exit code: "
                + manual.exits().stream()
                        .map(exit -> exit.code() + " " + text(exit.meaning()))
                        .collect(Collectors.joining(", "))
                + ".");
    }

    /** A text in the language of man(7), in which backslashes, hyphens and a first dot or quote mean something. */
    private static String text(String plain) {
        String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
