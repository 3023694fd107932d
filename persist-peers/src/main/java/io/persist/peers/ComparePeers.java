package io.persist.peers;

import io.persist.bench.host.DiskSpace;
import io.persist.bench.load.Stop;
import io.persist.bench.result.RunOutput;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.UsageException;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.profile.ProfilerLibrary;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code bin/persist compare-peers}: Persist beside its peers. */
public final class ComparePeers extends Program {

    private final PeersParameters flags = new PeersParameters();

    /** At its defaults. */
    public ComparePeers() {}

    @Override
    public Manual manual() {
        Map<String, String> engines = new LinkedHashMap<>();
        for (EngineKind kind : Engines.all()) {
            engines.put(kind.id(), kind.library() + "; buffered, it survives " + kind.survivalWhenBuffered());
        }
        Map<String, String> modes = new LinkedHashMap<>();
        for (Mode mode : Mode.values()) {
            modes.put(mode.id(), mode.description());
        }
        return Manual.of(
                        "compare-peers",
                        "",
                        "Compares Persist with other logs: the same messages and the same work, in turn, on this",
                        "machine.")
                .choice("Engines", engines)
                .choice("Modes", modes)
                .note("All modes and engines take some two hours, with --quick some minutes. Prepared space is written"
                        + " before: some GB for each trial.")
                .note("Tables go to standard output as Markdown, a line per trial to standard error.")
                .example("two engines in two modes", "--quick --modes buffered,sync --engines persist,chronicle")
                .example("as much as the disk takes", "--modes sustained --engines persist,chronicle,aeron --dir /data")
                .example("all of it, for a page", "--dir /data --output runs --json peers.json")
                .example("where the time goes", "--rounds 1 --modes buffered,replay --profile profiles")
                .exits("a trial or more failed");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(Call call) throws IOException, InterruptedException {
        flags.validate();
        Plan plan = Plan.of(flags, DiskSpace.usable(flags.paths().dir()));
        if (plan.trials().isEmpty()) {
            plan.missing()
                    .forEach(each -> call.err().println(prefix() + each.engine() + " is left out: " + each.reason()));
            throw new UsageException("nothing is left to compare: no such engine has a part in --modes; choose others");
        }
        checkProfile(flags.profile());
        flags.paths().make();
        checkSpace(plan);
        try (Stop stop = Stop.onInterrupt();
                RunOutput output = Results.take(plan, flags.paths().output())) {
            output.clear();
            List<String> jvmFlags = ChildJvm.flags(flags.heap());
            Surroundings surroundings =
                    Surroundings.of(call.command(), flags.paths().dir(), jvmFlags, flags.engines());
            Heading.print(surroundings, plan, flags, call.out());
            return new Comparison(flags, plan, surroundings, jvmFlags, stop::requested).run(call.out(), call.err());
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
}
