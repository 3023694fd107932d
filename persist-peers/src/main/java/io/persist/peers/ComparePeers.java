package io.persist.peers;

import io.persist.bench.flags.Checks;
import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Ending;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.command.launch.Commands;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.profile.ProfilerLibrary;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares Persist with its peers.
 *
 * <pre>
 *   bin/persist compare-peers
 *   bin/persist compare-peers --quick --modes buffered,sync --engines persist,chronicle
 * </pre>
 */
public final class ComparePeers {

    private static final String NAME = "compare-peers";
    private static final String PREFIX = "persist " + NAME + ": ";

    private final PeersParameters flags;
    private final PrintStream out;
    private final PrintStream err;

    private ComparePeers(PeersParameters flags, PrintStream out, PrintStream err) {
        this.flags = flags;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] args) {
        Commands.end(ComparePeers::run, args);
    }

    /** Runs the program; returns its exit code, as {@link Command} has them. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Ending.of(() -> tryRun(args, out, err), PREFIX, err);
    }

    private static int tryRun(String[] args, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        PeersParameters flags = new PeersParameters();
        CommandLine commandLine = CommandLine.of(flags);
        commandLine.parse(args);
        if (flags.help()) {
            printHelp(commandLine, out);
            return Command.OK;
        }
        flags.validate();
        List<String> command = new ArrayList<>(List.of("bin/persist", NAME));
        command.addAll(Arrays.asList(args));
        return new ComparePeers(flags, out, err).compare(command);
    }

    private int compare(List<String> command) throws IOException, InterruptedException {
        Plan plan = Plan.of(flags, DiskSpace.usable(flags.paths().dir()));
        if (plan.trials().isEmpty()) {
            plan.missing().forEach(each -> err.println(PREFIX + each.engine() + " is left out: " + each.reason()));
            throw new UsageException("nothing is left to compare: no such engine has a part in --modes; choose others");
        }
        checkProfile(flags.profile());
        flags.paths().make();
        checkSpace(plan);
        List<String> jvmFlags = ChildJvm.flags(flags.heap());
        Surroundings surroundings = Surroundings.of(command, flags.paths().dir(), jvmFlags, flags.engines());
        Heading.print(surroundings, plan, flags, out);
        try (Stop stop = Stop.onInterrupt()) {
            return new Comparison(flags, plan, surroundings, jvmFlags, stop::requested).run(out, err);
        }
    }

    private static void checkProfile(@Nullable Path directory) {
        if (directory == null) {
            return;
        }
        ProfilerLibrary.missing().ifPresent(reason -> {
            throw new UsageException("--profile is not possible here: " + reason + "; leave it out");
        });
        Checks.directory("--profile", directory);
    }

    private void checkSpace(Plan plan) throws IOException {
        DiskSpace.require(
                flags.paths().dir(),
                plan.neededBytes(),
                "the largest trial takes",
                "a smaller --messages or --reopen-mib, or another --dir");
    }

    private static void printHelp(CommandLine commandLine, PrintStream out) {
        out.println("Compares Persist with other logs: the same messages and the same work, in turn, on this machine.");
        out.println();
        out.println("  bin/persist " + NAME + " --quick --modes buffered,sync --engines persist,chronicle");
        out.println("  bin/persist " + NAME + " --modes sustained --engines persist,chronicle,aeron --dir /data");
        out.println("  bin/persist " + NAME + " --dir /data --output runs --json peers.json");
        out.println("  bin/persist " + NAME + " --rounds 1 --modes buffered,replay --profile profiles");
        out.println();
        commandLine.printFlags(out);
        out.println();
        out.println("engines");
        int width = Engines.all().stream()
                .mapToInt(kind -> kind.id().length())
                .max()
                .orElse(0);
        for (EngineKind kind : Engines.all()) {
            print(width, kind.id(), kind.library() + "; buffered, it survives " + kind.survivalWhenBuffered(), out);
        }
        out.println();
        out.println("modes");
        width = Arrays.stream(Mode.values())
                .mapToInt(mode -> mode.id().length())
                .max()
                .orElse(0);
        for (Mode mode : Mode.values()) {
            print(width, mode.id(), mode.description(), out);
        }
        out.println();
        out.println("All modes and engines take some two hours, with --quick some minutes. Prepared space is written"
                + " before: some GB for each trial.");
        out.println("Tables go to standard output as Markdown, a line per trial to standard error.");
        out.println("Exit code: 0 done, 1 a trial or more failed, 2 wrong use.");
    }

    private static void print(int width, String name, String meaning, PrintStream out) {
        Text.lines(String.format("  %-" + width + "s  ", name), meaning).forEach(out::println);
    }
}
