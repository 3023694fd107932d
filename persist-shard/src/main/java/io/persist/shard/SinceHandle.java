package io.persist.shard;

import io.persist.shard.bytes.Utf8;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.CriticalState;
import io.persist.shard.state.Holders;

/**
 * A hold of since that outlives processes. The handle that has taken it last is its owner, and all others are refused
 * until they take it, whatever token they know. To take it is a compare-and-set of the hold's token: of several handles
 * that have seen the same one, one becomes the owner. A process that starts again has a new handle, so it takes the
 * hold, too.
 *
 * <p><b>Threads:</b> any; they are one owner.
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
        /** This handle is the owner, and the hold has the new token and since. */
        MOVED,
        /**
         * The hold has another owner than this handle, or another token than was expected. Nothing was changed, unless
         * an answer of the place was lost: then the move may have come before that of the other owner.
         */
        FENCED,
        /** There is no hold of this name any more. */
        GONE
    }

    private static final Outcome NONE = new Outcome(Status.GONE, Frontier.EMPTY, 0);

    private final OpenShard open;
    private final String name;
    private final String owner = OpenShard.newId('h');

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

    /** What the hold's state calls this handle, when it is the owner. */
    String owner() {
        return owner;
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
     * hold's where it is. It is safe to repeat a call whose outcome was not known, by the same handle.
     *
     * @param expectedToken the one that the caller has seen or given
     * @param newToken another one to become the owner, such as the next number; the same one only to stay it: else this
     *     is {@link Status#FENCED}
     */
    public Outcome compareAndDowngradeSince(long expectedToken, long newToken, Frontier since) {
        machine().refresh();
        return machine()
                .apply(state -> Holders.moveCritical(state, name, owner, expectedToken, newToken, since))
                .map(after -> outcome(after, newToken, since))
                .orElse(NONE);
    }

    private Outcome outcome(CriticalState after, long newToken, Frontier since) {
        boolean isMoved = after.owner().equals(owner)
                && after.token() == newToken
                && !after.since().isBelow(since);
        return new Outcome(isMoved ? Status.MOVED : Status.FENCED, after.since(), after.token());
    }

    /**
     * Removes the hold if this handle is its owner. Who is not, as an operator who knows that its owner is gone for
     * ever, takes it first. It is safe to repeat, by the same handle.
     *
     * @return {@link Status#GONE} if it is not there any more, whoever has removed it; else {@link Status#FENCED}
     */
    public Outcome remove() {
        machine().refresh();
        return machine()
                .apply(state -> Holders.removeCritical(state, name, owner))
                .map(after -> new Outcome(Status.FENCED, after.since(), after.token()))
                .orElse(NONE);
    }
}
