package io.persist.shard.upkeep;

import io.persist.shard.batch.OpenRuns;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Rows;
import io.persist.shard.batch.RunWriter;
import io.persist.shard.batch.Writing;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.ShardException;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.machine.TooLongException;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.Merges;
import io.persist.shard.state.RunLimit;
import io.persist.shard.state.ShardState;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Merges batches: fewer runs to read, and no more updates than since needs. One thread at a time. */
final class Compactor {

    /** A bad block stays one, the merge comes again, and other shards wait for this thread. */
    private static final Duration MOST_READ_TIME = Duration.ofSeconds(2);

    private final ShardMachine machine;
    private final PartStore store;

    /** For what a merge reads. */
    private final PartStore reading;

    private final ShardConfig config;
    private final UpkeepWriter registration;
    private final Collector collector;
    private final LeftAlone leftAlone;

    /** A replacement of which it is not known whether it has happened. */
    private @Nullable Replacement unsettled;

    /** Whether objects could not be deleted that no state names, or may come after they were. */
    private boolean leavesObjects;

    /** {@code nanoTime} says when what is damaged is worth another look. */
    Compactor(
            ShardMachine machine,
            PartStore store,
            ShardConfig config,
            UpkeepWriter registration,
            Collector collector,
            LongSupplier nanoTime) {
        this.machine = machine;
        this.store = store;
        Duration time = config.retryTime();
        this.reading = store.retrying(time.compareTo(MOST_READ_TIME) < 0 ? time : MOST_READ_TIME);
        this.config = config;
        this.registration = registration;
        this.collector = collector;
        this.leftAlone = new LeftAlone(nanoTime);
    }

    /** Says what to merge of a state, and how many runs at once. */
    interface Planner {
        CompactionPlan plan(ShardState state, RunLimit limit);
    }

    /**
     * What is to be put in the place of batches.
     *
     * @param inputs that were merged
     * @param merged what they have become
     * @param owner the writer whose objects it has
     */
    private record Replacement(List<BatchState> inputs, BatchState merged, String owner) {}

    /** A place could not be read. A failed write throws the same otherwise, and is no fault of what is merged. */
    private static final class UnreadableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final LocationException why;

        UnreadableException(LocationException why) {
            super(why);
            this.why = why;
        }
    }

    /** Merges once; false if there was nothing to do, or others have done it. */
    boolean compact(Planner planner) {
        Replacement open = unsettled;
        if (open != null) {
            return settle(open);
        }
        if (inputs(machine.known(), planner).isEmpty()) {
            return false;
        }
        String owner = registration.registered();
        ShardState state = machine.known();
        List<BatchState> inputs = inputs(state, planner);
        if (inputs.isEmpty()) {
            return false;
        }
        try {
            return replace(new Replacement(inputs, merge(inputs, state.since(), owner), owner));
        } catch (DamagedShardException damaged) {
            if (machine.refresh().batches().containsAll(inputs)) {
                leftAlone.unreadable(inputs, damaged);
                throw damaged;
            }
            return false; // others have merged them, and what they were is collected
        } catch (UnreadableException unreadable) {
            leftAlone.unreadable(inputs, unreadable.why);
            throw unreadable.why;
        }
    }

    /** What to merge next of what is not left alone; none if that is nothing. */
    private List<BatchState> inputs(ShardState state, Planner planner) {
        if (state.since().isEmpty()) {
            return List.of();
        }
        for (List<BatchState> some : leftAlone.others(state.batches())) {
            List<BatchState> inputs = planner.plan(state.of(some), limit()).inputs();
            if (!inputs.isEmpty()) {
                return inputs;
            }
        }
        return List.of();
    }

    /** What was left alone for long enough is tried by the next merge. */
    void forgetOld() {
        leftAlone.forgetOld();
    }

    /** What was left alone because it could not be read is tried by the next merge. */
    void readAgain() {
        leftAlone.forgetUnreadable();
    }

    /** What was left alone is tried by the next merge. */
    void lookAgain() {
        leftAlone.clear();
    }

    /** Whether batches are left alone for {@code failed}: others can be merged. */
    boolean leavesAlone(Throwable failed) {
        return leftAlone.isFor(failed);
    }

    /** Why batches are left alone, or null. */
    @Nullable
    ShardException leftAlone() {
        return leftAlone.why(machine.known().batches());
    }

    private boolean replace(Replacement wanted) {
        unsettled = wanted;
        try {
            return settle(wanted);
        } catch (DeterminateException refused) {
            unsettled = null;
            discard(wanted.merged().objects());
            if (refused.getCause() instanceof TooLongException) {
                leftAlone.tooLong(wanted.inputs(), refused);
            }
            throw refused;
        }
    }

    /**
     * Puts it there; false if others have changed the batches. Whether an attempt that has failed comes about is known
     * when another one does not fail: until then its objects may be part of the shard at any time.
     */
    private boolean settle(Replacement wanted) {
        boolean isDone = machine.apply(now -> Merges.replace(now, wanted.inputs(), wanted.merged(), wanted.owner()));
        unsettled = null;
        if (!isDone) {
            discard(wanted.merged().objects());
        }
        return isDone;
    }

    private void discard(List<String> objects) {
        leavesObjects |= !collector.discard(objects);
    }

    /** Comes to an end; returns whether it leaves objects without an owner. */
    boolean settle() {
        Replacement open = unsettled;
        if (open != null) {
            settle(open);
        }
        return leavesObjects;
    }

    private RunLimit limit() {
        return store.limit(config.mergedRuns(), config.partBytes());
    }

    private BatchState merge(List<BatchState> inputs, Frontier since, String owner) {
        Writing writing = new Writing(Writing.What.MERGE);
        RunWriter writer = new RunWriter(store, writing, owner, config.partBytes());
        List<BatchPart> run;
        try (OpenRuns runs = new OpenRuns(reading, inputs, time -> true, PartStore.Check.AT_THE_END)) {
            Rows merged = read(() -> runs.merged(since.time()));
            writer.add(() -> read(merged::next));
            run = writer.finish(config.inlineBatchBytes());
            writing.await();
        } catch (RuntimeException | Error failed) {
            writing.settle();
            discard(writer.objects()); // upkeep comes again each second: they would be more and more
            throw failed;
        } finally {
            leavesObjects |= writing.mayComeLate();
        }
        Frontier lower = inputs.get(0).lower();
        Frontier upper = inputs.get(inputs.size() - 1).upper();
        return new BatchState(lower, upper, since, run.isEmpty() ? List.of() : List.of(run));
    }

    private static <T extends @Nullable Object> T read(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (LocationException failed) {
            throw new UnreadableException(failed);
        }
    }
}
