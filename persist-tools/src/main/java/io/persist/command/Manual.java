package io.persist.command;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program says about itself: its purpose, examples and exit codes. The help prints it, and the man page and the
 * completion of the shells are made of it, so that they cannot say different things.
 */
public final class Manual {

    /**
     * A use of the program.
     *
     * @param what it does, in words
     * @param command what is typed; later lines belong to the same command
     */
    public record Example(String what, List<String> command) {}

    /** What an argument can be: the words, and what each of them means. */
    public record Choice(String title, Map<String, String> meanings) {}

    /** A code that the program ends with, and what it says. */
    public record Exit(int code, String meaning) {}

    private final String name;
    private final String operands;
    private final List<String> purpose;
    private final List<Example> examples = new ArrayList<>();
    private final List<Choice> choices = new ArrayList<>();
    private final List<Exit> exits = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private Manual(String name, String operands, List<String> purpose) {
        this.name = name;
        this.operands = operands;
        this.purpose = purpose;
    }

    /**
     * Begins the manual of a program.
     *
     * @param name as it is typed, {@code store get} for instance
     * @param operands what is given besides flags, as in {@code LOG...}; empty if nothing is
     * @param purpose what the program is for, in lines of at most 110 characters
     */
    public static Manual of(String name, String operands, String... purpose) {
        return new Manual(name, operands, List.of(purpose));
    }

    /** Adds an example; {@code command} begins with what follows the program's name. */
    public Manual example(String what, String... command) {
        List<String> lines = new ArrayList<>(List.of(command));
        lines.set(0, Launcher.current() + " " + name + (command[0].isEmpty() ? "" : " " + command[0]));
        examples.add(new Example(what, List.copyOf(lines)));
        return this;
    }

    /** Adds the words that an argument can be, with what each of them means, in this order. */
    public Manual choice(String title, Map<String, String> meanings) {
        choices.add(new Choice(title, new LinkedHashMap<>(meanings)));
        return this;
    }

    /** Adds a sentence that is printed behind the flags. */
    public Manual note(String sentence) {
        notes.add(sentence);
        return this;
    }

    /** Adds an exit code. */
    public Manual exit(int code, String meaning) {
        exits.add(new Exit(code, meaning));
        return this;
    }

    /** Adds the exit codes that most programs have: 0, 1, which says {@code failure}, and 2. */
    public Manual exits(String failure) {
        return exit(Command.OK, "done").exit(Command.FAILED, failure).exit(Command.USAGE, "wrong use");
    }

    public String name() {
        return name;
    }

    /** What is given besides flags. */
    public String operands() {
        return operands;
    }

    /** The first of these, LOG for instance. */
    public String operand() {
        return operands.replaceFirst("[^A-Z].*", "");
    }

    /** What the program is for, in lines. */
    public List<String> purpose() {
        return purpose;
    }

    /** The first sentence of the purpose, for lists. */
    public String firstSentence() {
        return String.join(" ", purpose).replaceFirst("(?<=\\.) .*", "");
    }

    /** Uses of the program. */
    public List<Example> examples() {
        return examples;
    }

    /** What arguments can be. */
    public List<Choice> choices() {
        return choices;
    }

    public List<String> notes() {
        return notes;
    }

    /** The codes that the program ends with. */
    public List<Exit> exits() {
        return exits;
    }

    /** As {@code bin/persist dump [flags] LOG...}. */
    public String usage() {
        return Launcher.current() + " " + name + " [flags]" + (operands.isEmpty() ? "" : " " + operands);
    }

    /** Prints the help. */
    public void print(CommandLine flags, PrintStream out) {
        purpose.forEach(out::println);
        out.println();
        out.println("Usage: " + usage());
        out.println();
        flags.printFlags(out);
        choices.forEach(choice -> print(choice, out));
        if (!notes.isEmpty()) {
            out.println();
            notes.forEach(note -> Text.lines("", note).forEach(out::println));
        }
        if (!examples.isEmpty()) {
            out.println();
        }
        for (Example example : examples) {
            out.println("Example: " + example.what());
            example.command().forEach(line -> out.println("  " + line));
        }
        out.println();
        List<String> codes =
                exits.stream().map(exit -> exit.code() + " " + exit.meaning()).toList();
        Text.lines("", "Exit code: " + String.join(", ", codes) + ".").forEach(out::println);
    }

    private static void print(Choice choice, PrintStream out) {
        int width = choice.meanings().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        out.println();
        out.println(choice.title() + ":");
        choice.meanings()
                .forEach((word, meaning) -> Text.lines(String.format("  %-" + width + "s  ", word), meaning)
                        .forEach(out::println));
    }
}
