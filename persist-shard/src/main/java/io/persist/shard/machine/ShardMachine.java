package io.persist.shard.machine;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.CodecMismatchException;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Backoff;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Retries;
import io.persist.shard.location.Version;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.StateBytes;
import io.persist.shard.state.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The newest known state of a shard, and the way to change it.
 *
 * <p><b>Threads:</b> any.
 */
public final class ShardMachine {

    private final Consensus consensus;
    private final String id;
    private final int rollupEvery;
    private final Duration retryTime;
    private final VersionReader reader;

    private final Turn turn = new Turn();

    /** The last version whose whole state was longer than the consensus takes. Only in turn. */
    private long tooLong;

    private final AtomicReference<@Nullable Known> newest = new AtomicReference<>();

    private ShardMachine(Consensus consensus, String id, int rollupEvery, Duration retryTime) {
        this.consensus = consensus;
        this.id = id;
        this.rollupEvery = rollupEvery;
        this.retryTime = retryTime;
        this.reader = new VersionReader(consensus, id);
    }

    /**
     * The machine of the shard whose parts are in {@code store}; the shard is created if it does not exist.
     *
     * @throws CodecMismatchException if it was created with other codecs
     * @throws DamagedShardException if the shard does not exist, and there are objects of it, if none of its objects is
     *     there, or if it has none, and there are those of another consensus; nothing was changed
     */
    public static ShardMachine open(
            Consensus consensus,
            PartStore store,
            String keyCodec,
            String valueCodec,
            int rollupEvery,
            Duration retryTime) {
        String id = store.shard();
        ShardMachine machine = new ShardMachine(consensus, id, rollupEvery, retryTime);
        ShardState first = ShardState.create(id, keyCodec, valueCodec).withIdentity(Identity.random());
        ShardState found = machine.retried(() -> machine.findOrCreate(first, store));
        if (!found.keyCodec().equals(keyCodec) || !found.valueCodec().equals(valueCodec)) {
            throw new CodecMismatchException(
                    "shard=" + id + " has codecs " + found.keyCodec() + " and " + found.valueCodec()
                            + ": open it with these, not with " + keyCodec + " and " + valueCodec,
                    null);
        }
        BothPlaces.checkBlob(machine, store);
        return machine;
    }

    /** The newest state of shard {@code id}, for who only looks: nothing is changed. Null if it does not exist. */
    public static @Nullable ShardState look(Consensus consensus, String id) {
        Known found = new VersionReader(consensus, id).newest(null);
        return found == null ? null : found.state();
    }

    private ShardState findOrCreate(ShardState first, PartStore store) {
        Known found = reader.newest(newest.get());
        if (found == null) {
            found = BothPlaces.checkConsensus(store, () -> reader.newest(null));
        }
        if (found == null) {
            consensus.compareAndSet(
                    id, Consensus.NONE, new Version(first.version(), StateBytes.whole(first, StateBytes.NOTHING)));
            found = reader.newest(null);
        }
        if (found == null) {
            throw new DeterminateException("shard=" + id + " is gone right after it was created", null);
        }
        return learn(found).state();
    }

    /** Keeps {@code found} if it is newer. */
    private Known learn(Known found) {
        while (true) {
            Known known = newest.get();
            if (known != null && known.version() >= found.version()) {
                return known;
            }
            if (newest.compareAndSet(known, found)) {
                return found;
            }
        }
    }

    private Known here() {
        Known known = newest.get();
        if (known == null) {
            throw new IllegalStateException("shard=" + id + " was not read yet");
        }
        return known;
    }

    /** The newest state that this process knows. There may be newer ones. */
    public ShardState known() {
        return here().state();
    }

    /** The last whole version that this process knows: those below are not needed. */
    public long whole() {
        return here().whole();
    }

    /** The newest state there is. */
    public ShardState refresh() {
        return retried(this::refreshOnce);
    }

    /** The same by one attempt. */
    public ShardState refreshOnce() {
        Known found = reader.newest(here());
        return found == null ? known() : learn(found).state();
    }

    /**
     * Sees to it that what the consensus has is what has led to the known state. After it has gone back, others may
     * have written in the place of what is known: objects that look needless here may be theirs.
     *
     * @throws DamagedShardException if others have, or versions are lost
     */
    public void confirm() {
        confirmFrom(Known::whole);
    }

    /** The same, but only the newest known version is looked at. */
    public void confirmNewest() {
        confirmFrom(Known::version);
    }

    private void confirmFrom(ToLongFunction<Known> first) {
        Known known = here();
        boolean unused = retried(() -> {
            reader.confirm(known, first.applyAsLong(known));
            return true;
        });
    }

    /**
     * Deletes the versions below the last whole one that is known; says how many.
     *
     * @throws DamagedShardException as {@link #confirm} does: others' last whole version may be a lower one
     */
    public int truncate() {
        Known known = here();
        return retried(() -> {
            reader.confirm(known, known.whole()); // in each attempt: it may go back while it does not answer
            return consensus.truncate(id, known.whole());
        });
    }

    /**
     * Makes the state that {@code transition} makes of the newest one. What could not be settled is tried again for the
     * time of the settings; a transition may be asked several times.
     *
     * @throws DeterminateException if it surely did not happen; at once if the consensus takes no version so long
     * @throws IndeterminateException if it may have happened, or may still happen
     * @throws DamagedShardException if a version cannot be read, or one that was there is lost
     */
    public <R> R apply(Function<ShardState, Step<R>> transition) {
        return apply(transition, new AtomicLong());
    }

    /** The same; {@code unknown} gets the last version of which it was not known whether this call has made it. */
    public <R> R apply(Function<ShardState, Step<R>> transition, AtomicLong unknown) {
        return turn.take(() -> applyInTurn(transition, unknown, retryTime));
    }

    /**
     * The same for what comes back soon of itself: a place that does not answer is not asked again, and another change
     * that has no answer yet is waited for only briefly.
     */
    public <R> R attempt(Function<ShardState, Step<R>> transition) {
        return turn.takeSoon(
                () -> applyInTurn(transition, new AtomicLong(), Duration.ZERO),
                () -> new DeterminateException(
                        "shard=" + id + ": the consensus has not answered another change of this process yet", null));
    }

    private <R> R applyInTurn(Function<ShardState, Step<R>> transition, AtomicLong unsettled, Duration time) {
        Retries retries = new Retries(time);
        while (true) {
            try {
                if (unsettled.get() > known().version()) { // an attempt may still make it
                    refreshOnce();
                }
                Known before = here();
                Step<R> step = transition.apply(before.state());
                if (!step.isChangeOf(before.state())) {
                    return step.result();
                }
                long number = before.version() + 1;
                if (set(before, step.next().numbered(number), () -> unsettled.set(number))) {
                    return step.result();
                }
                refreshOnce();
                checkThatItWentOn(before, retries);
            } catch (TooLongException never) { // again it would be as long, and others wait for their turn
                throw new DeterminateException(String.valueOf(never.getMessage()), never);
            } catch (LocationException failed) {
                boolean isOpen = unsettled.get() > known().version();
                retries.pauseOrThrow(isOpen ? Retries.mayHaveHappened(failed) : failed);
            }
        }
    }

    /** Whoever loses learns a newer version, unless the consensus has gone back, such as to an older copy. */
    private void checkThatItWentOn(Known before, Retries retries) {
        if (known().version() == before.version() && !retries.pause()) {
            throw VersionReader.lost(id, before.version());
        }
    }

    private boolean set(Known before, ShardState next, Runnable ifUnknown) {
        byte[] whole = wholeIfDue(before, next);
        byte[] data =
                whole != null ? whole : StateBytes.changes(before.state(), next, before.whole(), before.checksum());
        if (data.length > consensus.mostBytes()) {
            throw new TooLongException("shard=" + id + ": a version of " + data.length
                    + " bytes is longer than the consensus takes, which is " + consensus.mostBytes());
        }
        boolean isSet;
        try {
            isSet = consensus.compareAndSet(id, before.version(), new Version(next.version(), data));
        } catch (IndeterminateException unknown) {
            ifUnknown.run();
            throw unknown;
        }
        if (isSet) {
            learn(new Known(next, whole != null ? next.version() : before.whole(), StateBytes.checksum(data)));
        }
        return isSet;
    }

    /** Null if it is not due, or longer than the consensus takes. To find that out takes long: not at each version. */
    private byte @Nullable [] wholeIfDue(Known before, ShardState next) {
        if (next.version() - Math.max(before.whole(), tooLong) < rollupEvery) {
            return null;
        }
        byte[] whole = StateBytes.whole(next, before.checksum());
        if (whole.length > consensus.mostBytes()) {
            tooLong = next.version();
            return null;
        }
        return whole;
    }

    /** What {@code operation} says; if a place does not answer it, it is tried again for the time of the settings. */
    public <R> R retried(Supplier<R> operation) {
        return Retries.of(retryTime, operation);
    }

    /**
     * Waits until the newest state fulfils {@code wanted}; null if the time ran out first.
     *
     * @param check throws if nobody wants to wait any more; it is asked each second, and before a place is
     */
    public @Nullable ShardState await(Predicate<ShardState> wanted, Duration timeout, Runnable check)
            throws InterruptedException {
        long startNs = System.nanoTime();
        long budgetNs = Backoff.nanos(timeout);
        ShardState state = known();
        while (!wanted.test(state)) {
            state = retried(() -> {
                check.run();
                return refreshOnce();
            });
            long leftNs = budgetNs - (System.nanoTime() - startNs);
            if (wanted.test(state)) {
                return state;
            }
            if (leftNs <= 0) {
                return null;
            }
            awaitChange(state.version(), leftNs, check);
        }
        return state;
    }

    private void awaitChange(long version, long longestNs, Runnable check) throws InterruptedException {
        try {
            consensus.awaitChange(id, version, Duration.ofNanos(longestNs), check);
        } catch (LocationException failed) {
            check.run(); // a place that was closed fails, too
            throw failed;
        }
    }
}
