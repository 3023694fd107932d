package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import io.persist.support.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Several processes that write, read, listen, merge and collect, in interleavings by seed: between any two operations
 * on
 * blob and consensus others may have their turn, and any of them may fail, stay unknown, come late, or be the last
 * one of its process. In the end one history explains what all were told, and nothing is left that nobody needs.
 */
public abstract class ShardModelContract {

    static final long START_MS = 1_000_000;

    /**
     * So many turns of others at most for each step. A turn among the operations of another one makes the shard longer,
     * and with it the turns that come: seldom there is no end of it.
     */
    private static final int TURNS_PER_STEP = 20;

    private final Map<String, Integer> sums = new TreeMap<>();

    /** A new and empty blob, which is closed. */
    protected abstract Blob blob();

    /** A new and empty consensus, which is closed. */
    protected abstract Consensus consensus() throws Exception;

    /** How many cases a build has. */
    protected abstract int cases();

    /** How many steps a case has. */
    protected abstract int steps();

    @Test
    void shouldExplainEverythingByOneHistory() {
        Seeds.run(cases(), this::oneCase);
        System.out.println(getClass().getSimpleName() + ": " + sums);
    }

    /** How often something was done, by now. */
    protected final int sum(String what) {
        return sums.getOrDefault(what, 0);
    }

    private void count(String what, int by) {
        sums.merge(what, by, Integer::sum);
    }

    private void oneCase(long seed) throws Exception {
        try (Blob blob = blob();
                Consensus consensus = consensus()) {
            oneCase(new SplittableRandom(seed), blob, consensus);
        }
    }

    private void oneCase(SplittableRandom random, Blob blob, Consensus consensus) throws InterruptedException {
        double[] rates = {0, 0.01, 0.05, 0.15};
        HoldTruth hold = new HoldTruth(random);
        Chaos chaos = new Chaos(random, blob, hold.watched(consensus), rates[random.nextInt(rates.length)]);
        ManualClock clock = new ManualClock();
        ShardConfig config = config(random, clock);
        ShardTruth truth = new ShardTruth();
        List<ShardActor> actors = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            actors.add(new ShardActor(random, chaos, truth, config, clock, hold));
        }
        int interleaving = random.nextInt(3) == 0 ? 0 : 6;
        AtomicInteger turns = new AtomicInteger();
        chaos.others(() -> {
            ShardActor other = actors.get(random.nextInt(actors.size()));
            boolean mayStep = interleaving > 0 && turns.get() < TURNS_PER_STEP * steps();
            if (mayStep && random.nextInt(interleaving) == 0 && !other.isBusy()) {
                turns.incrementAndGet();
                other.step();
            }
        });
        for (int i = 0; i < steps(); i++) {
            ShardActor actor = actors.get(random.nextInt(actors.size()));
            if (!actor.isBusy()) {
                actor.step();
            }
        }
        actors.forEach(ShardActor::noteHeard);
        chaos.heal();
        count("crashes", chaos.crashes);
        count("unknown", chaos.unknown);
        count("snapshots", truth.snapshots());
        count("turns of others", turns.get());
        count("holds moved", hold.moved());
        checkEnd(blob, consensus, clock, config, truth, hold, chaos.unknown);
    }

    private static ShardConfig config(SplittableRandom random, ManualClock clock) {
        return ShardConfig.builder()
                .clock(clock)
                .upkeep(ShardConfig.Upkeep.BY_CALL)
                .readerLease(Duration.ofMillis(1_500))
                .writerLease(Duration.ofMillis(2_500))
                .retryTime(random.nextInt(4) == 0 ? Duration.ofMillis(2) : Duration.ZERO)
                .rollupEvery(1 + random.nextInt(9))
                .partBytes(1 << 10)
                .mergedRuns(8)
                .inlineBatchBytes(random.nextBoolean() ? 0 : 300)
                .inlineTotalBytes(2_000)
                .build();
    }

    private void checkEnd(
            Blob blob,
            Consensus consensus,
            ManualClock clock,
            ShardConfig config,
            ShardTruth truth,
            HoldTruth hold,
            int unknown)
            throws InterruptedException {
        Shard<String, String> shard =
                ShardClient.open(blob, consensus, config).shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
        Frontier upper = shard.upper();
        ShardReader<String, String> reader = shard.reader();
        if (!upper.equals(Frontier.MINIMUM)) {
            long last = upper.time() - 1;
            Map<String, Long> contents = reader.since().isBehind(last) ? null : ShardRig.contents(reader, last);
            if (contents != null) {
                truth.check(upper, contents);
                count("checked", 1);
            }
        }
        hold.check(shard, unknown);
        clock.advanceMs(100_000); // all others are gone
        reader.close();
        count("merges", shard.maintain().merges());
        shard.maintain();
        ShardState state = shard.state();
        Set<String> named = new HashSet<>();
        for (BatchState batch : state.batches()) {
            named.addAll(batch.objects());
        }
        assertThat(state.garbage()).isEmpty();
        Set<String> there = new HashSet<>();
        blob.list("", (name, length) -> there.add(name));
        assertThat(there).isEqualTo(named);
        assertThat(consensus.scan(ShardRig.ID, 0, 1_000)).hasSizeLessThanOrEqualTo(config.rollupEvery() + 1);
        shard.writer().compareAndAppend(List.of(), upper, Frontier.EMPTY);
        shard.reader().downgradeSince(Frontier.EMPTY);
        assertThat(shard.isTombstone()).isTrue();
        clock.advanceMs(100_000);
        shard.maintain();
        blob.list("", (name, length) -> {
            throw new AssertionError(name + " is left of a tombstone");
        });
    }
}
