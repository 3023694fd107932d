package io.persist.memcached.cache;

import io.persist.error.IndexFullException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.memcached.item.Expiry;
import io.persist.memcached.item.Item;
import java.util.concurrent.locks.StampedLock;
import java.util.function.LongSupplier;

/**
 * Which items flush_all has let go, and the cas numbers of new ones, by which that is told.
 *
 * <p>A command that reads an item and puts it anew gives it a higher number. Were there a flush between the two, the
 * new item would outlive it with the data of the old one. So a command locks flushes out from before it reads until it
 * has put. Commands do not lock out each other, and nobody waits for the device meanwhile.
 *
 * <p><b>Threads:</b> any.
 *
 * <p><b>Errors:</b> those of {@link Items}; then nothing was changed.
 */
final class Flushes {

    private final Items items;
    private final LongSupplier nowSeconds;
    private final Runnable flushed;
    private final CasNumbers numbers;
    private final StampedLock lock = new StampedLock(); // commands read, a flush writes
    private volatile FlushMark mark;

    /** Of {@code items}; calls {@code flushed} when some of them may have become dead. */
    Flushes(Items items, LongSupplier nowSeconds, Runnable flushed) {
        this.items = items;
        this.nowSeconds = nowSeconds;
        this.flushed = flushed;
        this.numbers = new CasNumbers(items);
        this.mark = items.flushMark();
    }

    /**
     * There is no flush from now on until {@link #unlock}. A delayed one whose time has come goes first, so that it
     * does not take what comes after it. Until then the thread may call {@link #isFlushed} and {@link #nextCas}
     * only: the others may wait for it.
     *
     * @return for {@link #unlock}
     */
    long lockOut() {
        flushIfDue();
        return lock.readLock();
    }

    void unlock(long stamp) {
        lock.unlockRead(stamp);
    }

    /** Whether the item is gone, for who has locked flushes out. */
    boolean isFlushed(Item item) {
        return item.cas() <= mark.cas();
    }

    /** A new number, for who has locked flushes out. */
    long nextCas() {
        return numbers.next();
    }

    /**
     * Whether the item is gone, after a delayed flush_all has been done if its time has come. Without space to write
     * that it is done, the item is gone all the same, because nothing can be stored before it is done.
     */
    boolean isFlushedByNow(Item item) {
        return !flushIfDueAndPossible() || isFlushed(item);
    }

    /** Does a delayed flush_all if its time has come; returns false if there is no space to write that. */
    boolean flushIfDueAndPossible() {
        try {
            flushIfDue();
            return true;
        } catch (LogFullException | IndexFullException | LogIOException e) {
            items.throwIfFailed(e);
            flushed.run(); // what it lets go is dead all the same
            return false;
        }
    }

    /** Lets all items go that are there now, or that are there {@code exptime} from now. */
    void flushAll(long exptime) {
        long stamp = lock.writeLock();
        try {
            flushIfDueAlone();
            if (exptime <= 0) {
                flushAlone();
            } else {
                replaceMark(new FlushMark(mark.cas(), Expiry.secondsSince1970(exptime, nowSeconds.getAsLong())));
            }
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    private void flushIfDue() {
        if (mark.isDue(nowSeconds.getAsLong())) {
            long stamp = lock.writeLock();
            try {
                flushIfDueAlone();
            } finally {
                lock.unlockWrite(stamp);
            }
        }
    }

    private void flushIfDueAlone() {
        if (mark.isDue(nowSeconds.getAsLong())) {
            flushAlone(); // a crash that takes it does not matter: it is due then, too
        }
    }

    /** A full disk has no space for a mark, but for a removal of all items. That takes time for each of them. */
    private void flushAlone() {
        FlushMark next = new FlushMark(numbers.last(), FlushMark.NOT_PENDING);
        try {
            replaceMark(next);
        } catch (LogFullException | LogIOException e) {
            items.throwIfFailed(e);
            items.removeAll();
            mark = next; // a thread may have read an item before
        }
    }

    private void replaceMark(FlushMark next) {
        items.putFlushMark(next);
        mark = next;
        flushed.run();
    }
}
