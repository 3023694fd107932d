package io.persist.log.write;

import io.persist.error.PersistException;
import io.persist.log.sync.LogPositions;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread may use the appender, and when: the owner of the log, as long as the log is writable, and not in
 * the middle of another call. Such a call may call code of the application, which must not use the log.
 *
 * <p><b>Threads:</b> any.
 */
public final class AppenderGate {

    private final LogPositions positions;
    private final AppenderClaim claim;
    private final AppenderOwner owner;

    /**
     * Whether something has failed half way, of which the log may not have been told: there may have been no memory, or
     * no stack. The owner's. Stored without a method, so that no late error is in the way.
     */
    boolean isHalfDone;

    AppenderGate(AppenderClaim claim, AppenderOwner owner) {
        this.positions = owner.positions;
        this.claim = claim;
        this.owner = owner;
    }

    /** As {@link AppenderOwner#guardedBy} says. */
    public void guardedBy(@Nullable BooleanSupplier isHeld) {
        owner.guardedBy(isHeld);
    }

    /** Throws unless the current thread may do something now. An append asks the {@link AppenderOwner} first. */
    void check() {
        checkOwner();
        positions.checkWritable(); // after the owner: see CallingThread
        if (isHalfDone) {
            throw halfDone();
        }
        if (isWithin() || claim.isOpen()) {
            throw refused();
        }
    }

    /** The same for the end of the claim that is open. */
    void checkClaimed() {
        checkOwner();
        if (!claim.isOpen()) {
            throw new IllegalStateException("no claim is open");
        }
        positions.checkWritable();
    }

    /**
     * Ends the claim that is open, if there is one. If not, it touches nothing: all threads have the same claim, and
     * the one that has the log now may just begin it.
     */
    public void abortClaim() {
        if (claim.isOpen()) {
            checkOwner();
            claim.end();
        }
    }

    private void checkOwner() {
        if (!owner.isCurrent()) {
            admit();
        }
    }

    private void admit() {
        positions.checkNotClosing(); // says more than whose it is
        if (isWithin()) {
            throw refused(); // in the background: that thread must not become the owner
        }
        boolean isAfterAnother;
        try {
            isAfterAnother = owner.admit();
        } catch (IllegalStateException refused) {
            positions.check(); // it may have failed, or begun to close, since it was asked
            positions.checkNotClosing();
            throw refused;
        }
        if (isAfterAnother) {
            claim.end(); // nobody can publish it any more
        }
    }

    private IllegalStateException refused() {
        return isWithin()
                ? new IllegalStateException("a flush, sync or roll is under way in this thread, or it syncs the log in"
                        + " the background: a listener, or the step of a future, must not use the log that has called"
                        + " it; use the log in another thread")
                : claim.inTheWay();
    }

    /**
     * Whether the current thread is in the middle of such a call, or in what the thread calls that syncs in the
     * background.
     */
    public boolean isWithin() {
        return owner.within == Thread.currentThread() || positions.waiters().isInBackground();
    }

    /** Whether the current thread may use the appender now, without becoming the owner. */
    boolean isOpen() {
        return owner.isMine() && !isWithin() && !isHalfDone && !claim.isOpen() && !positions.hasFailed();
    }

    /**
     * Whether another thread is the owner, or none yet; this one does not become it.
     *
     * @throws IllegalStateException if this thread must not wait for the log
     */
    boolean isOutside() {
        if (owner.isMine()) {
            return false;
        }
        positions.checkNotClosing();
        if (isWithin()) {
            throw refused();
        }
        return true;
    }

    /** Throws if the current thread has a claim open. */
    void checkNoClaim() {
        if (owner.isMine() && claim.isOpen()) {
            throw refused();
        }
    }

    /** The owner gives the log to the thread that calls next; nothing where a lock decides. */
    public void handOver() {
        if (owner.isShared()) {
            return;
        }
        checkOwner();
        positions.checkNotClosing(); // and nothing mapped: the thread that closes does not wait for this method
        if (isWithin() || claim.isOpen()) {
            throw refused();
        }
        owner.handOver();
    }

    /**
     * Returns when no other thread is in the appender; none comes in any more. A log in which something has failed half
     * way is told of it now: it must not end as one that is whole.
     */
    public void close() {
        owner.awaitOutside();
        if (isHalfDone) {
            halfDone();
        }
    }

    private PersistException halfDone() {
        return positions.fail("an earlier append", new IllegalStateException("it has failed half way"));
    }
}
