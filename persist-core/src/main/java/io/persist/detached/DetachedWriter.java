package io.persist.detached;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.WaitStrategy;
import io.persist.log.engine.Log;
import io.persist.log.sync.Completion;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.LogThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writer thread: takes records from the queue and appends them to the log, batch by batch; after a batch one flush
 * or sync serves every commit in it.
 *
 * <p>A refusal does not end the thread, be it a full disk or another reason why no segment can be made: the records
 * stay in the queue and are tried again. A failure ends the thread, and the log with it, which every caller learns from
 * the log's positions.
 */
final class DetachedWriter implements Runnable {

    private static final int MAX_BATCH = 1024;
    private static final long RETRY_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Log log;
    private final LogPositions positions;
    private final Completion completion;
    private final HandoffQueue queue;
    private final Requests requests;
    private final WriterStart starting = new WriterStart();
    private final WriterIdle idle;
    private final QueueCounters counters;
    private final CommitDelay commitDelay = new CommitDelay();
    private final HandoffQueue.Handler append = this::append;

    /** Made with the writer: once it has begun, an error that nobody is told of would leave a log without a writer. */
    private final Runnable body = this::write;

    private final Consumer<Throwable> failed = this::failed;

    /** Why records cannot be appended now, null if they can. */
    private volatile @Nullable PersistException refusal;

    /** Whether records were still refused when the queue was closed, so that they remain in it. */
    private volatile boolean isGivenUp;

    /** How many records were left in the queue when that was asked first, -1 before. Of the thread that closes. */
    private int left = -1;

    DetachedWriter(Log log, HandoffQueue queue, Requests requests, WaitStrategy strategy, WriterIdle.Sleep sleep) {
        this.log = log;
        this.positions = log.positions();
        this.completion = log.completion();
        this.queue = queue;
        this.requests = requests;
        this.counters = new QueueCounters(log.counters(), queue.depth());
        this.idle = new WriterIdle(strategy, this::hasWork, queue::isInUse, sleep);
    }

    WriterStart starting() {
        return starting;
    }

    WriterIdle idle() {
        return idle;
    }

    QueueCounters counters() {
        return counters;
    }

    /** Throws if records cannot be appended now: the same as an attached log, with what waits for it to be over. */
    void checkNotRefused() {
        PersistException why = refusal;
        if (why != null) {
            throw again(why, "; " + queue.size() + " accepted records wait in the queue");
        }
    }

    /** The same; behind the end of this thread, when nothing waits any more, the reason is that. */
    void checkTakesRecords() {
        if (refusal != null && isGivenUp) {
            queue.checkNotClosed();
        }
        checkNotRefused();
    }

    /**
     * What is left in the queue, whatever the reason is; of a log that has failed its failure says that. The queue may
     * let go of it then, and this be asked again.
     */
    @Nullable
    PersistException unwritten() {
        PersistException why = refusal;
        if (left < 0) {
            left = queue.records();
        }
        if (left == 0 || why == null && positions.hasFailed()) {
            return null;
        }
        String text = "; " + left + " accepted records could not be written before the log was closed: those after"
                + " position " + positions.published();
        return why == null ? new LogFullException("log was closed" + text, null) : again(why, text);
    }

    /** The same exception for another thread, which is told {@code more}. */
    private static PersistException again(PersistException why, String more) {
        String text = why.getMessage() + more;
        return why instanceof LogFullException ? new LogFullException(text, why) : new LogIOException(text, why);
    }

    /** As {@link Completion#sayIfStuck} says. */
    void sayIfStuck() {
        completion.sayIfStuck();
    }

    /**
     * Throws if the current thread would wait for itself: it is the writer thread, or keeps that from going on, in a
     * listener or the step of a future.
     */
    void checkMayWait() {
        if (log.isWithin()) {
            throw new IllegalStateException("a listener, or the step of a future, must not wait for the log that has"
                    + " called it, which would wait for that code; use the log in another thread");
        }
    }

    /** The same of a thread that commits, and waits for {@code level} then. */
    void checkMayWait(Durability level) {
        if (level != Durability.BUFFERED) {
            checkMayWait();
        }
    }

    @Override
    public void run() {
        if (!starting.begin()) {
            return;
        }
        LogThread.run(body, failed);
        completion.wake();
    }

    private void failed(Throwable cause) {
        log.fail("the detached writer", cause);
    }

    private void write() {
        idle.begin();
        while (!queue.isFinished() && !isGivenUp) {
            positions.check();
            if (work()) {
                idle.reset();
            } else if (queue.isStuck()) {
                throw new IllegalStateException("a thread failed while it handed over a record");
            } else {
                idle.idle();
            }
        }
        endCommit(); // of a commit that came in beside the close, after all records had been taken
        counters.left(queue.size()); // what producers have counted since the last look
    }

    /** Whether there was something to do. */
    private boolean work() {
        log.recordSpace().countWaits();
        boolean worked = drain() > 0;
        worked |= endCommit();
        if (worked) {
            log.leaveToBackground();
        }
        worked |= flush();
        if (worked) {
            completion.wake();
        }
        return sync() | worked;
    }

    /** Looked at before the thread goes to sleep. */
    private boolean hasWork() {
        return queue.isReady()
                || queue.isFinished()
                || queue.isStuck()
                || queue.endsWithCommit() && positions.committed() < positions.published()
                || positions.published() > positions.flushed() && requests.flushPosition() > positions.flushed()
                || positions.published() > positions.synced() && requests.syncPosition() > positions.synced()
                || positions.hasFailed();
    }

    private int drain() {
        long before = positions.published();
        long entriesBefore = queue.entriesTaken();
        boolean isLast = queue.isClosed();
        try {
            int count = queue.drain(append, MAX_BATCH);
            if (count > 0) {
                if (refusal != null) {
                    refusal = null;
                    isGivenUp = false; // there is space again: the rest is written too
                }
                counters.batch(count, queue.size());
            }
            return count;
        } catch (LogFullException | LogIOException e) {
            if (positions.hasFailed()) {
                throw e;
            }
            refusal = e; // what is left is unchanged, and the next attempt may go well
            counters.batch((int) (queue.entriesTaken() - entriesBefore), queue.size());
            isGivenUp = isLast; // an attempt that began after the queue was closed has failed
            completion.wakeUnpublished();
            WriterIdle.sleep(this, RETRY_PAUSE_NS);
            return positions.published() > before ? 1 : 0;
        }
    }

    private void append(QueueEntry entry) {
        if (entry.startsCommit()) {
            log.endCommit();
        }
        long end = entry.isRoll() ? log.roll() : log.append(entry.bytes(), 0, entry.length());
        if (end != entry.end()) {
            throw new IllegalStateException("position=" + end + ", promised=" + entry.end());
        }
    }

    /** A commit with nothing behind it is ended here; one with a record behind it when that is appended. */
    private boolean endCommit() {
        if (positions.committed() < positions.published() && queue.endsWithCommit()) {
            log.endCommit();
            return true;
        }
        return false;
    }

    private boolean flush() {
        if (requests.flushPosition() > positions.flushed() && positions.published() > positions.flushed()) {
            log.flush();
            return true;
        }
        return false;
    }

    private boolean sync() {
        if (requests.syncPosition() <= positions.synced() || positions.published() <= positions.synced()) {
            return false;
        }
        gather();
        long asked = requests.syncCount();
        counters.left(queue.size()); // a process that looks on learns no more until the device has answered
        long startNs = System.nanoTime();
        log.sync();
        commitDelay.ended(asked, requests.syncCount(), System.nanoTime() - startNs);
        return true;
    }

    /** Goes on taking records until all commits are there that can be expected, or it takes too long. */
    private void gather() {
        long startNs = System.nanoTime();
        long limitNs = commitDelay.limitNs();
        int count = drain();
        while (!isGathered() && System.nanoTime() - startNs < limitNs && refusal == null) {
            int more = drain();
            count += more;
            if (more == 0) {
                Thread.yield();
            }
        }
        if (count > 0) {
            endCommit();
            completion.wake(); // a thread that does not wait for the device shall not wait for the sync
        }
    }

    private boolean isGathered() {
        return commitDelay.isComplete(requests.syncCount()) && positions.published() >= requests.syncPosition();
    }
}
