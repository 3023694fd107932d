package io.persist.shard.bench.place;

import io.persist.bench.load.Stop;
import io.persist.command.Program;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.shard.error.ShardException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program of shards: it ends when the user wants it to, and takes flags as Materialize writes them. */
public abstract class ShardCommand extends Program {

    /**
     * One run of it.
     *
     * @param operands what was given besides flags
     * @param command the command line, without what is secret in it
     * @param out for results
     * @param err for how far it is
     * @param isStopped whether the user wants the end
     */
    public record ShardCall(
            List<String> operands, List<String> command, PrintStream out, PrintStream err, BooleanSupplier isStopped) {}

    /** For the programs of this module. */
    protected ShardCommand() {}

    /** Does it, and returns the exit code. */
    protected abstract int work(ShardCall call) throws IOException, InterruptedException;

    @Override
    protected final String[] flagsOf(String... args) {
        return dashed(args);
    }

    @Override
    protected final String shown(String arg) {
        return Uris.shown(arg);
    }

    @Override
    protected final int work(Call call) throws IOException, InterruptedException {
        try (Stop stop = Stop.onInterrupt()) {
            int code = work(new ShardCall(call.operands(), call.command(), call.out(), call.err(), stop::requested));
            if (stop.requested()) {
                call.err().println(prefix() + "interrupted; this is what was done until then");
                return FAILED;
            }
            return code;
        } catch (ShardException e) {
            throw new IOException(Text.describe(e), e);
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
