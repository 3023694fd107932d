package io.persist.bench.load;

import io.persist.bench.latency.PositionTimes;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Registration;
import io.persist.log.WriteMode;
import io.persist.log.thread.LogThread;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notes when the positions of a journal reach a level, which for BUFFERED means that the writer thread has put the
 * records into the log.
 *
 * <p>The log tells it to a listener at the moment it happens. Only what stays in a write buffer is told to nobody: then
 * a thread waits for it, and its waking up is part of the time.
 *
 * <p><b>Threads:</b> one starts and closes it.
 */
public final class PositionFollower implements Follower {

    private static final Duration LOOK = Duration.ofMillis(10);

    private final Journal journal;
    private final Durability level;
    private final PositionTimes times;
    private @Nullable Registration registration;
    private @Nullable Thread thread;
    private volatile boolean closed;
    private @Nullable Throwable failure; // of the thread; read when it has ended

    private PositionFollower(Journal journal, Durability level, PositionTimes times) {
        this.journal = journal;
        this.level = level;
        this.times = times;
    }

    /** Follows the level that the log was opened with. */
    public static PositionFollower start(Journal journal, LogConfig config, PositionTimes times) {
        return start(journal, config.durability(), config.writeMode(), times);
    }

    public static PositionFollower start(Journal journal, Durability level, WriteMode mode, PositionTimes times) {
        PositionFollower follower = new PositionFollower(journal, level, times);
        if (level == Durability.BUFFERED && mode == WriteMode.FILE) {
            follower.thread = new Thread(follower::follow, "position-follower");
            follower.thread.setDaemon(true);
            follower.thread.start();
        } else {
            // Records in a mapping are FLUSHED as soon as they are there.
            Durability told = level == Durability.BUFFERED ? Durability.FLUSHED : level;
            follower.registration = journal.listen(told, times);
        }
        return follower;
    }

    private void follow() {
        try {
            while (!closed) {
                long reached = journal.reached(level);
                times.onPosition(reached);
                journal.await(reached + 1, level, LOOK);
            }
        } catch (PersistException e) {
            // The log has failed, which those who write to it tell.
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** @throws IllegalStateException if the thread has failed: the times are not those of all positions */
    @Override
    public void await(WriteLoop.Written written) {
        try {
            journal.await(written.position(), level, ChronoUnit.FOREVER.getDuration());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the log was written", e);
        }
        end();
        if (failure != null) {
            throw new IllegalStateException("the position follower has failed: " + failure, failure);
        }
    }

    /** Notes what is reached by now, and ends. */
    @Override
    public void close() {
        times.onPosition(journal.reached(level));
        end();
        if (registration != null) {
            registration.close();
        }
    }

    private void end() {
        closed = true;
        if (thread != null) {
            LogThread.join(thread);
        }
    }
}
