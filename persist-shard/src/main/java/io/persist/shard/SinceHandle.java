package io.persist.shard;

import io.persist.shard.bytes.Utf8;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.CriticalState;
import io.persist.shard.state.Holders;

/**
 * A hold of since that outlives processes. Its owners tell each other by a token: who has an old one is refused.
 *
 * <p><b>Threads:</b> any.
 */
public final class SinceHandle {

    /**
     * What is there after a call.
     *
     * @param status what became of it
     * @param since of the hold
     * @param token of the hold
     */
    public record Outcome(Status status, Frontier since, long token) {}

    /** What became of a call. */
    public enum Status {
        /** The hold has the new token and since. */
        MOVED,
        /**
         * The hold has another token than was expected: another owner has it, and this one may not move it. Nothing was
         * changed, unless an answer of the place was lost: then the move may have come before that of the other owner.
         */
        FENCED,
        /** There is no hold of this name any more. Nothing was changed. */
        GONE
    }

    private final OpenShard open;
    private final String name;

    SinceHandle(OpenShard open, String name) {
        this.open = open;
        this.name = Utf8.check(name);
        machine().refresh(); // the one that is known may have been removed
        machine().apply(state -> Holders.addCritical(state, name));
    }

    private ShardMachine machine() {
        return open.machine();
    }

    /** The name. */
    public String name() {
        return name;
    }

    /** From where on it holds the history, asked now; EMPTY if it was removed. */
    public Frontier since() {
        CriticalState critical = machine().refresh().criticals().get(name);
        return critical == null ? Frontier.EMPTY : critical.since();
    }

    /** The token, asked now: 0 at first, and if it was removed. */
    public long token() {
        CriticalState critical = machine().refresh().criticals().get(name);
        return critical == null ? 0 : critical.token();
    }

    /**
     * Moves the hold forward and gives it a new token, if it has the expected one. A since that lies behind leaves the
     * hold's where it is. It is safe to repeat a call whose outcome was not known.
     *
     * @param expectedToken of the owner that the caller takes itself for
     * @param newToken another one to become the owner; the same one to stay it
     */
    public Outcome compareAndDowngradeSince(long expectedToken, long newToken, Frontier since) {
        machine().refresh();
        return machine()
                .apply(state -> Holders.moveCritical(state, name, expectedToken, newToken, since))
                .map(after -> outcome(after, newToken, since))
                .orElse(new Outcome(Status.GONE, Frontier.EMPTY, 0));
    }

    private static Outcome outcome(CriticalState after, long newToken, Frontier since) {
        boolean isMoved = after.token() == newToken && !after.since().isBelow(since);
        return new Outcome(isMoved ? Status.MOVED : Status.FENCED, after.since(), after.token());
    }

    /** Removes the hold; says whether there was one. */
    public boolean remove() {
        machine().refresh();
        return machine().apply(state -> Holders.removeCritical(state, name));
    }
}
