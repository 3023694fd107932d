package io.persist.command.launch;

import io.persist.command.Command;
import io.persist.command.NamedCommand;
import io.persist.event.Notices;
import io.persist.tool.OutputException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The programs of a launcher: the overview, and the one that the first argument names. */
public final class Commands {

    private static final String ROW = "  %-15s  %s%n";

    /**
     * One of them.
     *
     * @param name as it is typed
     * @param summary what it is for, in one line
     * @param program makes it, for one run
     */
    public record Entry(String name, String summary, Supplier<? extends NamedCommand> program) {}

    /**
     * What the launcher says about itself.
     *
     * @param purpose what its programs are for, as on the manual page
     * @param title the first line of the overview
     * @param usages the ways to start it
     * @param firstUse what is typed behind the launcher for a first impression
     */
    public record Overview(String purpose, String title, List<String> usages, String firstUse) {}

    private final Overview overview;
    private final Map<String, String> aliases;
    private final Map<String, String> elsewhere;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** These, and behind them the manual page and the completion of all. */
    public Commands(Overview overview, List<Entry> entries) {
        this(overview, entries, Map.of(), Map.of());
    }

    /**
     * The same, and more names.
     *
     * @param aliases other names of programs that are among {@code entries}
     * @param elsewhere names and summaries of those in other modules, in the order of the overview: a {@link
     *     NamedCommand} is found as a service if its module is on the class path, as {@code bin/persist} puts it
     */
    public Commands(
            Overview overview, List<Entry> entries, Map<String, String> aliases, Map<String, String> elsewhere) {
        this.overview = overview;
        this.aliases = Map.copyOf(aliases);
        this.elsewhere = new LinkedHashMap<>(elsewhere);
        entries.forEach(this::add);
        add(new Entry("man", "print the manual page of all commands, for man -l", () -> new ManCommand(this)));
        add(new Entry("completion", "print a completion script for bash or zsh", () -> new CompletionCommand(this)));
    }

    private void add(Entry entry) {
        entries.put(entry.name(), entry);
    }

    /**
     * Runs {@code program} on the standard streams and ends the process; code 0 lets the JVM end by itself. Programs
     * print what a recovery did, what failed and how long a sync took themselves, and nothing else may come between
     * their lines.
     */
    public static void end(Command program, String[] args) {
        Notices.off();
        PrintStream out = StandardOutput.open();
        int code;
        try {
            code = program.run(args, out, System.err);
            out.flush();
        } catch (OutputException e) {
            code = StandardOutput.exitCode(e, System.err);
        }
        if (code != Command.OK) {
            System.exit(code);
        }
    }

    /** Runs the command that the first argument names, with the other arguments; returns its exit code. */
    public int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 2 && args[0].equals("help")) {
            return run(new String[] {args[1], "--help"}, out, err);
        }
        if (args.length == 0 || isHelp(args[0])) {
            printOverview(out);
            return Command.OK;
        }
        if (args[0].equals("--version") || args[0].equals("version")) {
            out.println("persist " + Version.current());
            return Command.OK;
        }
        Entry entry = entries.get(aliases.getOrDefault(args[0], args[0]));
        NamedCommand program =
                entry == null ? found().get(args[0]) : entry.program().get();
        if (program == null) {
            err.println("persist: " + unknown(args[0]));
            return Command.USAGE;
        }
        return program.run(Arrays.copyOfRange(args, 1, args.length), out, err);
    }

    /** Those of {@code elsewhere} that are on this class path, in their order. */
    private Map<String, NamedCommand> found() {
        Map<String, NamedCommand> found = new LinkedHashMap<>();
        if (!elsewhere.isEmpty()) {
            Map<String, NamedCommand> all = new HashMap<>();
            ServiceLoader.load(NamedCommand.class)
                    .forEach(program -> all.put(program.manual().name(), program));
            elsewhere.keySet().stream().filter(all::containsKey).forEach(name -> found.put(name, all.get(name)));
        }
        return found;
    }

    private String unknown(String name) {
        return elsewhere.containsKey(name)
                ? "'" + name + "' needs more than libs/*; run bin/persist " + name + ", or with --help"
                : "unknown command '" + name + "'; choose one of "
                        + String.join(", ", summaries().keySet()) + ", help";
    }

    /** All programs on this class path, in the order of the overview. */
    public List<NamedCommand> programs() {
        return Stream.concat(
                        entries.values().stream().map(entry -> entry.program().get()), found().values().stream())
                .toList();
    }

    /** The names of all commands, those that only {@code bin/persist} has too, and what each is for. */
    Map<String, String> summaries() {
        Map<String, String> all = new LinkedHashMap<>();
        entries.forEach((name, entry) -> all.put(name, entry.summary()));
        all.putAll(elsewhere);
        return all;
    }

    /** What they are for, as on the manual page. */
    String purpose() {
        return overview.purpose();
    }

    private static boolean isHelp(String argument) {
        return argument.equals("help") || argument.equals("--help") || argument.equals("-h");
    }

    private void printOverview(PrintStream out) {
        out.println(overview.title());
        out.println();
        out.println("Usage: " + String.join(System.lineSeparator() + "   or: ", overview.usages()));
        out.println();
        out.println("Commands:");
        entries.forEach((name, entry) -> out.printf(ROW, name, entry.summary()));
        out.printf(ROW, "help", "this overview; help COMMAND: the flags of one");
        out.printf(ROW, "--version", "the version, the JDK and the machine");
        if (!elsewhere.isEmpty()) {
            out.println();
            out.println("Commands that need more than libs/* and so only bin/persist has:");
            elsewhere.forEach((name, summary) -> out.printf(ROW, name, summary));
        }
        out.println();
        out.println("Each command explains its flags with --help. For a first impression: " + overview.firstUse());
    }
}
