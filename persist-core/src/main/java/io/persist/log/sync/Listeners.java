package io.persist.log.sync;

import io.persist.error.PersistException;
import io.persist.event.ListenerFailureEvent;
import io.persist.event.Notices;
import io.persist.log.Durability;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners that are called each time more of a log has a level, and when the log fails. A listener that throws is
 * not called again; what it throws goes to the application's logging only.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none but for a listener that throws.
 */
final class Listeners {

    private static final class Listening {

        final Durability level;
        final PositionListener listener;

        /** Guarded by the listeners' lock. */
        long told;

        /** Whether it was told that the log has failed; guarded in the same way. */
        boolean knowsFailure;

        /** Of the registration. The thread that tells may have found the listener before. */
        volatile boolean closed;

        Listening(Durability level, PositionListener listener, long told) {
            this.level = level;
            this.listener = listener;
            this.told = told;
        }
    }

    private record Failed(Listening listening, Throwable thrown) {}

    private final LogPositions positions;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();

    /** Kept, because it would be made anew each time. */
    private final Consumer<Listening> tell = this::tell;

    /** Those that nobody has been told of yet; guarded by this. */
    private final List<Failed> failed = new ArrayList<>();

    /**
     * The thread that calls listeners, which stores itself under the lock: a thread that finds itself here is that
     * thread.
     */
    private @Nullable Thread teller;

    Listeners(LogPositions positions) {
        this.positions = positions;
    }

    Registration add(Durability level, PositionListener listener) {
        Listening listening = new Listening(level, listener, positions.reached(level));
        listeners.add(listening);
        VarHandle.fullFence(); // before the caller looks at the position: the partner is the fence in Waiters.signal
        return () -> {
            listening.closed = true;
            listeners.remove(listening);
        };
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Tells each one whose level has got further, or that the log has failed. */
    void tell() {
        if (listeners.isEmpty()) {
            return;
        }
        List<Failed> now = List.of();
        synchronized (this) {
            Thread before = teller;
            try {
                teller = Thread.currentThread();
                listeners.forEach(tell);
            } finally {
                teller = before;
            }
            if (!failed.isEmpty()) {
                now = List.copyOf(failed);
                failed.clear();
            }
        }
        now.forEach(this::report); // it is the application's code too: nobody shall wait for it
    }

    /** Whether the current thread is the one that tells, and so in a listener. */
    boolean isTelling() {
        return teller == Thread.currentThread();
    }

    private void tell(Listening listening) {
        try {
            tellPosition(listening);
            tellFailure(listening);
        } catch (Throwable e) { // whatever it is, the others have to be told all the same
            listeners.remove(listening);
            failed.add(new Failed(listening, e));
        }
    }

    private void tellPosition(Listening listening) {
        long reached = positions.reached(listening.level);
        if (reached > listening.told && !listening.closed) {
            listening.told = reached;
            listening.listener.onPosition(reached);
        }
    }

    private void tellFailure(Listening listening) {
        PersistException failure = positions.life().failure();
        if (failure != null && !listening.knowsFailure && !listening.closed) {
            listening.knowsFailure = true;
            listening.listener.onFailure(failure);
        }
    }

    private void report(Failed one) {
        String name = one.listening.listener.getClass().getName();
        Notices.listenerFailed(positions.directory(), name, one.listening.level.name(), one.thrown);
        try {
            ListenerFailureEvent.record(positions.directory(), name, one.listening.level.name(), one.thrown);
        } catch (OutOfMemoryError | LinkageError none) {
            // The logging was told the same.
        }
    }
}
