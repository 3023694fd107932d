package io.persist.bench.tool;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParameterException;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolRunner;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The arguments that all tools have: the directories of logs. The subclasses add their flags and make the tool. */
abstract class ToolArguments {

    /** A dump prints millions of short lines. */
    private static final int BUFFER_LENGTH = 64 << 10;

    private static final String LOGS = "LOG...";

    @Parameter(description = LOGS)
    private List<String> logs = new ArrayList<>();

    @Parameter(
            names = {"-h", "--help"},
            help = true,
            description = "print this")
    private boolean help;

    /** The tool for these arguments; an {@link IllegalArgumentException} says which of them makes no sense. */
    abstract LogTool tool(PrintStream err);

    /** What is given besides flags, in the words of the help. */
    String operands() {
        return LOGS;
    }

    /** The first of these. */
    private String operand() {
        return operands().replaceFirst("[^A-Z].*", "");
    }

    /** What was given besides flags. */
    final List<String> arguments() {
        return logs;
    }

    /** Where the tool runs, once in each; an {@link IllegalArgumentException} says why that makes no sense. */
    List<Path> directories() {
        return logs.stream().map(Path::of).toList();
    }

    /** Parses the arguments and runs the tool; see {@code Command#run}. */
    final int run(String name, String[] args, PrintStream out, PrintStream err) {
        JCommander commander = JCommander.newBuilder()
                .programName("bin/persist " + name)
                .addObject(this)
                .build();
        List<Path> directories;
        LogTool tool;
        try {
            commander.parse(args);
            if (help) {
                printHelp(commander, out);
                return ExitCode.OK;
            }
            for (String log : logs) {
                if (log.startsWith("-")) {
                    throw new IllegalArgumentException("unknown flag " + log);
                }
            }
            if (logs.isEmpty()) {
                String first = operand();
                throw new IllegalArgumentException(
                        "no " + first + " is given; name the directory of a " + first.toLowerCase(Locale.ROOT));
            }
            directories = directories();
            tool = tool(err);
        } catch (ParameterException | IllegalArgumentException e) {
            String what = e instanceof InvalidPathException ? "not a directory: " + e.getMessage() : e.getMessage();
            err.println("persist " + name + ": " + String.valueOf(what).replace('\n', ' ') + "; see --help");
            return ExitCode.USAGE;
        }
        PrintStream buffered =
                new PrintStream(new BufferedOutputStream(out, BUFFER_LENGTH), false, StandardCharsets.UTF_8);
        int code = ToolRunner.run(directories, tool, buffered, err);
        buffered.flush();
        return code;
    }

    private void printHelp(JCommander commander, PrintStream out) {
        StringBuilder text = new StringBuilder();
        commander.getUsageFormatter().usage(text);
        out.print(text.toString().replace(LOGS, operands()));
    }

    final void requireOneLog(String flag) {
        if (logs.size() > 1) {
            String first = operand();
            throw new IllegalArgumentException(flag + " is for one " + first + ", given=" + logs.size());
        }
    }

    /** What {@code --format} says. */
    static Output output(String format) {
        requireFormat(format, List.of("text", "json"));
        return format.equals("json") ? Output.JSON : Output.TEXT;
    }

    static void requireFormat(String format, List<String> formats) {
        requireOneOf("--format", format, formats);
    }

    static void requireOneOf(String flag, String value, List<String> choices) {
        if (!choices.contains(value)) {
            throw new IllegalArgumentException(flag + " " + value + " is none of " + String.join(", ", choices));
        }
    }

    static long orElse(@Nullable Long value, long other) {
        return value == null ? other : value;
    }
}
