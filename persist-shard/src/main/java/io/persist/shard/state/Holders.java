package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import java.util.Optional;

/** Transitions of those who read and write: they come, are heard of, move since, and go. */
public final class Holders {

    /** In place of writers that have left objects. It has none of its own. */
    private static final String LEFT = "w-left";

    private Holders() {}

    /** Registers a reader that reads from {@code since} on, or from the present since if that is greater. */
    public static Step<Frontier> addReader(ShardState state, String id, Frontier since, long leaseMs, long nowMs) {
        ReaderState known = state.readers().get(id);
        if (known != null) {
            return new Step<>(state, known.since());
        }
        Frontier from = Frontier.greatest(since, state.since());
        ReaderState reader = new ReaderState(from, state.version(), nowMs, leaseMs);
        return new Step<>(state.withReaders(readers -> readers.put(id, reader)), from);
    }

    /**
     * Moves a reader's since and hold forward, and notes that it was heard.
     *
     * @return its since after that; EMPTY if it is not registered
     */
    public static Step<Frontier> moveReader(ShardState state, String id, Frontier since, long hold, long nowMs) {
        ReaderState reader = state.readers().get(id);
        if (reader == null) {
            return new Step<>(state, Frontier.EMPTY);
        }
        ReaderState moved = reader.with(since, hold, nowMs);
        boolean isNews = !moved.since().equals(reader.since())
                || moved.hold() > reader.hold()
                || Heartbeat.isDue(reader.heartbeatMs(), nowMs, reader.leaseMs());
        if (!isNews) {
            return new Step<>(state, reader.since());
        }
        ShardState next = state.withReaders(readers -> readers.put(id, moved));
        return new Step<>(Merges.dropUnreadable(next), moved.since());
    }

    /** Removes a reader. */
    public static Step<Boolean> removeReader(ShardState state, String id) {
        if (!state.readers().containsKey(id)) {
            return new Step<>(state, false);
        }
        return new Step<>(Merges.dropUnreadable(state.withReaders(readers -> readers.remove(id))), true);
    }

    /** Registers a writer. */
    public static Step<Frontier> addWriter(ShardState state, String id, long leaseMs, long nowMs) {
        if (state.writers().containsKey(id)) {
            return new Step<>(state, state.upper());
        }
        WriterState writer = new WriterState(nowMs, leaseMs, "", Frontier.MINIMUM);
        return new Step<>(state.withWriters(writers -> writers.put(id, writer)), state.upper());
    }

    /** Notes that a writer was heard; false if it is not registered. */
    public static Step<Boolean> hearWriter(ShardState state, String id, long nowMs) {
        WriterState writer = state.writers().get(id);
        if (writer == null || !Heartbeat.isDue(writer.heartbeatMs(), nowMs, writer.leaseMs())) {
            return new Step<>(state, writer != null);
        }
        return new Step<>(state.withWriters(writers -> writers.put(id, writer.heard(nowMs))), true);
    }

    /** Removes a writer. */
    public static Step<Boolean> removeWriter(ShardState state, String id) {
        if (!state.writers().containsKey(id)) {
            return new Step<>(state, false);
        }
        return new Step<>(state.withWriters(writers -> writers.remove(id)), true);
    }

    /**
     * Removes a writer that may have left objects. In its place comes a lease that is over: the upkeep of any client
     * ends it, and looks for objects without an owner then.
     */
    public static Step<Boolean> leaveWriter(ShardState state, String id) {
        WriterState writer = state.writers().get(id);
        if (writer == null) {
            return new Step<>(state, false);
        }
        WriterState left = new WriterState(writer.heartbeatMs(), 0, "", Frontier.MINIMUM);
        ShardState next = state.withWriters(writers -> {
            writers.remove(id);
            writers.put(LEFT, left);
        });
        return new Step<>(next, true);
    }

    /** Registers a critical hold at the present since, with token 0 and no owner, or gives the one of this name. */
    public static Step<CriticalState> addCritical(ShardState state, String name) {
        CriticalState known = state.criticals().get(name);
        if (known != null) {
            return new Step<>(state, known);
        }
        CriticalState critical = new CriticalState(state.since(), 0, "");
        return new Step<>(state.withCriticals(criticals -> criticals.put(name, critical)), critical);
    }

    /**
     * Moves a critical hold forward if it has the token {@code expected}, and gives it a new one and this owner. Who is
     * not the owner yet needs another token than the expected one: so of several that compare with the same one, only
     * the first finds it.
     *
     * @return what is there after that; empty if there is no hold of this name
     */
    public static Step<Optional<CriticalState>> moveCritical(
            ShardState state, String name, String owner, long expected, long token, Frontier since) {
        CriticalState critical = state.criticals().get(name);
        if (critical == null
                || critical.token() != expected
                || token == expected && !critical.owner().equals(owner)) {
            return new Step<>(state, Optional.ofNullable(critical));
        }
        CriticalState moved = new CriticalState(Frontier.greatest(critical.since(), since), token, owner);
        if (moved.equals(critical)) {
            return new Step<>(state, Optional.of(critical));
        }
        ShardState next = state.withCriticals(criticals -> criticals.put(name, moved));
        return new Step<>(Merges.dropUnreadable(next), Optional.of(moved));
    }

    /**
     * Removes a critical hold if this is its owner.
     *
     * @return what is there after that; empty if there is no hold of this name
     */
    public static Step<Optional<CriticalState>> removeCritical(ShardState state, String name, String owner) {
        CriticalState critical = state.criticals().get(name);
        if (critical == null || !critical.owner().equals(owner)) {
            return new Step<>(state, Optional.ofNullable(critical));
        }
        ShardState next = state.withCriticals(criticals -> criticals.remove(name));
        return new Step<>(Merges.dropUnreadable(next), Optional.empty());
    }

    /** Removes all whose lease is over at {@code nowMs}; says how many. */
    public static Step<Integer> expire(ShardState state, long nowMs) {
        ShardState next = state;
        if (state.readers().values().stream().anyMatch(reader -> reader.isExpired(nowMs))) {
            next = next.withReaders(all -> all.values().removeIf(reader -> reader.isExpired(nowMs)));
        }
        if (state.writers().values().stream().anyMatch(writer -> writer.isExpired(nowMs))) {
            next = next.withWriters(all -> all.values().removeIf(writer -> writer.isExpired(nowMs)));
        }
        int gone = holders(state) - holders(next);
        return new Step<>(Merges.dropUnreadable(next), gone);
    }

    private static int holders(ShardState state) {
        return state.readers().size() + state.writers().size();
    }
}
