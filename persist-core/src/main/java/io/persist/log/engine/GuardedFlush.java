package io.persist.log.engine;

import io.persist.log.LogConfig;
import io.persist.log.sync.Completion;
import io.persist.log.write.Commits;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Flushes for a thread that waits without the lock under which a log is shared. It takes the lock for that if it is
 * free, and never waits for it: the thread that has the lock may itself wait for what the waiting one has.
 *
 * <p><b>Threads:</b> any.
 */
final class GuardedFlush {

    private final ReentrantLock guard;
    private final Commits commits;

    private GuardedFlush(ReentrantLock guard, Commits commits) {
        this.guard = guard;
        this.commits = commits;
    }

    /** Has the waits of {@code completion} flush, if {@code config} names a lock. */
    static void install(LogConfig config, Commits commits, Completion completion) {
        ReentrantLock guard = config.guard();
        if (guard != null) {
            completion.flushedBy(new GuardedFlush(guard, commits)::flushTo);
        }
    }

    private void flushTo(long position) {
        if (commits.isUnflushed(position) && guard.tryLock()) {
            try {
                commits.flushTo(position);
            } catch (IllegalStateException closing) {
                // The log is being closed, by a thread that flushes.
            } finally {
                guard.unlock();
            }
        }
    }
}
