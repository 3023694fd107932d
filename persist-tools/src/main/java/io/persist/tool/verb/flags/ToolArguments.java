package io.persist.tool.verb.flags;

import io.persist.command.Program;
import io.persist.command.UsageException;
import io.persist.tool.LogTool;
import io.persist.tool.ToolRunner;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The arguments that all tools have: the directories of logs. The subclasses add their flags and make the tool. */
public abstract class ToolArguments extends Program {

    /** A dump prints millions of short lines. */
    private static final int BUFFER_LENGTH = 64 << 10;

    private List<String> operands = List.of();

    /** The tool for these arguments; an {@link IllegalArgumentException} says which of them makes no sense. */
    protected abstract LogTool tool(PrintStream err);

    /** What is said when no operand is given. */
    protected String nothingGiven() {
        String first = manual().operand();
        return "no " + first + " is given; name the directory of a " + first.toLowerCase(Locale.ROOT);
    }

    /** What was given besides flags. */
    protected final List<String> arguments() {
        return operands;
    }

    /** Where the tool runs, once in each; an {@link IllegalArgumentException} says why that makes no sense. */
    protected List<Path> directories() {
        return operands.stream().map(Path::of).toList();
    }

    @Override
    protected final int work(Call call) {
        operands = call.operands();
        if (operands.isEmpty()) {
            throw new UsageException(nothingGiven());
        }
        List<Path> directories;
        LogTool tool;
        try {
            directories = directories();
            tool = tool(call.err());
        } catch (InvalidPathException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        PrintStream buffered =
                new PrintStream(new BufferedOutputStream(call.out(), BUFFER_LENGTH), false, StandardCharsets.UTF_8);
        int code = ToolRunner.run(directories, tool, buffered, call.err());
        buffered.flush();
        return code;
    }

    protected final void requireOneLog(String flag) {
        if (operands.size() > 1) {
            throw new IllegalArgumentException(
                    flag + " is for one " + manual().operand() + ", given=" + operands.size());
        }
    }

    /**
     * The path of {@code --to}. To be asked for before operands are counted: it is what somebody has given as a second
     * one.
     *
     * @param what has to be named by it
     */
    protected static Path target(@Nullable Path to, String what) {
        if (to == null) {
            throw new IllegalArgumentException("no --to is given; name " + what);
        }
        return to;
    }

    protected static long orElse(@Nullable Long value, long other) {
        return value == null ? other : value;
    }
}
