package io.persist.shard;

import io.persist.shard.batch.Row;
import io.persist.shard.batch.Rows;
import io.persist.shard.batch.RunReader;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.SinceException;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives the updates of a shard as they come, each once. It holds since one step behind what it has given, but never at
 * EMPTY: a finished shard that was read to its end stays readable.
 *
 * <p><b>Threads:</b> one at a time; {@link #close} any.
 */
public final class ShardListener<K, V> implements AutoCloseable {

    /** What it begins with. */
    enum Start {
        BEHIND,
        WITH_CONTENTS
    }

    private static final int UPDATES_AT_ONCE = 1_024;
    private static final int BYTES_AT_ONCE = 1 << 20;

    private final OpenShard open;
    private final OpenShard.Renewable renewable = new OpenShard.Renewable(this::renew, this::close);
    private final Codec<K> keys;
    private final Codec<V> values;
    private final ReaderLease lease;
    private final long asOf;

    /** Of the thread that polls, and of the one that lets go of objects. A close does not wait for a poll. */
    private final ReentrantLock turn = new ReentrantLock();

    private volatile boolean isClosed;
    private @Nullable Snapshot<K, V> contents;
    private boolean owesContents;
    private Frontier frontier;
    private Frontier since;

    /** What is being given: the state it is of, its rows, and the frontier behind them. */
    private @Nullable ShardState reading;

    private Iterator<Rows> runs = List.<Rows>of().iterator();
    private Rows rows = () -> null;

    /** What is given next: a codec may fail to read it. */
    private @Nullable Row upcoming;

    /** What the next event has; if a call fails the next one goes on with it. It never grows: for that may fail. */
    private final List<Update<K, V>> gathered = new ArrayList<>(UPDATES_AT_ONCE);

    /** How long their rows are together. */
    private long gatheredBytes;

    ShardListener(OpenShard open, long asOf, Codec<K> keys, Codec<V> values, Start start) {
        this.open = open;
        this.keys = keys;
        this.values = values;
        this.asOf = asOf;
        this.since = Frontier.at(asOf);
        this.owesContents = start == Start.WITH_CONTENTS;
        this.frontier = owesContents ? Frontier.MINIMUM : Frontier.after(asOf);
        this.lease = new ReaderLease(open, since);
        try {
            lease.checkSince(asOf);
        } catch (SinceException goneMeanwhile) {
            lease.close();
            throw goneMeanwhile;
        }
        open.add(renewable, lease.id());
        open.store().listenerBegins();
    }

    /** Below which all updates were given. */
    public Frontier frontier() {
        return frontier;
    }

    /**
     * The next event. If a call fails it can be repeated: nothing is left out or given twice.
     *
     * @param timeout how long to wait for one; a place that does not answer is asked again for the retry time
     * @return null if there was none by then, or the shard has ended
     * @throws io.persist.shard.error.LeaseExpiredException if this listener was silent for too long
     * @throws IllegalStateException if this listener or its client is closed, also while this waits
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public @Nullable ShardEvent<K, V> poll(Duration timeout) throws InterruptedException {
        turn.lock();
        try {
            checkOpen();
            return owesContents ? pollContents(timeout) : pollUpdates(timeout);
        } finally {
            turn.unlock();
            letGoIfClosed(); // if it was closed meanwhile
        }
    }

    private void checkOpen() {
        open.checkOpen();
        if (isClosed) {
            throw new IllegalStateException("shard=" + open.id() + ": the listener is closed");
        }
    }

    private @Nullable ShardEvent<K, V> pollUpdates(Duration timeout) throws InterruptedException {
        if (reading == null && !begin(timeout)) {
            return null;
        }
        for (Row row = nextOfEvent(); row != null; row = nextOfEvent()) {
            gather(Snapshot.update(row, keys, values), row.length());
            upcoming = null;
        }
        return gathered.isEmpty() ? progress() : updates();
    }

    private @Nullable ShardEvent<K, V> pollContents(Duration timeout) throws InterruptedException {
        Snapshot<K, V> snapshot = contents;
        if (snapshot == null) {
            if (open.machine().await(state -> state.upper().isBehind(asOf), timeout, this::checkOpen) == null) {
                return null;
            }
            snapshot = new Snapshot<>(open.store(), lease, asOf, keys, values);
            contents = snapshot;
        }
        while (hasRoom() && snapshot.hasNext()) {
            int bytes = snapshot.nextBytes();
            gather(snapshot.next(), bytes);
        }
        if (!gathered.isEmpty()) {
            return updates();
        }
        checkOpen(); // an end that closing has made is none of the contents
        ShardEvent.Progress<K, V> progress = new ShardEvent.Progress<>(Frontier.after(asOf)); // if memory is short: now
        snapshot.close();
        contents = null;
        owesContents = false;
        frontier = progress.frontier();
        return progress;
    }

    /** Null if the event is long enough, or there is no more. */
    private @Nullable Row nextOfEvent() {
        return hasRoom() ? upcomingRow() : null;
    }

    /** By bytes, too: what was gathered stays in memory while calls fail, also for want of memory. */
    private boolean hasRoom() {
        return gathered.size() < UPDATES_AT_ONCE && gatheredBytes < BYTES_AT_ONCE;
    }

    private void gather(Update<K, V> update, int bytes) {
        gathered.add(update);
        gatheredBytes += bytes;
    }

    private ShardEvent<K, V> updates() {
        ShardEvent<K, V> updates = new ShardEvent.Updates<>(gathered);
        gathered.clear();
        gatheredBytes = 0;
        return updates;
    }

    private boolean begin(Duration timeout) throws InterruptedException {
        if (frontier.isEmpty()
                || open.machine().await(state -> frontier.isBelow(state.upper()), timeout, this::checkOpen) == null) {
            return false;
        }
        ShardState state = lease.acquire();
        try {
            rows = () -> null;
            runs = runsFrom(frontier, state);
            reading = state;
        } catch (RuntimeException | Error failed) { // what is held for ever keeps all garbage from then on
            lease.giveBack(state);
            throw failed;
        }
        return true;
    }

    private Iterator<Rows> runsFrom(Frontier from, ShardState state) {
        long least = from.time();
        List<Rows> found = new ArrayList<>();
        for (BatchState batch : state.batches()) {
            if (from.isBelow(batch.upper())) {
                found.addAll(RunReader.of(open.store(), batch, time -> time >= least));
            }
        }
        return found.iterator();
    }

    private @Nullable Row upcomingRow() {
        if (upcoming == null) {
            try {
                upcoming = nextRow();
            } catch (DamagedShardException damaged) {
                throw lease.explained(damaged);
            }
        }
        return upcoming;
    }

    private @Nullable Row nextRow() {
        while (true) {
            Row row = rows.next();
            if (row != null || !runs.hasNext()) {
                return row;
            }
            rows = runs.next();
        }
    }

    private ShardEvent<K, V> progress() {
        ShardState state = reading;
        if (state == null) {
            throw new IllegalStateException("nothing is being read");
        }
        Frontier upper = state.upper();
        ShardEvent<K, V> progress = new ShardEvent.Progress<>(upper); // before this goes on: memory may be short
        if (!upper.isEmpty()) { // since EMPTY would have all of the shard deleted: that is for downgradeSince alone
            follow(Frontier.at(Math.max(asOf, upper.time() - 1)));
        }
        frontier = upper;
        reading = null;
        lease.giveBack(state);
        return progress;
    }

    private synchronized void follow(Frontier read) {
        since = read;
    }

    private synchronized Frontier wantedSince() {
        return since;
    }

    /** Part of upkeep, by one attempt: says that this listener lives, when it is time to, and lets since follow it. */
    void renew() {
        lease.renew(wantedSince());
    }

    /** Gives the lease up, and lets go of objects; a thread that polls lets go of them when it has ended. */
    @Override
    public void close() {
        isClosed = true;
        letGoIfClosed();
        if (open.remove(renewable)) {
            open.store().listenerEnds();
        }
        lease.close();
    }

    /** By the thread that polls if one does: what it reads from stays open until then. They may be files. */
    private void letGoIfClosed() {
        if (isClosed && turn.tryLock()) {
            try {
                Snapshot<K, V> snapshot = contents;
                contents = null;
                if (snapshot != null) {
                    snapshot.close();
                }
            } finally {
                turn.unlock();
            }
        }
    }
}
