package io.persist.shard;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.ShardException;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.UpkeepReport;
import io.persist.shard.state.RunLimit;
import io.persist.shard.state.ShardState;
import io.persist.shard.upkeep.Attempts;
import io.persist.shard.upkeep.ShardUpkeep;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the handles of one shard share in one client.
 *
 * <p><b>Threads:</b> any.
 */
final class OpenShard {

    /**
     * A handle that has to be heard of.
     *
     * @param renew renews the lease if it is time to, by one attempt: it comes again in a second
     * @param close gives the lease up, unless the client is closed, and lets go of what the handle has open
     */
    record Renewable(Runnable renew, Runnable close) {}

    private final String id;
    private final ShardMachine machine;
    private final PartStore store;
    private final ShardConfig config;
    private final ShardUpkeep upkeep;
    private final OpenShards shards;

    /** With what each is registered as. */
    private final Map<Renewable, String> handles = new ConcurrentHashMap<>();

    // Of renewals in the background. Fields: to keep these needs no memory.
    private volatile @Nullable Throwable renewalFailure;
    private volatile boolean isInLine;

    /** A shard that is one of {@code shards}. */
    OpenShard(String id, ShardMachine machine, PartStore store, ShardConfig config, OpenShards shards) {
        this.id = id;
        this.machine = machine;
        this.store = store;
        this.config = config;
        this.upkeep = new ShardUpkeep(machine, store, config);
        this.shards = shards;
    }

    /**
     * The state, and the way to change it.
     *
     * @throws IllegalStateException if the client is closed: its places are, too, and would be asked in vain
     */
    ShardMachine machine() {
        checkOpen();
        return machine;
    }

    /** The newest state that is known, which needs no place; also of a client that is closed. */
    ShardState known() {
        return machine.known();
    }

    /** Throws an {@link IllegalStateException} if the client is closed. */
    void checkOpen() {
        if (isEnded()) {
            throw new IllegalStateException("shard=" + id + ": the client is closed");
        }
    }

    String id() {
        return id;
    }

    /** Whether the client is closed. */
    boolean isEnded() {
        return shards.isEnded();
    }

    PartStore store() {
        return store;
    }

    ShardConfig config() {
        return config;
    }

    ShardUpkeep upkeep() {
        return upkeep;
    }

    /** How many runs one merge takes. */
    RunLimit limit() {
        return store.limit(config.mergedRuns(), config.partBytes());
    }

    long nowMs() {
        return config.clock().millis();
    }

    /** What is worth doing now. Leases come first: upkeep ends those that are over, this client's own ones, too. */
    UpkeepReport keepUp() {
        return keepUp(upkeep::routine);
    }

    private UpkeepReport keepUp(Supplier<UpkeepReport> routine) {
        renew();
        UpkeepReport report = routine.get();
        shards.letGoIfDone(this);
        return report;
    }

    /** Takes those for gone whose lease is over, as upkeep does: it looks for what they have left. */
    int expire() {
        machine().refresh();
        return upkeep.expire();
    }

    /** All that is worth doing. Who calls this may not come again soon: so renewals are repeated for the retry time. */
    UpkeepReport maintain() {
        checkOpen();
        machine.confirmNewest(); // before a renewal makes a version that follows a lost one
        boolean unused = machine.retried(() -> {
            renew();
            return true;
        });
        UpkeepReport report = upkeep.all();
        shards.letGoIfDone(this);
        return report;
    }

    /** Whether nothing is left to do for it, and nothing will be before it has a handle. */
    boolean isDone() {
        return handles.isEmpty() && upkeep.isDone();
    }

    /**
     * What an append owes to upkeep once it has happened: asks for it where runs are many, and holds up a writer
     * that is faster. Whatever fails here, the append has happened and has to be told so: the thread of upkeep does the
     * same again and says how it fails, also if the heap is full, since an {@link OutOfMemoryError} of this thread
     * would tell its caller of a merge, and not of the append.
     */
    void afterAppend() {
        try {
            ShardState state = known();
            RunLimit limit = limit();
            if (state.runs() >= limit.runs() || limit.isExceededBy(state.batches(), 1)) {
                shards.requestUpkeep();
                holdUp(state, limit);
            }
        } catch (RuntimeException | Error saidByUpkeep) {
            // the append has happened
        }
    }

    /** By a merge of the writer's own once a reader of everything would need more memory than two merges do. */
    private void holdUp(ShardState state, RunLimit limit) {
        boolean isMuch =
                state.readingBytes() > 2L * limit.runs() * config.partBytes() || limit.isExceededBy(state.batches(), 2);
        if (isMuch && config.upkeep() == ShardConfig.Upkeep.BACKGROUND) {
            keepUp(upkeep::routineOfAWriter);
        }
    }

    /** Keeps {@code handle}, which is registered as {@code holder}. */
    void add(Renewable handle, String holder) {
        handles.put(handle, holder);
        shards.keep(this); // behind that: a shard that has a handle is not let go of
    }

    /** Whether it was there. */
    boolean remove(Renewable handle) {
        return handles.remove(handle) != null;
    }

    /** Renews the leases of all handles, and then throws what has failed. */
    private void renew() {
        Attempts attempts = new Attempts();
        renew(attempts);
        attempts.throwFailure();
    }

    /** Renews the leases of all handles, each on its own. A place that does not answer one is not asked for others. */
    void renew(Attempts attempts) {
        for (Renewable handle : handles.keySet()) {
            if (attempts.run(handle.renew()) instanceof LocationException) {
                return;
            }
        }
        attempts.run(upkeep::renew);
    }

    /** How the last renewal in the background has {@code failed}; null if it has not. */
    void renewed(@Nullable Throwable failed) {
        renewalFailure = failed;
    }

    /** What {@link #renewed} was told last. */
    @Nullable
    Throwable renewalFailure() {
        return renewalFailure;
    }

    /** Whether it waits for a renewal in the background, or has it now. */
    boolean isInLine() {
        return isInLine;
    }

    void joinLine() {
        isInLine = true;
    }

    void leaveLine() {
        isInLine = false;
    }

    /** When the first of its leases is over, as far as is known: in ms since 1970. */
    long firstEndMs() {
        ShardState state = known();
        long first = state.leaseEndMs(upkeep.writer());
        for (String holder : handles.values()) {
            first = Math.min(first, state.leaseEndMs(holder));
        }
        return first;
    }

    /** Gives all leases up. */
    void close() {
        handles.keySet().forEach(handle -> handle.close().run());
        upkeep.close();
    }

    /** The client is closed. Handles whose leases were not given up let go, without a word to the places. */
    void end() {
        handles.keySet().forEach(handle -> handle.close().run());
    }

    /**
     * What to say of {@code damaged}: once the lease of a handle is over, its objects are deleted as any other ones.
     *
     * @param isRegistered whether its lease is not over
     */
    ShardException explained(DamagedShardException damaged, String handle, Predicate<ShardState> isRegistered) {
        try {
            if (isRegistered.test(machine().refresh())) {
                return damaged;
            }
        } catch (LocationException notKnown) {
            damaged.addSuppressed(notKnown);
            return damaged;
        }
        LeaseExpiredException expired = expired(handle);
        expired.addSuppressed(damaged);
        return expired;
    }

    LeaseExpiredException expired(String handle) {
        return new LeaseExpiredException(
                "shard=" + id + ": the lease of " + handle + " is over; open a new handle", null);
    }

    LeaseExpiredException unowned(String writer) {
        return new LeaseExpiredException(
                "shard=" + id + ": the lease of writer " + writer
                        + " is over, which made this batch, so its objects may be gone; build the batch again",
                null);
    }

    static String newId(char kind) {
        return kind + UUID.randomUUID().toString();
    }
}
