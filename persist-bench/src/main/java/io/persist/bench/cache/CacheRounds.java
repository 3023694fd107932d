package io.persist.bench.cache;

import io.persist.bench.result.RunFiles;
import io.persist.bench.result.RunOutput;
import io.persist.command.Text;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All runs in their order: test by test, each round of a test with its modes in turn, beginning with another one each
 * time, so that what drifts is in all of them.
 */
final class CacheRounds {

    private static final int WARM_UP_ITEMS = 10_000;

    /** A run that is to be made. */
    private record Turn(CacheTest test, CacheMode mode, int round) {

        /** As {@code 1-9-sync}: the name of its directory, without the round. */
        String id() {
            return test.id().replace(':', '-') + "-" + mode.id();
        }
    }

    private final CacheFlags flags;
    private final CacheEngine.Kind kind;
    private final CacheFiles files;
    private final CacheTable table;
    private final BooleanSupplier isStopped;

    /** @param table gets what comes of them */
    CacheRounds(
            CacheFlags flags, CacheEngine.Kind kind, CacheFiles files, CacheTable table, BooleanSupplier isStopped) {
        this.flags = flags;
        this.kind = kind;
        this.files = files;
        this.table = table;
        this.isStopped = isStopped;
    }

    /** Returns how many items were lost. */
    @SuppressWarnings("try") // the output is given back, and nothing else
    long run(PrintStream out, PrintStream err) throws IOException, InterruptedException {
        List<Turn> turns = turns();
        try (RunOutput output = takeOutput(turns)) {
            forgetEarlier(turns);
            return run(turns, out, err);
        }
    }

    private long run(List<Turn> turns, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        boolean isAlone = turns.size() == 1;
        long lost = 0;
        for (int i = 0; i < turns.size() && !isStopped.getAsBoolean(); i++) {
            Turn turn = turns.get(i);
            if (i == 0 || !turns.get(i - 1).test().equals(turn.test())) {
                warmUp(turn.test());
            }
            if (isAlone) {
                out.print(Text.block(parameters(turn)));
                out.println();
                out.println(CacheSeconds.Second.HEADING);
            } else {
                err.println("[" + (i + 1) + "/" + turns.size() + "] " + turn.test() + ", "
                        + turn.mode().id() + round(turn) + " ...");
            }
            @Nullable CacheResult result = run(turn, isAlone ? out : null);
            if (result == null) {
                return lost;
            }
            table.add(result);
            lost += say(result, isAlone ? out : err); // before its files: these may have no space
            if (flags.output != null) {
                files.write(directory(flags.output, turn), result, parameters(turn));
            }
        }
        return lost;
    }

    private List<Turn> turns() {
        List<CacheMode> modes = flags.modes();
        List<Turn> turns = new ArrayList<>();
        for (CacheTest test : flags.tests()) {
            for (int round = 1; round <= flags.matrix.rounds(); round++) {
                for (int i = 0; i < modes.size(); i++) {
                    turns.add(new Turn(test, modes.get((i + round - 1) % modes.size()), round));
                }
            }
        }
        return turns;
    }

    private RunOutput takeOutput(List<Turn> turns) throws IOException {
        Path output = flags.output;
        return output == null
                ? RunOutput.none()
                : RunOutput.take(
                        CacheCommand.NAME,
                        output,
                        turns.stream().map(turn -> directory(output, turn)).toList());
    }

    /** Runs of all rounds: of an earlier call with more of them nothing may remain beside these. */
    private void forgetEarlier(List<Turn> turns) throws IOException {
        Path output = flags.output;
        if (output != null) {
            for (Turn turn : turns) {
                Pattern rounds = Pattern.compile(Pattern.quote(turn.id()) + "(-\\d+)?");
                RunFiles.forgetRuns(output, rounds, CacheCommand.NAME);
            }
        }
    }

    private Path directory(Path output, Turn turn) {
        return output.resolve(flags.matrix.rounds() == 1 ? turn.id() : turn.id() + "-" + turn.round());
    }

    private String round(Turn turn) {
        return flags.matrix.rounds() == 1 ? "" : ", round " + turn.round();
    }

    private Map<String, String> parameters(Turn turn) {
        Map<String, String> parameters = flags.parameters(turn.test(), turn.mode());
        if (flags.matrix.rounds() > 1) {
            parameters.put("round", turn.round() + " of " + flags.matrix.rounds());
        }
        return parameters;
    }

    /** A small cache in each mode, with the requests of the test: what is measured was compiled for its own mixture. */
    private void warmUp(CacheTest test) throws IOException, InterruptedException {
        if (flags.matrix.warmup() > 0) {
            for (CacheMode mode : flags.modes()) {
                CacheItems items = new CacheItems(WARM_UP_ITEMS, flags.valueSize);
                CacheRun.Work work = new CacheRun.Work(
                        test,
                        mode,
                        flags.threads,
                        flags.threads * flags.clients,
                        flags.matrix.warmup(),
                        0,
                        -1,
                        flags.seed);
                new CacheRun(work, items, isStopped, null).run(kind, flags.place(mode), (second, beganNs) -> {});
            }
        }
    }

    private @Nullable CacheResult run(Turn turn, @Nullable PrintStream seconds)
            throws IOException, InterruptedException {
        CacheItems items = new CacheItems(flags.items, flags.valueSize);
        CacheRun.Work work = flags.work(turn.test(), turn.mode());
        Path output = flags.output == null ? null : directory(flags.output, turn);
        return new CacheRun(work, items, isStopped, output).run(kind, flags.place(turn.mode()), (second, beganNs) -> {
            if (seconds != null) {
                seconds.println(second.line(beganNs));
            }
        });
    }

    /** Says what else there is to a run; returns how many items were lost. */
    private long say(CacheResult result, PrintStream out) {
        CacheResult.Checkpoint checkpoint = result.checkpoint();
        if (checkpoint != null) {
            out.println("Checkpoint from " + Text.decimal(Math.round(checkpoint.startNs() / 1e8) / 10.0)
                    + " s on, took " + Text.decimal(Math.round(checkpoint.elapsedNs() / 1e7) / 100.0) + " s.");
        } else if (flags.checkpointAtSecond() >= 0 && result.mode() != CacheMode.OFF) {
            out.println("No checkpoint: the run was over before; give more --requests.");
        }
        CacheResult.Reopened reopened = result.reopened();
        if (reopened == null) {
            return 0;
        }
        out.println("Reopened in " + Text.decimal(Math.round(reopened.elapsedNs() / 1e4) / 100.0) + " ms: of "
                + Text.grouped(reopened.items()) + " items with an acknowledged set " + Text.grouped(reopened.lost())
                + " are lost.");
        return reopened.lost();
    }
}
