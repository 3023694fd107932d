package io.persist.shard.upkeep;

import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.RowMerge;
import io.persist.shard.batch.Rows;
import io.persist.shard.batch.RunReader;
import io.persist.shard.batch.RunWriter;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.CompactionPlan;
import io.persist.shard.state.Merges;
import io.persist.shard.state.ShardState;
import java.util.ArrayList;
import java.util.List;

/** Merges batches: fewer runs to read, and no more updates than since needs. One thread at a time. */
final class Compactor {

    private final ShardMachine machine;
    private final PartStore store;
    private final ShardConfig config;
    private final UpkeepWriter writer;
    private final Collector collector;

    Compactor(ShardMachine machine, PartStore store, ShardConfig config, UpkeepWriter writer, Collector collector) {
        this.machine = machine;
        this.store = store;
        this.config = config;
        this.writer = writer;
        this.collector = collector;
    }

    /** Merges once; false if there was nothing to do, or others have done it. */
    boolean compact() {
        if (!isDue(machine.known())) {
            return false;
        }
        String owner = writer.registered();
        ShardState state = machine.known();
        List<BatchState> inputs = CompactionPlan.of(state, config.mergedRuns()).inputs();
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

    private boolean isDue(ShardState state) {
        return !state.since().isEmpty()
                && !CompactionPlan.of(state, config.mergedRuns()).inputs().isEmpty();
    }

    private BatchState merge(List<BatchState> inputs, Frontier since, String owner) {
        List<Rows> runs = new ArrayList<>();
        for (BatchState batch : inputs) {
            runs.addAll(RunReader.of(store, batch, time -> true));
        }
        List<BatchPart> run = new RunWriter(store, owner, config.partBytes(), config.inlineBatchBytes())
                .write(new RowMerge(runs, since.time()));
        Frontier lower = inputs.get(0).lower();
        Frontier upper = inputs.get(inputs.size() - 1).upper();
        return new BatchState(lower, upper, since, run.isEmpty() ? List.of() : List.of(run));
    }
}
