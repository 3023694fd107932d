package io.persist.memcached.cache;

import io.persist.memcached.item.Expiry;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Which items flush_all has let go, and the cas numbers of new ones, by which that is told.
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
    private volatile FlushMark mark; // written under the lock of this object

    /** Of {@code items}; calls {@code flushed} when some of them may have become dead. */
    Flushes(Items items, LongSupplier nowSeconds, Runnable flushed) {
        this.items = items;
        this.nowSeconds = nowSeconds;
        this.flushed = flushed;
        this.numbers = new CasNumbers(items);
        this.mark = items.flushMark();
    }

    /** The mark, after a delayed flush_all has been done if its time has come. */
    FlushMark mark() {
        FlushMark present = mark;
        return present.isDue(nowSeconds.getAsLong()) ? flushDue() : present;
    }

    private synchronized FlushMark flushDue() {
        if (mark.isDue(nowSeconds.getAsLong())) {
            // A crash that takes it does not matter: it is due then, too.
            replaceMark(new FlushMark(numbers.last(), FlushMark.NOT_PENDING));
        }
        return mark;
    }

    /** Lets all items go that are there now, or that are there {@code exptime} from now. */
    synchronized void flushAll(long exptime, LongConsumer written) {
        FlushMark present = mark();
        FlushMark next = exptime <= 0
                ? new FlushMark(numbers.last(), FlushMark.NOT_PENDING)
                : new FlushMark(present.cas(), Expiry.secondsSince1970(exptime, nowSeconds.getAsLong()));
        written.accept(replaceMark(next));
    }

    private long replaceMark(FlushMark next) {
        long position = items.putFlushMark(next);
        mark = next;
        flushed.run();
        return position;
    }

    /** A delayed flush_all whose time has come goes first, so that it does not take what comes after it. */
    long nextCas() {
        mark();
        return numbers.next();
    }
}
