package io.persist.log.write;

import io.persist.format.control.HolderBlock;
import io.persist.log.sync.LogLife;
import io.persist.log.sync.LogPositions;
import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link AppenderGate} that each append has to ask, in fields of the appender itself: whether the
 * current thread is the one that the gate has let in, the log is writable, and no other process has it. If not, the
 * gate decides. Asking the gate itself would cost an append 2 ns.
 *
 * <p><b>Threads:</b> any may ask; the rest is the owner's.
 */
abstract sealed class AppenderAdmission permits AppenderPlace {

    final LogPositions positions;
    private final LogLife life;
    private final HolderBlock holder;
    private final long epoch;

    /**
     * The owner, once the gate has said so; null where a lock decides. As with {@link AppenderOwner}, only a thread
     * itself stores itself, and takes itself away: so a plain load that finds the current thread is right.
     */
    private @Nullable Thread user;

    AppenderAdmission(LogPositions positions) {
        this.positions = positions;
        this.life = positions.life();
        this.holder = positions.holder();
        this.epoch = positions.epoch();
    }

    /** Whether the current thread may append as far as the gate decides it, but for what is under way or claimed. */
    final boolean isAdmitted() {
        return user == Thread.currentThread()
                && life.isWritable() // volatile, and after the owner: see CallingThread
                && holder.epoch() == epoch; // mapped: only while it is writable
    }

    /** The gate has just let the current thread in: as the owner, unless {@code isShared}. */
    final void admit(boolean isShared) {
        user = isShared ? null : Thread.currentThread();
    }

    /** The owner gives the log away; called before another thread can become the owner. */
    final void dismiss() {
        user = null;
    }
}
