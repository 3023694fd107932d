package io.persist.shard.upkeep;

import io.persist.shard.batch.OpenRuns;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.RunWriter;
import io.persist.shard.batch.Writing;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.CompactionPlan;
import io.persist.shard.state.Merges;
import io.persist.shard.state.ShardState;
import java.util.List;

/** Merges batches: fewer runs to read, and no more updates than since needs. One thread at a time. */
final class Compactor {

    private final ShardMachine machine;
    private final PartStore store;
    private final ShardConfig config;
    private final UpkeepWriter registration;
    private final Collector collector;

    Compactor(
            ShardMachine machine, PartStore store, ShardConfig config, UpkeepWriter registration, Collector collector) {
        this.machine = machine;
        this.store = store;
        this.config = config;
        this.registration = registration;
        this.collector = collector;
    }

    /** Says what to merge of a state, and at most how many runs at once. */
    interface Planner {
        CompactionPlan plan(ShardState state, int mostRuns);
    }

    /** Merges once; false if there was nothing to do, or others have done it. */
    boolean compact(Planner planner) {
        if (!isDue(machine.known(), planner)) {
            return false;
        }
        String owner = registration.registered();
        ShardState state = machine.known();
        List<BatchState> inputs =
                planner.plan(state, store.mostRuns(config.mergedRuns())).inputs();
        if (inputs.isEmpty() || state.since().isEmpty()) {
            return false;
        }
        try {
            BatchState merged = merge(inputs, state.since(), owner);
            boolean isDone = machine.apply(now -> Merges.replace(now, inputs, merged, owner));
            if (!isDone) {
                collector.discard(merged.objects());
            }
            return isDone;
        } catch (DamagedShardException damaged) {
            if (machine.refresh().batches().containsAll(inputs)) {
                throw damaged;
            }
            return false; // others have merged them, and what they were is collected
        }
    }

    private boolean isDue(ShardState state, Planner planner) {
        return !state.since().isEmpty()
                && !planner.plan(state, store.mostRuns(config.mergedRuns()))
                        .inputs()
                        .isEmpty();
    }

    private BatchState merge(List<BatchState> inputs, Frontier since, String owner) {
        Writing writing = new Writing(Writing.What.MERGE);
        RunWriter writer = new RunWriter(store, writing, owner, config.partBytes());
        List<BatchPart> run;
        try (OpenRuns runs = new OpenRuns(store, inputs, time -> true, PartStore.Check.AT_THE_END)) {
            writer.add(runs.merged(since.time()));
            run = writer.finish(config.inlineBatchBytes());
            writing.await();
        } catch (RuntimeException | Error failed) {
            writing.settle();
            collector.discard(writer.objects()); // upkeep comes again each second: they would be more and more
            throw failed;
        }
        Frontier lower = inputs.get(0).lower();
        Frontier upper = inputs.get(inputs.size() - 1).upper();
        return new BatchState(lower, upper, since, run.isEmpty() ? List.of() : List.of(run));
    }
}
