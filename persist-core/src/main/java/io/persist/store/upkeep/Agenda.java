package io.persist.store.upkeep;

import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;
import java.util.function.LongSupplier;

/**
 * What is due of a store's upkeep, and what goes first.
 *
 * <p>A checkpoint does, because recovery is longer without it. But a store may be written to so fast that the next one
 * is due as soon as one is written: then nothing would ever be given back. So compaction has a turn behind each
 * checkpoint, for as long as that has taken, and for longer the more space the log takes beyond its bound. Memory of
 * the index waits for no turn.
 *
 * <p><b>Threads:</b> the one that has the store's lock. <b>Allocation:</b> none.
 */
final class Agenda {

    /** Checkpoints for compaction's sake are for so many segments at least, while the store is used. */
    private static final long MIN_SEGMENTS = 4;

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Compactor compactor;
    private final Rest rest;
    private final long retryNs;

    /** What time it is, in nanoseconds. */
    private final LongSupplier clock;

    /** After which change a store at rest was taken to be blocked. */
    private long takenAtRest = -1;

    /** When compaction's turn ends. */
    private long turnEndNs;

    /** Whether it is known when what was put off is tried again, and when that is. */
    private boolean isRetrySet;

    private long retryAtNs;

    Agenda(StoreCore core, Checkpointer checkpointer, Compactor compactor, Patience patience, LongSupplier clock) {
        this.core = core;
        this.clock = clock;
        this.turnEndNs = clock.getAsLong();
        this.checkpointer = checkpointer;
        this.compactor = compactor;
        this.retryNs = patience.retryNs();
        this.rest = new Rest(patience.restNs());
    }

    /** Begins a look: what compaction has put off is tried again if that is long enough ago. */
    void begin() {
        if (isRetrySet && clock.getAsLong() - retryAtNs >= 0) {
            compactor.choice().tryAgain();
            isRetrySet = false; // what is put off for longer waits as long once more
        }
        isRetrySet &= compactor.choice().hasPutOff();
    }

    boolean isCheckpointDue() {
        return checkpointer.isDue(core.appliedEnd());
    }

    /** A checkpoint was begun at {@code startNs} and is written: compaction has its turn. */
    void wroteSince(long startNs) {
        long now = clock.getAsLong();
        turnEndNs = now + (long) ((now - startNs) * compactor.hurry());
    }

    /** Whether a checkpoint is due, and compaction makes way for it; not on a full disk, where that makes space. */
    boolean isCheckpointFirst() {
        boolean isFirst = checkpointer.isUrgent() || isCheckpointDue() && clock.getAsLong() - turnEndNs >= 0;
        return isFirst && !core.space().isShort();
    }

    /** Whether there is so much to compact that it has to be done now. */
    boolean isCompactionDue() {
        return (compactor.isDue() || isDueAtRest()) && !isCheckpointFirst();
    }

    private boolean isDueAtRest() {
        return compactor.isDueAtRest(checkpointer.diskBytes()) && restLeftNs() == 0;
    }

    /**
     * Whether there is more to compact than there may be, and enough of it too young to be touched; of a store at rest
     * once until something changes, so that it comes to an end whatever is left.
     */
    boolean takeBlocked() {
        if (isDueAtRest()) {
            return takeBlockedAtRest();
        }
        long tooYoung = core.appliedEnd() - checkpointer.fallback();
        long worthIt = Math.max(MIN_SEGMENTS * core.config().log().segmentLength(), 2 * checkpointer.wholeBytes());
        return compactor.isDue() && tooYoung > worthIt;
    }

    private boolean takeBlockedAtRest() {
        long now = core.changeNumber();
        if (takenAtRest == now || compactor.gainAfter(checkpointer.fallback()) <= checkpointer.wholeBytes()) {
            return false;
        }
        takenAtRest = now;
        return true;
    }

    /**
     * How long it is until compaction may be due although nothing changes, or until what it has put off is tried again.
     * There is nothing else to wait for in a store that is at rest: then all is done that can be done.
     */
    long pauseNs() {
        long leftNs = restLeftNs();
        boolean isDone = leftNs == 0 || !compactor.isDueAtRest(checkpointer.diskBytes());
        return Math.min(isDone ? Long.MAX_VALUE : leftNs, retryLeftNs());
    }

    private long retryLeftNs() {
        setRetry();
        return compactor.choice().hasPutOff() ? Math.max(0, retryAtNs - clock.getAsLong()) : Long.MAX_VALUE;
    }

    /** Sets when what was put off is tried again, unless that is known. A look that has failed needs this, too. */
    void setRetry() {
        if (!isRetrySet && compactor.choice().hasPutOff()) {
            isRetrySet = true;
            retryAtNs = clock.getAsLong() + retryNs;
        }
    }

    private long restLeftNs() {
        return rest.leftNs(core.changeNumber(), compactor.wholeNs(), clock.getAsLong());
    }
}
