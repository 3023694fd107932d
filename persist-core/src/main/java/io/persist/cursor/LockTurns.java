package io.persist.cursor;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often threads of this process have had the lock of the cursors of one directory, as long as others of them wait
 * for it: so a thread that waits sees that those before it come to an end.
 *
 * <p><b>Threads:</b> any.
 */
final class LockTurns {

    /** By directory. Only of those whose lock is waited for. */
    private static final ConcurrentMap<String, LockTurns> AWAITED = new ConcurrentHashMap<>();

    private final String directory;
    private final AtomicInteger taken = new AtomicInteger();

    /** How many threads wait; changed only while the entry of the map is computed. */
    private int waiting;

    private LockTurns(String directory) {
        this.directory = directory;
    }

    /** The current thread waits from now on, until it calls {@link #leave}. */
    static LockTurns enter(String directory) {
        return AWAITED.compute(directory, (key, found) -> {
            LockTurns turns = found == null ? new LockTurns(key) : found;
            turns.waiting++;
            return turns;
        });
    }

    /** The current thread has the lock. */
    static void taken(String directory) {
        LockTurns turns = AWAITED.get(directory);
        if (turns != null) {
            turns.taken.incrementAndGet();
        }
    }

    /** How often the lock was taken since somebody waits. */
    int count() {
        return taken.get();
    }

    void leave() {
        AWAITED.compute(directory, (key, found) -> --waiting == 0 ? null : this);
    }
}
