package io.persist.log.write;

import io.persist.format.control.HolderBlock;
import io.persist.log.sync.LogLife;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.CallingThread;
import io.persist.log.thread.LogThread;
import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link Appender} that says which thread may use it: the first one that does, until it ends or hands
 * the log over. Or, if the log is shared under a lock, the thread that holds the lock.
 *
 * <p>What each append has to ask is in fields of the appender itself; to ask other objects would cost it 2 ns. If the
 * answer is no, the {@link AppenderGate} decides.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
abstract class AppenderOwner {

    private static final VarHandle OWNER =
            FieldHandle.of(MethodHandles.lookup(), AppenderOwner.class, "owner", Thread.class);

    final LogPositions positions;
    private final LogLife life;
    private final HolderBlock holder;
    private final long epoch;

    /**
     * Null if there is no owner, and always if there is a lock. A thread stores only itself, and no other thread clears
     * that while it lives: so a plain load that finds the current thread is right.
     */
    private @Nullable Thread owner;

    /** Whether the current thread has the lock under which the log is shared; null if there is none. */
    private @Nullable BooleanSupplier lock;

    /** The thread that had the lock last. These classes store into mapped memory after the gate has let them in. */
    private final CallingThread user;

    /**
     * The thread in which a flush, a sync or a roll is under way, which may call the application: the owner, or the one
     * that closes the log. A thread stores only itself, so a plain load that finds the current thread is right. Taken
     * back without a method, so that no late error is in the way: see {@link io.persist.memory.MissingPage}.
     *
     * <p>The calls of windows and headroom in which the appender may wait long are made only meanwhile, and a {@link
     * AppenderGate#check} comes before each time: by that the thread that closes knows whether the owner is in another
     * log, see {@link AppenderStack}.
     */
    @Nullable
    Thread within;

    AppenderOwner(LogPositions positions) {
        this.positions = positions;
        this.life = positions.life();
        this.holder = positions.holder();
        this.epoch = positions.epoch();
        this.user = new CallingThread(AppenderStack.rules(() -> within != null));
    }

    /**
     * Makes the thread that holds a lock the owner, which {@code isHeld} asks for; to be called before the log is used.
     */
    final void guardedBy(@Nullable BooleanSupplier isHeld) {
        lock = isHeld;
    }

    /** Whether a lock decides. */
    final boolean isShared() {
        return lock != null;
    }

    /**
     * Whether the current thread may append without a question to the gate, but for what is under way or claimed: then
     * there is no room for it, and the gate is asked.
     */
    final boolean isAdmitted() {
        return isCurrent()
                && life.isWritable() // volatile, and after the owner: see CallingThread
                && holder.epoch() == epoch; // mapped: only while it is writable
    }

    /** Whether it is the current thread; false also where a lock decides. */
    final boolean isCurrent() {
        return owner == Thread.currentThread();
    }

    /** The same, and where a lock decides, whether the current thread has that. */
    final boolean isMine() {
        return isCurrent() || lock != null && lock.getAsBoolean();
    }

    /**
     * Makes the current thread the owner, if it may be. To be followed by a volatile look whether the log is closed.
     *
     * @return whether it has come after a thread that has ended without handing the log over
     * @throws IllegalStateException if another thread is it, or the lock is not held
     */
    final boolean admit() {
        if (lock != null) {
            if (!lock.getAsBoolean()) {
                throw withoutLock();
            }
            user.enter();
            return false;
        }
        Thread current = Thread.currentThread();
        Thread before = (Thread) OWNER.getVolatile(this); // pairs with handOver()
        while (before != current) {
            if (before != null && before.isAlive()) { // false says that all it did comes before this
                throw withoutOwnership(before);
            }
            Thread found = (Thread) OWNER.compareAndExchange(this, before, current);
            if (found == before) {
                return before != null;
            }
            before = found;
        }
        return false;
    }

    /** The log has no owner now; all that the last owner has done happens before what the next one does. */
    final void handOver() {
        OWNER.setRelease(this, (Thread) null); // pairs with admit(): compareAndExchange
    }

    /**
     * Returns when no thread but the current one is in the appender or ends a commit. After a volatile store that the
     * log is closed.
     */
    final void awaitOutside() {
        user.awaitOutside((Thread) OWNER.getVolatile(this));
        user.awaitOutside();
    }

    private static IllegalStateException withoutOwnership(Thread owner) {
        return new IllegalStateException("this log is written by " + LogThread.describe(owner) + ", and " + describe()
                + " has called it; nothing was changed. An attached log belongs to the thread that uses it first:"
                + " open it detached for many threads, or call handOver() in the thread that has it, or share it under"
                + " a lock that LogConfig.guardedBy names");
    }

    private static IllegalStateException withoutLock() {
        return new IllegalStateException("this log is shared under a lock, and " + describe()
                + " has called it without that lock; nothing was changed. Take the lock of LogConfig.guardedBy around"
                + " each append, claim, commit, flush, sync and roll");
    }

    private static String describe() {
        return LogThread.describe(Thread.currentThread());
    }
}
