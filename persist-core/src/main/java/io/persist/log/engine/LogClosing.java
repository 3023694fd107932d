package io.persist.log.engine;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.control.WriterHold;
import io.persist.log.space.SpaceAhead;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import io.persist.log.thread.FreeStack;
import io.persist.log.thread.Turn;
import io.persist.log.write.AppenderGate;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes a {@link Log}, in any thread, and whatever the thread that appends is doing meanwhile.
 *
 * <p><b>Threads:</b> any.
 */
final class LogClosing {

    private final LogOpener.Parts parts;
    private final WriterHold hold;
    private final Syncer syncer;
    private final SpaceAhead space;
    private final LogPositions positions;
    private final AppenderGate gate;
    private volatile boolean begun;

    /** Whether the log has ended, well or not. */
    private volatile boolean over;

    /**
     * Held while files are taken away, which the end of the log waits for: a new writer may come then. Nothing that the
     * application may be told of comes under it. No monitor: a thread may wait with it for another one, maybe a virtual
     * thread, that is changing a cursor.
     */
    private final Turn takingAway = new Turn();

    /** Of the thread that closes the log. No monitor, see {@link io.persist.log.thread.CallingThread#close}. */
    private final Turn closing = new Turn();

    /** Whether nothing is left for another attempt to close. Guarded by {@link #closing}. */
    private boolean ended;

    /** The thread that takes records from a queue before the log; null if there is none. */
    private @Nullable Thread writer;

    LogClosing(LogOpener.Parts parts) {
        this.parts = parts;
        this.hold = parts.hold();
        this.syncer = parts.syncer();
        this.space = parts.space();
        this.positions = parts.positions();
        this.gate = parts.appender().gate();
    }

    /** Whether the log is closed, or being closed. */
    boolean hasBegun() {
        return begun;
    }

    /** Whether the log is closed; also while it is being closed, for code that the closing waits for. */
    boolean isOver() {
        return over || begun && isWithin();
    }

    /** Throws if the log is closed, or being closed. */
    void checkOpen() {
        if (begun) {
            throw new IllegalStateException("logger is closed");
        }
    }

    /** The same for what is done seldom, and needs more stack; throws {@link StackOverflowError} if there is less. */
    void checkOpenForRareWork() {
        checkOpen();
        FreeStack.require();
    }

    /**
     * Takes files of the log away by {@code action}, unless it is being closed; returns what that returns.
     *
     * <p>First it looks whether they are the log's own: of another log's files the names would be the same. If not, the
     * log fails, and the application is told, whose code may wait for a thread that closes the log. So nothing is held
     * meanwhile.
     */
    <T> T takeAway(Supplier<T> action) {
        FreeStack.require();
        checkOpen();
        syncer.checkPlaceIfOpen();
        return takingAway.holdFor(() -> {
            checkOpen();
            return action.get();
        });
    }

    /** As {@code Log.writtenBy} says. */
    void writtenBy(Thread thread) {
        writer = thread;
    }

    /**
     * Whether the current thread is in code of the application's that must not wait for the log: in a listener; in what
     * a flush, sync or roll of the appender's calls; or in anything on the thread that takes records from a queue, or
     * syncs in the background.
     */
    boolean isWithin() {
        return gate.isWithin() || positions.waiters().isTelling() || Thread.currentThread() == writer;
    }

    /**
     * Throws if the current thread is one that the end of the log would wait for: it is within a call of this log, from
     * which a listener or a future's step was called, or such code is run by a thread of the log's own.
     */
    void checkMayClose() {
        Thread current = Thread.currentThread();
        boolean isOwn = parts.background().isRunBy(current) || space.isRunBy(current);
        if (isOwn || isWithin()) {
            throw new IllegalStateException("close was called by a listener or the step of a future, in the middle of a"
                    + " call of this log; close it in another thread, or when that call has returned");
        }
    }

    /**
     * Ends it. A second thread that closes it returns when all is done. What is thrown before the end itself, as there
     * is no memory, leaves the rest to another attempt.
     *
     * @throws StackOverflowError if there is too little stack to end it; nothing was changed
     */
    void close() {
        checkMayClose();
        closing.hold(this::closeOnce);
    }

    private void closeOnce() {
        if (ended) {
            return;
        }
        FreeStack.require(); // or files would stay open, and the writer's lock held
        begun = true;
        MissingPage.dropHeld();
        positions.beginClose();
        gate.close();
        takingAway.hold(() -> ended = true);
        end();
    }

    private void end() {
        try {
            parts.background().close();
            parts.appender().close();
            space.close();
            positions.check();
            parts.control().block().closed(positions.published(), positions.lastPosition());
            MissingPage.check();
            parts.control().force();
        } catch (IOException | InternalError e) {
            throw positions.fail("force of the control block", e);
        } catch (PersistException first) {
            throw new LogIOException("log was not closed cleanly: " + first.getMessage(), first);
        } finally {
            MissingPage.dropHeld();
            try (hold; // which closes the control block too
                    syncer;
                    space) { // each of them, whatever closing another one throws
                positions.close();
            } finally {
                over = true;
                positions.waiters().signalLast(); // once the lock is given back: it may wait for memory
            }
        }
    }
}
