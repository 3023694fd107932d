package io.persist.shard.bench;

import io.persist.command.Command;
import io.persist.command.NamedCommand;
import io.persist.command.launch.Commands;
import io.persist.shard.bench.loop.OpenLoopCommand;
import io.persist.shard.bench.micro.ShardBenchCommand;
import io.persist.shard.bench.slope.ShardCasCommand;
import io.persist.shard.bench.verb.ShardsCommand;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The entry to all programs of shards. */
public final class ShardPrograms {

    private static final Map<String, Supplier<NamedCommand>> PROGRAMS = new LinkedHashMap<>();

    static {
        PROGRAMS.put(ShardBenchCommand.NAME, ShardBenchCommand::new);
        PROGRAMS.put(OpenLoopCommand.NAME, OpenLoopCommand::new);
        PROGRAMS.put(ShardCasCommand.NAME, ShardCasCommand::new);
        PROGRAMS.put(ShardsCommand.NAME, ShardsCommand::new);
    }

    private ShardPrograms() {}

    /** Runs the program that the first argument names, and ends the process with its exit code. */
    public static void main(String[] args) {
        Commands.end(ShardPrograms::run, args);
    }

    /** Runs the program that the first argument names, with the other arguments; returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        Supplier<NamedCommand> program = args.length == 0 ? null : PROGRAMS.get(args[0]);
        if (program == null) {
            err.println("persist: give one of " + String.join(", ", PROGRAMS.keySet()));
            return Command.USAGE;
        }
        return program.get().run(Arrays.copyOfRange(args, 1, args.length), out, err);
    }
}
