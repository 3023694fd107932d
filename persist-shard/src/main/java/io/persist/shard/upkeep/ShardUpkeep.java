package io.persist.shard.upkeep;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.ShardException;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.UpkeepReport;
import io.persist.shard.state.Holders;
import io.persist.shard.state.Merges;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.Step;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All upkeep of one shard by this process.
 *
 * <p><b>Threads:</b> any; one at a time works.
 */
public final class ShardUpkeep {

    /** A shard whose upper stays for so long is not being written. */
    private static final long QUIET_NS = 900_000_000;

    private final ShardMachine machine;
    private final ShardConfig config;
    private final UpkeepWriter writer;
    private final Compactor compactor;
    private final Collector collector;
    private final LongSupplier nanoTime;
    private final Looks looks;
    private long truncatedTo;
    private Frontier lastUpper = Frontier.MINIMUM;
    private long movedNs;

    /** Writers may be gone that have left objects: at first of a time of which this knows nothing. */
    private boolean owesSweep = true;

    /** What the last sweep found missing, and when; null if it came to its end. */
    private @Nullable DamagedShardException missing;

    private long missingSinceNs;

    /** Upkeep of the shard of {@code machine}, whose parts are in {@code store}. */
    public ShardUpkeep(ShardMachine machine, PartStore store, ShardConfig config) {
        this(machine, store, config, System::nanoTime);
    }

    /** The same with another {@link System#nanoTime}. */
    public ShardUpkeep(ShardMachine machine, PartStore store, ShardConfig config, LongSupplier nanoTime) {
        this.machine = machine;
        this.nanoTime = nanoTime;
        this.looks = new Looks(nanoTime);
        this.movedNs = nanoTime.getAsLong();
        this.config = config;
        this.collector = new Collector(machine, store);
        this.writer = new UpkeepWriter(machine, config);
        this.compactor = new Compactor(machine, store, config, writer, collector, nanoTime);
    }

    /**
     * Says by one attempt that what this process is registered as lives, when it is time to: a merge may be under way
     * meanwhile.
     */
    public void renew() {
        writer.hear();
    }

    /** The writer that merges for this process; empty if none is registered. */
    public String writer() {
        return writer.id();
    }

    /** What deletes objects. */
    public Collector collector() {
        return collector;
    }

    /**
     * What is worth doing, with one merge at most: leases and garbage do not wait for many of them. While the shard is
     * written, batches wait for {@linkplain CompactionPlan#whileWritten a large merge}. Objects without an owner are
     * looked for if a lease was over, and the first time; if that fails, the next time again. After an object was
     * missing that is a while later: to list a large place costs, and most likely it is missing still. The newest state
     * is asked for {@linkplain Looks from time to time}.
     *
     * @throws ShardException also for what an earlier call has found: an object that is missing, or batches that are
     *     left alone
     */
    public synchronized UpkeepReport routine() {
        learn();
        UpkeepReport report = work(1, planner());
        ShardException left = report.merges() == 0 ? compactor.leftAlone() : null; // else there may be more to merge
        Attempts attempts = new Attempts();
        if (left != null) {
            attempts.keep(left);
        }
        UpkeepReport all = attempts.get(() -> owesSweep ? withSweep(report) : report, report);
        attempts.throwFailure();
        return all;
    }

    /**
     * The same for a writer that must not go on before there are fewer runs. What upkeep could not read is tried again:
     * it may have been the place that did not answer, and if nothing were merged for a minute, nothing would bound the
     * runs.
     */
    public synchronized UpkeepReport routineOfAWriter() {
        compactor.readAgain();
        return routine();
    }

    /** By one attempt: it comes again. A lease that seems to be over may have been renewed. */
    private void learn() {
        ShardState known = machine.known();
        if (looks.isDue(known.version()) || Holders.expire(known, nowMs()).result() > 0) {
            looks.note(machine.refreshOnce().version());
        }
    }

    private long nowMs() {
        return config.clock().millis();
    }

    private Compactor.Planner planner() {
        return isQuiet() ? CompactionPlan::of : CompactionPlan::whileWritten;
    }

    /** Not by the last call: upkeep that has more to do comes back at once, and finds the upper where it was. */
    private boolean isQuiet() {
        Frontier upper = machine.known().upper();
        long nowNs = nanoTime.getAsLong();
        if (!upper.equals(lastUpper)) {
            lastUpper = upper;
            movedNs = nowNs;
        }
        return nowNs - movedNs >= QUIET_NS;
    }

    /** All that is worth doing, and looks for objects without an owner in any case. */
    public synchronized UpkeepReport all() {
        machine.refresh();
        compactor.lookAgain();
        missing = null;
        return withSweep(work(Integer.MAX_VALUE, CompactionPlan::of));
    }

    private UpkeepReport withSweep(UpkeepReport report) {
        int swept = sweep();
        owesSweep = false; // only if it has come to its end
        return new UpkeepReport(report.expired(), report.merges(), report.collected(), report.truncated(), swept);
    }

    private int sweep() {
        DamagedShardException known = missing;
        if (known != null && nanoTime.getAsLong() - missingSinceNs < LeftAlone.DAMAGED_NS) {
            throw new DamagedShardException(String.valueOf(known.getMessage()), known);
        }
        missing = null;
        try {
            return collector.sweep();
        } catch (DamagedShardException found) {
            missing = found;
            missingSinceNs = nanoTime.getAsLong();
            throw found;
        }
    }

    private UpkeepReport work(int mostMerges, Compactor.Planner planner) {
        if (machine.known().isTombstone()) {
            close(); // nothing is left to merge
        } else {
            writer.renew();
        }
        int expired = expireAndDrop();
        Attempts attempts = new Attempts();
        int merges = merge(mostMerges, planner, attempts);
        UpkeepReport merged = new UpkeepReport(expired, merges, 0, 0, 0);
        // What a merge has found damaged keeps no space of the rest.
        UpkeepReport all =
                attempts.get(() -> new UpkeepReport(expired, merges, collector.collect(), truncate(), 0), merged);
        attempts.throwFailure();
        return all;
    }

    /** A failure ends it, but for one that leaves batches alone: others can be merged. */
    private int merge(int most, Compactor.Planner planner, Attempts attempts) {
        int merges = 0;
        compactor.forgetOld();
        while (merges < most) {
            try {
                if (!compactor.compact(planner)) {
                    return merges;
                }
                merges++;
            } catch (RuntimeException | Error failed) {
                attempts.keep(failed);
                if (!compactor.leavesAlone(failed)) {
                    return merges;
                }
            }
        }
        return merges;
    }

    /** With an empty since the updates go, too; a version drops as many objects as it can name. */
    private int expireAndDrop() {
        int expired = 0;
        do {
            expired += machine.apply(this::expire);
        } while (Merges.hasUnreadable(machine.known()));
        return expired;
    }

    private int truncate() {
        long whole = machine.whole();
        if (whole <= truncatedTo) {
            return 0;
        }
        int truncated = machine.truncate();
        truncatedTo = whole;
        return truncated;
    }

    /** Whether the shard is a tombstone for which nothing is left to do: nobody is registered, and nothing is to go. */
    public synchronized boolean isDone() {
        ShardState state = machine.known();
        boolean isEmpty = state.isTombstone()
                && state.readers().isEmpty()
                && state.writers().isEmpty()
                && state.garbage().isEmpty();
        return isEmpty && !owesSweep && machine.whole() <= truncatedTo;
    }

    /** Takes those for gone whose lease is over; says how many. The next call looks for what they have left. */
    public synchronized int expire() {
        return machine.apply(this::expire);
    }

    private Step<Integer> expire(ShardState state) {
        Step<Integer> step = Holders.expire(state, nowMs());
        owesSweep |= step.result() > 0; // here: the answer may be lost, and the next state has nothing to expire
        return step;
    }

    /** Gives up what this process is registered as, once it is known what has become of the last merge. */
    public synchronized void close() {
        if (compactor.settle()) {
            writer.leave();
        } else {
            writer.close();
        }
    }
}
