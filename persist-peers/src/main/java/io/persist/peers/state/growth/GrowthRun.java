package io.persist.peers.state.growth;

import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.host.DirectoryTree;
import io.persist.bench.host.SpaceWatch;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineConfig;
import io.persist.peers.state.workflow.StateDigest;
import io.persist.peers.state.workflow.WorkflowPlan;
import io.persist.peers.state.workflow.WorkflowRun;
import io.persist.peers.state.workflow.WorkflowState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One engine grows from empty, round after round; then it is opened anew, all that it holds is compared with what it
 * has to hold, and, if that is wanted, restored in an empty engine.
 *
 * <p><b>Threads:</b> one.
 */
final class GrowthRun {

    private static final long NEWS_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration SPACE_EVERY = Duration.ofSeconds(1);
    private static final int RESTORED_PER_COMMIT = 1000;

    private final GrowthSpec spec;
    private final WorkflowPlan plan;
    private final Consumer<String> news;
    private final int maxValueLength;
    private long newsNs;

    /** @param news is told how far it is, in lines */
    GrowthRun(GrowthSpec spec, Consumer<String> news) {
        this.spec = spec;
        this.plan = spec.plan();
        this.news = news;
        this.maxValueLength = WorkflowState.maxValueLength(spec.size());
    }

    /** What came of the rounds, until the engine was closed. */
    private record Grown(
            List<GrowthResult.Round> rounds,
            GrowthWatch watch,
            List<SpaceWatch.Sample> space,
            long elapsedNs,
            long putBytes,
            double idleS,
            long idleFileBytes,
            double closeS) {}

    /** @param latencies where a histogram of the commands' times is written for each second */
    GrowthResult run(Path latencies) throws IOException, InterruptedException {
        warmUp();
        Path directory = Files.createDirectory(Path.of(spec.directory(), "state"));
        DeviceWrites device = DeviceWrites.of(directory);
        OptionalLong writtenBefore = device.bytes();
        Grown grown = grow(directory, latencies);
        DirectoryTree.sync(directory);
        long written = written(writtenBefore, device.bytes());
        StateDigest expected = StateDigest.of(new WorkflowState(plan, spec.rounds()));
        GrowthResult.End end = verify(directory, grown, written, expected);
        DirectoryTree.delete(directory);
        GrowthResult.Restored restored = spec.restore() ? restore(expected) : null;
        return new GrowthResult(
                spec.kind().library(),
                spec.rounds() * spec.size().taskRuns(),
                grown.elapsedNs(),
                grown.rounds(),
                grown.watch().windows(),
                grown.watch().seconds(),
                grown.watch().scans(),
                grown.space(),
                end,
                restored);
    }

    private Grown grow(Path directory, Path latencies) throws IOException, InterruptedException {
        List<GrowthResult.Round> rounds = new ArrayList<>();
        List<SpaceWatch.Sample> space;
        GrowthWatch watch;
        long elapsedNs;
        long putBytes = 0;
        double idleS;
        long idleFileBytes;
        long closingNs;
        StateEngine engine = open(directory);
        try (engine) {
            long startNs = System.nanoTime();
            try (SpaceWatch samples = SpaceWatch.start(directory, startNs, SPACE_EVERY)) {
                watch = watch(startNs, latencies);
                try (watch) {
                    for (int i = 0; i < spec.rounds(); i++) {
                        putBytes += round(engine, i, watch, rounds);
                    }
                    elapsedNs = System.nanoTime() - startNs;
                }
                space = samples.stop();
            }
            long settlingNs = System.nanoTime();
            engine.settle();
            idleS = secondsSince(settlingNs);
            idleFileBytes = engine.fileBytes();
            closingNs = System.nanoTime();
        }
        return new Grown(rounds, watch, space, elapsedNs, putBytes, idleS, idleFileBytes, secondsSince(closingNs));
    }

    private GrowthResult.End verify(Path directory, Grown grown, long written, StateDigest expected)
            throws IOException {
        long startNs = System.nanoTime();
        try (StateEngine engine = open(directory)) {
            double openMs = 1e3 * secondsSince(startNs);
            news.accept(String.format(Locale.ROOT, "opened in %.0f ms; comparing all that it holds", openMs));
            long readNs = System.nanoTime();
            StateDigest found = StateDigest.of(engine, maxValueLength);
            found.require(expected, "after the rounds");
            return new GrowthResult.End(
                    grown.idleS(),
                    grown.idleFileBytes(),
                    grown.closeS(),
                    grown.putBytes(),
                    written,
                    openMs,
                    secondsSince(readNs),
                    found.entries(),
                    found.bytes(),
                    found.checksum());
        }
    }

    private StateEngine open(Path directory) {
        return spec.kind().open(StateEngineConfig.of(directory, spec.durability()));
    }

    private GrowthWatch watch(long startNs, Path latencies) throws IOException {
        return new GrowthWatch(
                spec.size().workflows(), spec.windowMs(), startNs, System.currentTimeMillis(), latencies);
    }

    private void warmUp() throws IOException {
        Path directory = Files.createDirectory(Path.of(spec.directory(), "warm-up"));
        try (StateEngine engine = open(directory)) {
            new WorkflowRun(engine, plan.warmUp()).run(done -> {});
        }
        DirectoryTree.delete(directory);
    }

    /** Returns the bytes of its puts. */
    private long round(StateEngine engine, int number, GrowthWatch watch, List<GrowthResult.Round> rounds) {
        long liveBefore = rounds.isEmpty() ? 0 : rounds.get(number - 1).liveBytes();
        WorkflowRun run = new WorkflowRun(engine, plan.inRound(number)).observedBy(watch);
        watch.begin(() -> liveBefore + run.liveBytes());
        long startNs = System.nanoTime();
        newsNs = startNs;
        run.run(done -> tell(number, done));
        long elapsedNs = System.nanoTime() - startNs;
        long liveBytes = liveBefore + run.liveBytes();
        GrowthResult.Round round =
                GrowthResult.Round.of(number + 1, run, spec.size(), elapsedNs, liveBytes, engine.fileBytes());
        rounds.add(round);
        news.accept(String.format(
                Locale.ROOT,
                "round %d of %d: %.0f task runs/s, longest wait %.1f ms, live %.2f GB, files of %.2f GB",
                round.number(),
                spec.rounds(),
                round.perSecond(),
                round.longestMs(),
                round.liveBytes() / 1e9,
                round.fileBytes() / 1e9));
        if (round.timersDeleted() > 0) {
            news.accept(String.format(
                    Locale.ROOT,
                    "Completed range scan and deleted %d entries in %.0f milliseconds",
                    round.timersDeleted(),
                    1e3 * round.timersS()));
        }
        return run.putBytes();
    }

    private void tell(int round, long commands) {
        if (System.nanoTime() - newsNs > NEWS_NS) {
            newsNs = System.nanoTime();
            news.accept(String.format(
                    Locale.ROOT,
                    "round %d of %d: %.0f %% of its commands",
                    round + 1,
                    spec.rounds(),
                    100.0 * commands / spec.size().commands()));
        }
    }

    private GrowthResult.Restored restore(StateDigest expected) throws IOException {
        news.accept("restoring " + expected.entries() + " entries");
        Path directory = Files.createDirectory(Path.of(spec.directory(), "restored"));
        GrowthResult.Restored restored;
        try (StateEngine engine = open(directory)) {
            long startedMs = System.currentTimeMillis();
            long startNs = System.nanoTime();
            int[] uncommitted = {0};
            new WorkflowState(plan, spec.rounds()).forEach((key, keyLength, value, valueLength) -> {
                engine.put(key.clone(), value.clone()); // an engine may need them until the commit
                if (++uncommitted[0] == RESTORED_PER_COMMIT) {
                    engine.commit();
                    uncommitted[0] = 0;
                }
            });
            if (uncommitted[0] > 0) {
                engine.commit();
            }
            double seconds = secondsSince(startNs);
            long finishedMs = System.currentTimeMillis();
            StateDigest found = StateDigest.of(engine, maxValueLength);
            found.require(expected, "after restoring it");
            restored = new GrowthResult.Restored(startedMs, finishedMs, seconds, found.entries(), found.checksum());
        }
        DirectoryTree.delete(directory);
        return restored;
    }

    private static long written(OptionalLong before, OptionalLong after) {
        return before.isEmpty() || after.isEmpty() ? -1 : after.getAsLong() - before.getAsLong();
    }

    private static double secondsSince(long startNs) {
        return (System.nanoTime() - startNs) / 1e9;
    }
}
