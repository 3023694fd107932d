package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.log.thread.LogThread;
import io.persist.log.thread.Pace;
import io.persist.store.StoreConfig;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.CommitListener;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a store does besides its users' calls: checkpoints, compaction, memory ahead of the index. A background thread
 * does it when it is due; a thread that calls {@link #checkpoint} or {@link #compact} does it at once.
 *
 * <p><b>Threads:</b> any; one at a time works.
 */
public final class Upkeep implements CommitListener, AutoCloseable {

    /** How much log is written at most before the thread looks again whether something is due. */
    private static final long LOOK_BYTES = 1 << 20;

    private static final long WAITING_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Compactor compactor;
    private final Agenda agenda;
    private final PendingSettler pending;
    private final Paces paces;
    private final Chores chores;
    private final Thread thread;
    private final Alarm alarm;

    private final long retryNs;
    private long retryAtNs = System.nanoTime();

    /** The upkeep of {@code core}, by these parts. */
    public Upkeep(StoreCore core, Checkpointer checkpointer, Compactor compactor, Patience patience) {
        StoreConfig config = core.config();
        this.core = core;
        this.retryNs = patience.retryNs();
        this.alarm = new Alarm(core, Math.min(LOOK_BYTES, config.log().segmentLength()), patience.restNs());
        this.checkpointer = checkpointer;
        this.compactor = compactor;
        this.chores = new Chores(core, checkpointer, compactor);
        this.agenda = new Agenda(core, checkpointer, compactor, patience, System::nanoTime);
        this.pending = new PendingSettler(core, patience.restNs(), System::nanoTime);
        this.paces = new Paces(core, checkpointer, compactor, chores);
        this.thread = LogThread.daemon(LogThread.name("tend", config.log().directory()), this::run, this::failed);
    }

    /** Starts the background thread; to be called once. */
    public void start() {
        Thread own = thread; // the index must not be kept by who wakes its thread
        core.state().index().frames().tendedBy(() -> LockSupport.unpark(own));
        core.writer().positions().life().wakes(thread);
        thread.start();
    }

    @Override
    public void committed(long end) {
        if (!alarm.isAsked() && (alarm.isDue(end) || core.state().index().needsSpare() || checkpointer.isUrgent())) {
            lookAgain();
        }
    }

    /** Writes a checkpoint: nodes that had changed can give their memory up then. */
    @Override
    public boolean freeMemory() {
        core.state().index().addSpare();
        try {
            boolean freesMemory = core.ask(checkpointer::freesMemory);
            checkpoint(); // behind one that is being written, and what the index has yet to get
            return freesMemory;
        } catch (RuntimeException e) {
            return false; // the statistics have it, if it was begun
        }
    }

    private void run() {
        try {
            workOn();
        } finally {
            core.state().index().frames().untended();
            chores.leave();
        }
        letGoIfFailed();
    }

    private void failed(Throwable e) {
        chores.leave();
        core.log().fail("the store's upkeep", e);
        letGoIfFailed();
    }

    /** If the log has failed, only snapshots that are open are read: without them other stores can have the memory. */
    private void letGoIfFailed() {
        if (core.writer().positions().hasFailed()) {
            core.lockedAnyway(core.state().index()::end);
        }
    }

    private void workOn() {
        while (goesOn()) {
            alarm.beginLook();
            long pauseNs = alarm.pauseNs(work());
            if (goesOn()) { // else the one wake-up for the end may be over
                LockSupport.parkNanos(this, pauseNs); // not at all if that is 0
            }
            Thread.interrupted(); // which has no meaning here, and would keep the thread from parking
        }
    }

    private boolean goesOn() {
        return !chores.isStopping() && !core.writer().positions().hasFailed();
    }

    /** Does what is due; returns how long there is nothing to do unless a commit says otherwise. */
    private long work() {
        paces.tendMemory();
        if (retryAtNs - System.nanoTime() > 0) {
            return retryAtNs - System.nanoTime();
        }
        core.lockedAnyway(agenda::begin);
        boolean isSettled = settle();
        try {
            chores.sayFailures();
            if (core.ask(agenda::isCheckpointDue)) {
                writeCheckpoint();
            }
            giveMemory();
        } catch (Throwable e) {
            return retryLater(); // it was counted
        }
        if (!isSettled) {
            return retryLater();
        }
        try {
            long pauseNs = core.read(agenda::pauseNs); // before compaction: it may come to rest right behind that
            compact();
            if (!chores.isClosing() && core.ask(agenda::takeBlocked)) {
                chores.raiseFloor(paces::ofCheckpoint);
                compact();
            }
            boolean isWaiting = vacate();
            pauseNs = Math.min(pauseNs, isWaiting ? WAITING_NS : core.read(agenda::pauseNs));
            return core.ask(agenda::isCheckpointDue) ? 0 : pauseNs;
        } catch (Throwable e) { // no other thread would do what is due
            compactor.failed(String.valueOf(e.getMessage()));
            return retryLater();
        }
    }

    /** False if the index cannot take over what is on the log. Checkpoints and compaction need that. */
    private boolean settle() {
        try {
            pending.settle();
            return true;
        } catch (CorruptLogException e) {
            compactor.failed(e.getMessage() + "; there will be no checkpoint and no compaction before"
                    + " the store is closed and opened again, which does without that file");
        } catch (Throwable e) {
            compactor.failed(String.valueOf(e.getMessage()));
        }
        chores.leave();
        return false;
    }

    private long retryLater() {
        chores.leave();
        giveBackEmpty();
        core.lockedAnyway(agenda::setRetry);
        retryAtNs = System.nanoTime() + retryNs;
        return retryNs;
    }

    /** What has failed may need the space. */
    private void giveBackEmpty() {
        if (!chores.isClosing()) {
            try {
                chores.giveBackEmpty();
                if (core.space().isShort()) {
                    compact();
                }
            } catch (Throwable e) {
                compactor.failed(String.valueOf(e.getMessage()));
                chores.leave();
            }
        }
    }

    private void writeCheckpoint() throws IOException {
        long startNs = System.nanoTime();
        chores.checkpoint(paces::ofCheckpoint);
        core.locked(() -> agenda.wroteSince(startNs));
    }

    /** If another index needs memory, what has changed here can go once it is written. */
    private void giveMemory() throws IOException {
        paces.tendMemory();
        if (!chores.isClosing() && core.ask(checkpointer::freesMemoryForOthers)) {
            chores.checkpoint(paces::unbounded);
            paces.tendMemory();
        }
    }

    /** Until a checkpoint has its turn: while others commit, there may always be one more segment to empty. */
    private void compact() throws IOException {
        while (!chores.isClosing()
                && core.ask(agenda::isCompactionDue)
                && chores.emptyOne(paces::ofCompaction, paces::ofCheckpoint)) {
            vacate();
        }
    }

    /** Changes the rate of checkpoints, of one that is being written too. */
    void checkpointRate(long bytesPerSecond) {
        paces.checkpointRate(bytesPerSecond);
    }

    /** Has the thread look whether something is due by other settings. Under the store's lock. */
    void lookAgain() {
        alarm.ask();
        LockSupport.unpark(thread);
    }

    /** Whether the thread has looked and waits, because nothing is due. Under the store's lock. */
    public boolean isWaiting() {
        return !alarm.isAsked() && LockSupport.getBlocker(thread) == this;
    }

    /** Takes away what can go, until a checkpoint has its turn; returns whether something has to wait. */
    private boolean vacate() {
        return chores.vacate(() -> core.ask(agenda::isCheckpointFirst));
    }

    /** As {@code StoreLogger.checkpoint} says. */
    public long checkpoint() {
        return checkpointNow(paces::unbounded);
    }

    /** The same, with at most so many bytes per second. */
    public long checkpoint(long bytesPerSecond) {
        return checkpointNow(paces.bounded(bytesPerSecond));
    }

    private long checkpointNow(Pace pace) {
        chores.checkOutside();
        try {
            return chores.checkpoint(pace);
        } catch (IOException | InternalError e) {
            throw new LogIOException(
                    "cannot write a checkpoint: " + e.getMessage()
                            + "; the older ones stay: remove the cause, then try again",
                    e);
        } finally {
            chores.leave();
        }
    }

    /** As {@code StoreLogger.compact} says. */
    public long compact(long budgetBytes) {
        chores.checkOutside();
        core.checkOpen();
        try {
            return chores.compact(budgetBytes, paces::unbounded);
        } catch (IOException | InternalError e) {
            throw new LogIOException(
                    "cannot compact the log: " + e.getMessage()
                            + "; nothing is lost: remove the cause, as a full disk, then compact again",
                    e);
        } finally {
            try {
                core.lockedAnyway(this::leaveWaiting); // the store may be closed by now
            } finally {
                chores.leave();
            }
        }
    }

    /** The thread takes away what is still needed, once it is not any more, and tries again. Under the lock. */
    private void leaveWaiting() {
        if (compactor.isWaiting() || compactor.choice().hasPutOff()) {
            lookAgain();
        }
    }

    /**
     * Begins to close: writes a checkpoint if the next opening would have much to replay, behind what is under way. One
     * that fails is counted, costs the next opening time, and is no reason not to close.
     */
    public void checkpointBeforeClose() {
        chores.beginClose();
        try {
            if (core.ask(() -> checkpointer.isWorthwhile(core.appliedEnd()))) {
                chores.checkpoint(paces::unbounded);
            }
        } catch (Throwable e) { // else the store would stay open, and do nothing of all this any more
            chores.leave();
        }
    }

    /** Whether {@link #close} would wait for the current thread. */
    public boolean isRunByCaller() {
        return Thread.currentThread() == thread || chores.isMine();
    }

    @Override
    public void close() {
        chores.stop();
        LockSupport.unpark(thread);
        LogThread.join(thread);
        chores.end(); // a thread that called checkpoint or compact finds out at the next block
    }
}
