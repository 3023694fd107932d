package io.persist.shard;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.ShardException;
import io.persist.shard.machine.Identity;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.AppendToken;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import io.persist.shard.state.AppendTable.Decision;
import io.persist.shard.state.Appends;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.Holders;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds updates to a shard. What was appended is durable, and all readers see it.
 *
 * <p>All methods that append throw {@link DeterminateException} if it surely did not happen,
 * {@link IndeterminateException} if it may have, and {@link LeaseExpiredException} if this writer was silent for too
 * long: then this call has not appended, but an earlier one that threw {@link IndeterminateException} may have.
 *
 * <p><b>Threads:</b> one at a time; any number of writers.
 */
public final class ShardWriter<K, V> implements AutoCloseable {

    private final OpenShard open;
    private final OpenShard.Renewable renewable = new OpenShard.Renewable(this::renew, this::close);
    private final Codec<K> keys;
    private final Codec<V> values;
    private final String id;
    private final Unfinished unfinished;

    ShardWriter(OpenShard open, Codec<K> keys, Codec<V> values) {
        this.open = open;
        this.keys = keys;
        this.values = values;
        this.id = Identity.newWriter(open.machine());
        this.unfinished = new Unfinished(id);
        open.machine()
                .apply(state ->
                        Holders.addWriter(state, id, open.config().writerLease().toMillis(), open.nowMs()));
        open.add(renewable, id);
    }

    /** Below which time the shard is complete, asked now. */
    public Frontier upper() {
        return open.machine().refresh().upper();
    }

    /** The same as with frontiers at these times, and a token of its own. */
    public AppendResult compareAndAppend(Iterable<Update<K, V>> updates, long expectedUpper, long newUpper) {
        return compareAndAppend(updates, Frontier.at(expectedUpper), Frontier.at(newUpper));
    }

    /** The same with a token of its own: after an {@link IndeterminateException} only {@link #upper} can tell. */
    public AppendResult compareAndAppend(Iterable<Update<K, V>> updates, Frontier expectedUpper, Frontier newUpper) {
        return compareAndAppend(AppendToken.random(), updates, expectedUpper, newUpper);
    }

    /**
     * Appends {@code updates} if the shard's upper is the expected one, and moves it to the new one.
     *
     * @param token the same for each repetition of this append, until its outcome is known
     * @param updates with times from {@code expectedUpper} on and below {@code newUpper}; may be empty
     * @param newUpper EMPTY to end the shard
     * @throws IllegalArgumentException for other times, for what {@link BatchBuilder#add} refuses, if the new upper is
     *     below the expected one, or if the writer's last append had the same token and another new upper
     */
    public AppendResult compareAndAppend(
            AppendToken token, Iterable<Update<K, V>> updates, Frontier expectedUpper, Frontier newUpper) {
        return compareAndAppend(token, build(updates, expectedUpper, expectedUpper, newUpper));
    }

    private Batch build(Iterable<Update<K, V>> updates, Frontier from, Frontier lower, Frontier upper) {
        BatchBuilder<K, V> builder = batch(lower);
        try {
            for (Update<K, V> update : updates) {
                if (!lower.isBehind(update.time()) || from.isBehind(update.time())) {
                    builder.add(update);
                }
            }
            return builder.finish(upper);
        } catch (RuntimeException | Error failed) {
            abandon(builder, failed);
            throw failed;
        }
    }

    private static void abandon(BatchBuilder<?, ?> builder, Throwable reason) {
        try {
            builder.abandon();
        } catch (LocationException leftToTheSweep) {
            reason.addSuppressed(leftToTheSweep);
        }
    }

    private AppendResult compareAndAppend(AppendToken token, Batch batch) {
        try {
            return append(token, batch, batch.state());
        } finally {
            discardIfSettled(batch);
        }
    }

    private static void discardIfSettled(Batch batch) {
        if (batch.isSettled()) {
            batch.discard(); // if a repetition, a mismatch or a failure made its objects needless
        }
    }

    /** The same as {@link #append(Iterable, Frontier, Frontier)} with frontiers at these times. */
    public AppendResult append(Iterable<Update<K, V>> updates, long lower, long upper) {
        return append(updates, Frontier.at(lower), Frontier.at(upper));
    }

    /**
     * For several writers of the same data: appends what is not there yet. It may always be repeated.
     *
     * @param updates all of the data with times from {@code lower} on and below {@code upper}; iterated once at most
     * @return a mismatch if the shard's upper is below {@code lower}, so that there would be a gap
     */
    public AppendResult append(Iterable<Update<K, V>> updates, Frontier lower, Frontier upper) {
        if (upper.isBelow(lower)) {
            throw new IllegalArgumentException("upper=" + upper + " is below lower=" + lower);
        }
        Frontier from = Frontier.greatest(lower, open.machine().known().upper());
        if (!from.isBelow(upper)) {
            return nothingMissing(lower);
        }
        Batch batch = build(updates, lower, from, upper);
        try {
            return appendRest(batch);
        } finally {
            discardIfSettled(batch);
        }
    }

    /** The known upper lies behind all times of the append. If it has none, lower may lie behind the upper. */
    private AppendResult nothingMissing(Frontier lower) {
        Frontier newest = open.machine().refresh().upper();
        return new AppendResult(
                newest.isBelow(lower) ? AppendResult.Status.UPPER_MISMATCH : AppendResult.Status.APPENDED, newest);
    }

    /** Begins a batch whose times are at or behind {@code lower}. */
    public BatchBuilder<K, V> batch(Frontier lower) {
        return new BatchBuilder<>(open, unfinished, keys, values, lower);
    }

    /** The same with a token of its own. */
    public AppendResult compareAndAppendBatch(Batch batch, Frontier expectedUpper) {
        return compareAndAppendBatch(AppendToken.random(), batch, expectedUpper);
    }

    /**
     * Appends a batch if the shard's upper is the expected one. If it is not, the batch can be appended again or
     * deleted; deleted only if no earlier append of it may still happen.
     *
     * @param token the same for each repetition of this append, until its outcome is known
     * @param expectedUpper the batch's lower, or behind it: what lies before counts as there already
     * @throws IllegalArgumentException if the writer's last append had the same token and another upper
     * @throws IllegalStateException if the batch was deleted
     */
    public AppendResult compareAndAppendBatch(AppendToken token, Batch batch, Frontier expectedUpper) {
        checkUsable(batch);
        if (expectedUpper.isBelow(batch.lower()) || batch.upper().isBelow(expectedUpper)) {
            throw new IllegalArgumentException("expectedUpper=" + expectedUpper + " is not within lower="
                    + batch.lower() + " and upper=" + batch.upper());
        }
        BatchState rest = expectedUpper.equals(batch.upper())
                ? BatchState.empty(expectedUpper, expectedUpper) // all of it counts as there already
                : batch.state().from(expectedUpper);
        return append(token, batch, rest);
    }

    /** Appends what of the batch is not there yet, as {@link #append(Iterable, Frontier, Frontier)} does. */
    public AppendResult appendBatch(Batch batch) {
        checkUsable(batch);
        return appendRest(batch);
    }

    private AppendResult appendRest(Batch batch) {
        AppendToken token = AppendToken.random();
        Frontier current = open.machine().known().upper();
        while (true) {
            Frontier from = Frontier.greatest(batch.lower(), current);
            if (!from.isBelow(batch.upper())) {
                AppendResult result = nothingMissing(batch.lower());
                batch.settle(); // at this upper an attempt of it cannot happen any more
                return result;
            }
            AppendResult result = append(token, batch, batch.state().from(from));
            if (result.isAppended() || result.upper().isBelow(batch.lower())) {
                return result;
            }
            current = result.upper();
        }
    }

    private void checkUsable(Batch batch) {
        if (batch.shard() != open) {
            throw new IllegalArgumentException("the batch is of another shard or another client");
        }
        if (batch.isDeleted()) {
            throw new IllegalStateException("the batch was deleted; build it again");
        }
    }

    private AppendResult append(AppendToken token, Batch batch, BatchState state) {
        batch.awaitWritten();
        try {
            AppendResult result = attempt(new Appends.Wish(id, batch.owner(), token.text(), state, open.nowMs()));
            batch.settle();
            return result;
        } catch (DeterminateException | LeaseExpiredException | IllegalArgumentException refused) {
            throw refused; // what is known of it does not change
        } catch (RuntimeException | Error unknown) {
            batch.unsettle();
            throw unknown;
        }
    }

    private AppendResult attempt(Appends.Wish wish) {
        if (wish.batch().lower().equals(wish.batch().upper())) {
            open.machine().refresh(); // it makes no version, which would find out that there is a newer state
        }
        while (true) {
            AtomicLong unknown = new AtomicLong();
            Appends.Outcome outcome = open.machine().apply(state -> Appends.append(state, wish), unknown);
            Decision decision = outcome.decision();
            switch (decision) {
                case APPEND, ALREADY -> {
                    AppendResult appended = new AppendResult(AppendResult.Status.APPENDED, outcome.upper());
                    open.afterAppend();
                    return appended;
                }
                case MISMATCH -> {
                    // Only what is true of the newest state is said: it was that while this was called.
                    Frontier newest = open.machine().refresh().upper();
                    if (!newest.equals(wish.batch().lower())) {
                        return new AppendResult(AppendResult.Status.UPPER_MISMATCH, newest);
                    }
                }
                case EXPIRED -> throw expired(unknown.get() > 0);
                case UNOWNED -> throw open.unowned(wish.owner());
                case REUSED ->
                    throw new IllegalArgumentException("token=" + wish.token() + " is that of an append up to "
                            + outcome.upper() + ", not up to " + wish.batch().upper() + "; give each append its own");
                case INVALID ->
                    throw new IllegalArgumentException("lower=" + wish.batch().lower() + ", upper="
                            + wish.batch().upper() + ": no time for updates");
            }
        }
    }

    /** With the lease its memory is gone: whether an attempt without an answer has happened nobody can tell by now. */
    private ShardException expired(boolean mayHaveHappened) {
        LeaseExpiredException expired = open.expired("writer " + id);
        return mayHaveHappened
                ? new IndeterminateException(
                        "an attempt of this append had no answer and may have happened, so look at the upper: "
                                + expired.getMessage(),
                        expired)
                : expired;
    }

    /** Part of upkeep, by one attempt: says that this writer lives, when it is time to. */
    void renew() {
        open.machine().attempt(state -> Holders.hearWriter(state, id, open.nowMs()));
    }

    /**
     * Gives the lease up. Batches of this writer cannot be appended any more: upkeep deletes what the blob has of those
     * that are neither appended nor deleted. It waits for those of their objects that are on their way.
     */
    @Override
    public void close() {
        open.remove(renewable);
        if (!open.isEnded()) { // it was given up with its client, or runs out
            boolean leavesObjects = unfinished.settle();
            open.machine()
                    .apply(state -> leavesObjects ? Holders.leaveWriter(state, id) : Holders.removeWriter(state, id));
        }
    }
}
