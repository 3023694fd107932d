package io.persist.shard;

import io.persist.shard.batch.Writing;
import io.persist.shard.location.Consensus;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchState;

/**
 * Updates that are in the blob, or on their way there, and in no shard yet. Append it once, or {@link #delete} it:
 * nothing else takes its objects away before its writer is gone.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class Batch {

    private final OpenShard open;
    private final BatchState state;
    private final Writing writing;
    private final Unfinished unfinished;

    /** An append with an unknown outcome may still make the version behind this one. NONE: all outcomes are known. */
    private long unsettled = Consensus.NONE;

    private boolean isDeleted;

    Batch(OpenShard open, BatchState state, Writing writing, Unfinished unfinished) {
        this.open = open;
        this.state = state;
        this.writing = writing;
        this.unfinished = unfinished;
    }

    /** The least time, inclusive. */
    public Frontier lower() {
        return state.lower();
    }

    /** The bound of times, exclusive. */
    public Frontier upper() {
        return state.upper();
    }

    /** How many updates it has. */
    public long updates() {
        return state.updates();
    }

    /** How many objects of the blob it has: none if it is so short that it goes into the state. */
    public int objects() {
        return state.objects().size();
    }

    /**
     * Deletes what the blob has of it, if it is not part of the shard. It cannot be appended after that.
     *
     * @throws IllegalStateException if an append of it may have happened: append it again with the same token first
     */
    public void delete() {
        if (!isSettled()) {
            throw new IllegalStateException("the outcome of its append is not known: append it again first");
        }
        writing.settle();
        open.machine().refresh();
        isDeleted = true;
        discard();
    }

    /** Deletes its objects that the newest known state does not name. */
    void discard() {
        writing.settle();
        if (open.upkeep().collector().discard(state.objects())) {
            unfinished.remove(writing);
        }
    }

    /** Whether its objects may be gone. */
    boolean isDeleted() {
        return isDeleted;
    }

    /** Waits until all of it is in the blob: only then a state may name it. */
    void awaitWritten() {
        writing.await();
    }

    /** The outcome of an append is not known: it may be so because the client was closed meanwhile. */
    void unsettle() {
        unsettled = open.known().version();
    }

    /** The outcome of an append is known, and so is that of all before it if the shard has gone on since. */
    void settle() {
        if (open.known().version() > unsettled) {
            unsettled = Consensus.NONE;
        }
        if (isSettled() && open.upkeep().collector().isNamed(state.objects())) {
            unfinished.remove(writing);
        }
    }

    /** Whether it is known what has become of all appends. */
    boolean isSettled() {
        return unsettled == Consensus.NONE;
    }

    OpenShard shard() {
        return open;
    }

    String owner() {
        return unfinished.writer();
    }

    BatchState state() {
        return state;
    }
}
