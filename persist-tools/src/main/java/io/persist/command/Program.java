package io.persist.command;

import com.beust.jcommander.Parameter;
import io.persist.error.PersistException;
import io.persist.tool.OutputException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program with flags. All of them print their help, refuse wrong use and end after a failure in the same way: with
 * one line on the error stream and an exit code. The subclasses say what is done.
 */
public abstract class Program implements NamedCommand {

    /**
     * One run.
     *
     * @param operands what was given besides flags
     * @param command what was typed, for the files of results
     * @param out for results
     * @param err for everything else
     */
    public record Call(List<String> operands, List<String> command, PrintStream out, PrintStream err) {}

    @Parameter(
            names = {"-h", "--help"},
            help = true,
            description = "print this")
    private boolean help;

    /** At its defaults. */
    protected Program() {}

    /** The objects that have flags, besides the program itself. */
    protected List<?> flags() {
        return List.of();
    }

    /** The arguments as {@link CommandLine} takes them, of those that were typed. */
    protected String[] flagsOf(String... args) {
        return args;
    }

    /** An argument as the files of results may show it: without what is secret. */
    protected String shown(String arg) {
        return arg;
    }

    /** What to do if the memory does not suffice. */
    protected String memoryRemedy() {
        return "give the JVM a larger -Xmx";
    }

    /**
     * Does it, and returns the exit code.
     *
     * @throws UsageException if the flags make no sense
     * @throws IOException if it failed; the message is told
     */
    protected abstract int work(Call call) throws IOException, InterruptedException;

    /** What a line on the error stream begins with. */
    protected final String prefix() {
        return "persist " + manual().name() + ": ";
    }

    @Override
    public final CommandLine commandLine() {
        List<Object> all = new ArrayList<>(flags());
        all.add(this);
        return manual().operands().isEmpty() ? CommandLine.of(all) : CommandLine.withOperands(all);
    }

    @Override
    public final int run(String[] args, PrintStream out, PrintStream err) {
        try {
            CommandLine commandLine = commandLine();
            commandLine.parse(flagsOf(args));
            if (help) {
                manual().print(commandLine, out);
                return OK;
            }
            List<String> command = new ArrayList<>(List.of(Launcher.SCRIPT, manual().name()));
            Arrays.stream(args).map(this::shown).forEach(command::add);
            return work(new Call(commandLine.operands(), List.copyOf(command), out, err));
        } catch (UsageException | InvalidPathException e) {
            err.println(prefix() + usage(e));
            return USAGE;
        } catch (OutputException e) {
            throw e; // the launcher says it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println(prefix() + "interrupted");
        } catch (IOException | UncheckedIOException | PersistException e) {
            err.println(prefix() + Text.describe(e));
        } catch (OutOfMemoryError e) {
            err.println(prefix() + fullHeap());
        } catch (RuntimeException | InternalError e) {
            err.println(prefix() + (OutOfMemory.isCauseOf(e) ? fullHeap() : mistake(e)));
        }
        return FAILED;
    }

    private String fullHeap() {
        return "out of memory with a heap of " + Text.bytes(Runtime.getRuntime().maxMemory()) + "; " + memoryRemedy();
    }

    /** In the program, or a fault of mapped memory. Where it happened helps whoever gets the report. */
    private static String mistake(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return Text.describe(e) + " (" + e.getClass().getSimpleName() + (trace.length > 0 ? " at " + trace[0] : "")
                + ")";
    }

    /** One line that says what is wrong with the arguments, and where help is. */
    static String usage(RuntimeException refused) {
        String message = String.valueOf(refused.getMessage()).replace('\n', ' ');
        String what = refused instanceof InvalidPathException path ? UsageException.notAPath(path) : message;
        return what.endsWith("ee --help") ? what : what + "; see --help";
    }
}
