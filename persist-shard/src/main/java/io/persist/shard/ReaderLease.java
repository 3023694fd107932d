package io.persist.shard;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.ShardException;
import io.persist.shard.error.SinceException;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.Holders;
import io.persist.shard.state.ReaderState;
import io.persist.shard.state.ShardState;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a reader holds: since, and the objects of the states that it is reading.
 *
 * <p><b>Threads:</b> any.
 */
final class ReaderLease {

    private final OpenShard open;
    private final String id = OpenShard.newId('r');

    /** How many readings of each version are under way. */
    private final TreeMap<Long, Integer> inUse = new TreeMap<>();

    /** A lease that reads from {@code from} on, or from the present since on if that is greater. */
    ReaderLease(OpenShard open, Frontier from) {
        this.open = open;
        long leaseMs = open.config().readerLease().toMillis();
        machine().apply(state -> Holders.addReader(state, id, from, leaseMs, open.nowMs()));
    }

    private ShardMachine machine() {
        return open.machine();
    }

    String id() {
        return id;
    }

    /** From where on this reader can read; EMPTY if its lease is over. */
    Frontier since() {
        ReaderState reader = machine().known().readers().get(id);
        return reader == null ? Frontier.EMPTY : reader.since();
    }

    void checkSince(long asOf) {
        if (!machine().known().readers().containsKey(id)) {
            throw open.expired("reader " + id);
        }
        if (since().isBehind(asOf)) {
            throw new SinceException(asOf, since().toString());
        }
    }

    /** The newest known state, whose objects stay until it is given back. */
    synchronized ShardState acquire() {
        ShardState state = machine().known(); // not older than what this lease holds
        if (!state.readers().containsKey(id)) {
            throw open.expired("reader " + id);
        }
        inUse.merge(state.version(), 1, Integer::sum);
        return state;
    }

    synchronized void giveBack(ShardState state) {
        inUse.computeIfPresent(state.version(), (version, count) -> count == 1 ? null : count - 1);
    }

    /** What to say of {@code damaged}, which this reader has read. */
    ShardException explained(DamagedShardException damaged) {
        return open.explained(damaged, "reader " + id, state -> state.readers().containsKey(id));
    }

    private synchronized long possibleHold() {
        long version = machine().known().version();
        Map.Entry<Long, Integer> least = inUse.firstEntry();
        return least == null ? version : Math.min(least.getKey(), version);
    }

    /** Moves since forward; EMPTY if the lease is over. */
    Frontier moveTo(Frontier since) {
        long hold = possibleHold();
        return machine().apply(state -> Holders.moveReader(state, id, since, hold, open.nowMs()));
    }

    /**
     * Says that the reader lives when it is time to, and gives up objects that it does not read if others wait. It is
     * one attempt.
     */
    void renew(Frontier since) {
        ShardState state = machine().known();
        ReaderState reader = state.readers().get(id);
        if (reader == null) {
            return;
        }
        long possible = possibleHold();
        boolean isInTheWay =
                state.garbage().values().stream().anyMatch(dropped -> dropped > reader.hold() && dropped <= possible);
        long hold = isInTheWay ? possible : reader.hold();
        machine().attempt(now -> Holders.moveReader(now, id, since, hold, open.nowMs()));
    }

    void close() {
        if (!open.isEnded()) { // it was given up with its client, or runs out
            machine().apply(state -> Holders.removeReader(state, id));
        }
    }
}
