package io.persist.log.sync;

import io.persist.error.PersistException;
import io.persist.event.SyncEvent;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.control.CounterBlock;
import io.persist.log.segment.Segment;
import io.persist.log.thread.OnInterrupt;
import io.persist.log.thread.Turn;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.lang.invoke.VarHandle;

/**
 * Makes records survive power cuts. Threads that want it at the same time share one force: one of them leads, the
 * others wait, and all whose position was flushed when it began return together. Then the one that has waited longest
 * of the others leads.
 *
 * <p><b>Threads:</b> any; {@link #add} only the appender's.
 */
public final class Syncer implements AutoCloseable {

    private final LogPositions positions;
    private final CounterBlock counters;
    private final FilesCheck files;
    private final Waiters waiters;
    private final SyncTimes times;

    /** The thread that has it leads: it forces, moves the synced position, and then has to wake the next thread. */
    private final Turn turn;

    private final UnsyncedSegments segments;

    /** How much a force is for. */
    private enum Extent {
        /** Everything that is flushed: others may wait for it. */
        FLUSHED,
        /** No more than what is asked for. */
        TARGET
    }

    /** Whether the log's files are where they have to be: see {@link FilesInPlace}. */
    interface FilesCheck {
        void check() throws IOException;

        void checkThoroughly() throws IOException;

        void roll(Segment next) throws IOException;
    }

    /** Starts without a segment; {@code files} checks that the log's files are still its own. */
    public Syncer(LogPositions positions, CounterBlock counters, FilesCheck files) {
        this.positions = positions;
        this.counters = counters;
        this.files = files;
        this.segments = new UnsyncedSegments(positions, counters);
        this.turn = positions.syncTurn();
        this.waiters = positions.waiters();
        this.times = new SyncTimes(counters, positions.directory());
    }

    /** Adds a segment that will have bytes to sync; the thread that appends or opens calls it. */
    public void add(Segment segment) {
        segments.add(segment);
    }

    /** What is to be synced. */
    UnsyncedSegments segments() {
        return segments;
    }

    /** How long a sync takes at most, as far as the last ones tell; 0 if there was none. */
    long expectedNs() {
        return times.expectedNs();
    }

    /**
     * Returns once everything before {@code target} is synced; it has to be flushed already.
     *
     * @throws io.persist.error.LogIOException if the device refuses, which ends the log's life
     */
    public void syncTo(long target) {
        syncTo(target, Long.MAX_VALUE, OnInterrupt.GO_ON);
    }

    /**
     * As {@link #syncTo(long)}, but a thread that waits for others returns when the time is over, or when it is
     * interrupted. A thread that leads does not.
     *
     * @return whether everything before {@code target} is synced
     */
    boolean syncTo(long target, long timeoutNs, OnInterrupt onInterrupt) {
        if (positions.synced() >= target) {
            return true;
        }
        positions.check();
        return lead(target, Extent.FLUSHED) || follow(target, timeoutNs, onInterrupt);
    }

    /**
     * Returns once everything before {@code position} is synced that is flushed; the current segment only if it is in
     * that. One segment after the other, each whole: what may be filled grows evenly, no record is synced in part.
     */
    void syncSealed(long position) {
        long target = Math.min(position, positions.flushed());
        while (positions.synced() < target) {
            positions.check();
            long next = Math.min(positions.flushed(), segments.endOfOldest());
            if (!lead(next, Extent.TARGET)) {
                follow(next, Long.MAX_VALUE, OnInterrupt.GO_ON);
            }
        }
    }

    private boolean follow(long target, long timeoutNs, OnInterrupt onInterrupt) {
        long startNs = System.nanoTime();
        Waiters.Parked self = waiters.enlistToLead(target);
        boolean synced = false;
        boolean ends = false;
        try {
            while (positions.synced() < target) {
                positions.checkNotEnded();
                if (ends) {
                    return false;
                }
                if (lead(target, Extent.FLUSHED)) {
                    continue;
                }
                long remainingNs = timeoutNs - (System.nanoTime() - startNs);
                if (remainingNs <= 0) {
                    return false;
                }
                ends = waiters.park(self, remainingNs) && onInterrupt == OnInterrupt.END;
                sayIfStuck();
            }
            synced = true;
            return true;
        } finally {
            waiters.dismiss(self);
            if (!synced) {
                waiters.wakeNextLeader(); // it may have been this thread's turn
            }
        }
    }

    /** Forces as much as {@code extent} says, unless another one did or does; false if another one does. */
    private boolean lead(long target, Extent extent) {
        long elapsedNs = 0;
        try {
            if (!turn.tryTake()) {
                return false;
            }
            if (positions.synced() < target && !positions.hasEnded()) { // after the end there is nothing left to force
                long last = positions.lastPosition(); // before the end: so it begins below that, almost always
                long end = extent == Extent.TARGET ? target : positions.flushed();
                long synced = positions.synced();
                SyncEvent event = SyncEvent.begin();
                counters.checkPage();
                times.began(System.nanoTime());
                try {
                    segments.force(synced, end);
                } finally {
                    elapsedNs = times.ended(System.nanoTime());
                }
                checkHeld();
                advance(end, last);
                SyncEvent.end(event, positions.directory(), synced, end, waiters.count());
            }
        } catch (IOException | RuntimeException | Error e) {
            throw positions.fail("sync", e); // whatever failed, it is not known what of it is on the device
        } finally {
            try {
                if (turn.isMine()) {
                    handOver();
                }
            } finally {
                turn.giveBack(); // see Turn
            }
        }
        times.took(elapsedNs, System.nanoTime());
        if (positions.synced() < target) {
            positions.checkNotEnded();
        }
        return true;
    }

    /** Before anything counts as synced: whether it is in the log that others find, and this is its writer. */
    private void checkHeld() throws IOException {
        VarHandle.fullFence(); // the records first, then the epoch: the partner is HolderBlock.epoch
        positions.checkHeld();
        files.check();
    }

    /**
     * Checks thoroughly that this is still the log's writer, and that its files are in place; if not, ends the log's
     * life and throws.
     */
    public void checkPlace() {
        try {
            VarHandle.fullFence(); // as in checkHeld
            positions.checkHeld();
            files.checkThoroughly();
        } catch (IOException e) {
            throw notInPlace(e);
        }
    }

    /**
     * The same for a thread that the end of the log does not wait for: what it would look at may be gone by then.
     *
     * @throws IllegalStateException if the log is closed
     */
    public void checkPlaceIfOpen() {
        try {
            VarHandle.fullFence(); // as in checkHeld
            positions.checkHeldIfOpen();
            files.checkThoroughly();
        } catch (IOException e) {
            positions.checkNotEnded(); // or it is because of that: the lock is given back
            throw notInPlace(e);
        }
    }

    private PersistException notInPlace(IOException cause) {
        return positions.fail("look for the log's files", cause);
    }

    /**
     * Checks quickly what {@link #checkPlace} does, if {@code target} is synced already and there will be no force: no
     * caller may be told that all is safe if it is not.
     */
    public void checkSynced(long target) {
        try {
            if (positions.synced() >= target) {
                checkHeld();
            }
        } catch (IOException e) {
            throw notInPlace(e);
        }
    }

    /** Checks what {@link #checkPlace} does, as the appender goes on in {@code next}, whose file counts from now on. */
    public void checkRoll(Segment next) {
        try {
            positions.checkHeld();
            files.roll(next);
        } catch (IOException e) {
            throw notInPlace(e);
        }
    }

    /** Says that the sync under way takes very long, if it does. A thread that waits for it calls this now and then. */
    void sayIfStuck() {
        times.sayIfStuck(System.nanoTime());
    }

    /** Calls the application only when the turn is given back: its code may wait for a thread that wants it. */
    private void handOver() {
        turn.giveBack();
        waiters.signal();
        waiters.wakeNextLeader();
        positions.life().say(); // if a failure came in between
    }

    /**
     * Writes {@code length} bytes of {@code source} to the segment, in a way that leaves them on the device. They are
     * synced only if all before them was synced too. Throws what {@link #syncTo(long)} does.
     */
    public void writeThrough(Segment segment, int offset, byte[] source, int length, WriteThrough how) {
        long start = segment.basePosition() + offset;
        long elapsedNs;
        try {
            turn.take();
            positions.check();
            positions.checkHeld(); // it may have waited long, and another writer have come, who has records there
            counters.checkPage();
            boolean continues = positions.synced() >= start;
            counters.add(Counter.SYNCS, 1);
            SyncEvent event = SyncEvent.begin();
            times.began(System.nanoTime());
            try {
                segment.file().write(offset, source, 0, length, how);
            } finally {
                elapsedNs = times.ended(System.nanoTime());
            }
            checkHeld();
            positions.flushed(start + length);
            if (continues) {
                advance(start + length, positions.lastPosition());
            }
            SyncEvent.end(event, positions.directory(), start, start + length, waiters.count());
        } catch (IOException | RuntimeException | Error e) {
            throw positions.fail("write to segment", segment.basePosition(), e); // before another thread has the turn
        } finally {
            try {
                handOver();
            } finally {
                turn.giveBack(); // see Turn
            }
        }
        times.took(elapsedNs, System.nanoTime());
    }

    /** The record that begins at {@code last} was the last one, or nearly, when {@code end} was the end. */
    private void advance(long end, long last) {
        positions.synced(end, last < end ? last : segments.lastRecordBefore(end));
        segments.synced(end);
    }

    /** Closes every segment; nobody may write or sync any more. */
    @Override
    public void close() {
        turn.hold(segments::close);
    }
}
