package io.persist.shard.bench.place;

import com.beust.jcommander.Parameter;
import io.persist.bench.load.Stop;
import io.persist.command.CommandLine;
import io.persist.command.Ending;
import io.persist.command.NamedCommand;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.error.PersistException;
import io.persist.shard.error.ShardException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program of shards: its arguments, and how it ends. */
public abstract class ShardCommand implements NamedCommand {

    /**
     * One run of it.
     *
     * @param operands what was given besides flags
     * @param command the command line, without what is secret in it
     * @param out for results
     * @param err for how far it is
     * @param isStopped whether the user wants the end
     */
    public record Call(
            List<String> operands, List<String> command, PrintStream out, PrintStream err, BooleanSupplier isStopped) {}

    @Parameter(
            names = {"-h", "--help"},
            arity = 1,
            order = 99,
            description = "print this")
    private boolean help = false;

    /** For the programs of this module. */
    protected ShardCommand() {}

    /** The objects that have its flags, besides the command itself. */
    protected List<?> flags() {
        return List.of();
    }

    @Override
    public CommandLine commandLine() {
        return CommandLine.of(withFlags());
    }

    /** The command and what else has flags, for JCommander. */
    protected final List<Object> withFlags() {
        List<Object> all = new ArrayList<>(flags());
        all.add(this);
        return all;
    }

    /** Does it, and returns the exit code. */
    protected abstract int work(Call call) throws IOException, InterruptedException;

    @Override
    public int run(String[] args, PrintStream out, PrintStream err) {
        return Ending.of(() -> tryRun(args, out, err), "persist " + manual().name() + ": ", err);
    }

    private int tryRun(String[] args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        CommandLine commandLine = commandLine();
        commandLine.parse(dashed(args));
        if (help) {
            manual().print(commandLine, out);
            return OK;
        }
        List<String> command = new ArrayList<>(List.of("bin/persist", manual().name()));
        Arrays.stream(args).map(Uris::shown).forEach(command::add);
        try (Stop stop = Stop.onInterrupt()) {
            int code = work(new Call(commandLine.operands(), command, out, err, stop::requested));
            if (stop.requested()) {
                err.println("persist " + manual().name() + ": interrupted; this is what was done until then");
                return FAILED;
            }
            return code;
        } catch (ShardException | PersistException e) {
            throw new IOException(Text.describe(e), e);
        } catch (OutOfMemoryError e) {
            throw new IOException(
                    "out of memory with a heap of "
                            + Text.bytes(Runtime.getRuntime().maxMemory()) + "; give the JVM a larger -Xmx",
                    e);
        }
    }

    /** Materialize's flags are written with underscores here and there: they mean the same. */
    static String[] dashed(String... args) {
        return Arrays.stream(args).map(ShardCommand::dashed).toArray(String[]::new);
    }

    private static String dashed(String argument) {
        if (!argument.startsWith("--")) {
            return argument;
        }
        int equals = argument.indexOf('=');
        String name = equals < 0 ? argument : argument.substring(0, equals);
        return name.replace('_', '-') + argument.substring(name.length());
    }

    /** A flag's time: 60s, 500ms, 10m, 1h; a number alone is seconds. */
    public static long nanos(String flag, String text) {
        Matcher time = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|)").matcher(text);
        if (!time.matches() || time.group(1).length() > 9) {
            throw new UsageException(flag + " " + text + " is no time; give one such as 60s, 500ms or 10m");
        }
        double unit = switch (time.group(2)) {
            case "ms" -> 1e6;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            default -> 1e9;
        };
        return Math.round(Double.parseDouble(time.group(1)) * unit);
    }
}
