package io.persist.log;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.format.ControlBlock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How far a log has come, and whether it has failed. Every position is the end of what has the property: a record has
 * it if it ends at or before.
 *
 * <p>Invariant: {@code synced <= flushed <= published} and {@code committed <= published}. Each only grows.
 *
 * <p><b>Threads:</b> the appender's thread publishes, commits and flushes; {@code synced} moves under the lock of
 * {@link Syncer}; anybody reads.
 */
@SuppressWarnings("UnusedVariable") // the positions are read and written by their handles
final class LogPositions {

    private static final VarHandle PUBLISHED = field("published");
    private static final VarHandle COMMITTED = field("committed");
    private static final VarHandle FLUSHED = field("flushed");
    private static final VarHandle SYNCED = field("synced");

    private final ControlBlock control;
    private final boolean publishedIsFlushed;
    private volatile @Nullable PersistException failure;

    // Written with release, by the handles above: a volatile store would stall the appender for nothing.
    private long published;
    private long committed;
    private long flushed;
    private long synced;

    /** A log that ends at {@code tail}, of which everything up to {@code synced} is known to be synced. */
    LogPositions(ControlBlock control, WriteMode mode, long tail, long synced) {
        this.control = control;
        this.publishedIsFlushed = mode == WriteMode.MAPPED;
        this.published = tail;
        this.committed = tail;
        this.flushed = tail;
        this.synced = synced;
        control.committed(tail);
        control.flushed(tail);
        control.synced(synced);
        control.visible(publishedIsFlushed ? Long.MAX_VALUE : tail);
    }

    long published() {
        return (long) PUBLISHED.getAcquire(this);
    }

    /** Pairs with {@link #published()}: who awaits the position may read the record. */
    void published(long position) {
        PUBLISHED.setRelease(this, position);
    }

    long committed() {
        return (long) COMMITTED.getAcquire(this);
    }

    void committed(long position) {
        COMMITTED.setRelease(this, position);
        control.committed(position);
        if (publishedIsFlushed) {
            control.flushed(position);
        }
    }

    long flushed() {
        return publishedIsFlushed ? published() : (long) FLUSHED.getAcquire(this);
    }

    /** The bytes up to {@code position} have been written to the file: tailers may look at them. */
    void flushed(long position) {
        FLUSHED.setRelease(this, position);
        control.flushed(position);
        control.visible(position);
    }

    long synced() {
        return (long) SYNCED.getAcquire(this);
    }

    void synced(long position) {
        SYNCED.setRelease(this, position);
        control.synced(position);
    }

    /** Throws the first failure, if there was one. */
    void check() {
        PersistException first = failure;
        if (first != null) {
            throw first;
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /**
     * Ends the log's life: from now on every call throws this failure, or the one that came before it. A failed write
     * or force is never tried again, because the kernel marks the pages clean all the same.
     */
    synchronized PersistException fail(String what, Throwable cause) {
        PersistException first = failure;
        if (first == null) {
            first = new LogIOException(
                    what + " failed, the log takes no more records until it is opened anew: " + cause, cause);
            control.failed();
            failure = first;
        }
        return first;
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(LogPositions.class, name, long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
