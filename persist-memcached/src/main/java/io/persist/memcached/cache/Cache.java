package io.persist.memcached.cache;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.item.Decimal;
import io.persist.memcached.item.Expiry;
import io.persist.memcached.item.Item;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands on items. Each but {@link #get} tells the given consumer the position that has to be safe before a
 * client gets the answer: behind what the command has changed, and what it may have seen of others' changes. Else a
 * power cut could bring back what a client was told is gone.
 *
 * <p><b>Threads:</b> any. A command has the lock of its key, and locks out {@link Flushes}, so each is one step for all
 * others. Others see a change at once, which is before it is safe.
 *
 * <p><b>Errors:</b> those of {@link Items}; then nothing was changed.
 */
public final class Cache {

    /** What is to be stored under which condition. */
    public enum StoreMode {
        SET,
        ADD,
        REPLACE,
        APPEND,
        PREPEND,
        CAS
    }

    /** What became of it. */
    public enum Stored {
        STORED,
        NOT_STORED,
        EXISTS,
        NOT_FOUND,
        TOO_LARGE
    }

    /** Which way a number goes. */
    public enum Direction {
        UP,
        DOWN
    }

    /** The answer about a number that is not there. */
    public static final byte[] NOT_FOUND = {};

    private final KeyLocks locks = new KeyLocks();
    private final Items items;
    private final LongSupplier nowSeconds;
    private final Flushes flushes;
    private final Counters counters;
    private final SweepDemand sweepDemand;

    /** Works on {@code items}; {@code nowSeconds} tells the seconds since 1970. */
    public Cache(Items items, LongSupplier nowSeconds, Counters counters) {
        this.items = items;
        this.nowSeconds = nowSeconds;
        this.counters = counters;
        this.sweepDemand = new SweepDemand(items.count() > 0);
        this.flushes = new Flushes(items, nowSeconds, sweepDemand::add);
    }

    /** Where the items are. */
    public Items items() {
        return items;
    }

    /** What was done. */
    public Counters counters() {
        return counters;
    }

    /** The item of {@code key}, null if there is none. */
    public @Nullable Item get(byte[] key) {
        Item item = items.get(key);
        if (item == null) {
            counters.count(Counter.GET_MISSES);
            return null;
        }
        boolean isFlushed = flushes.isFlushedByNow(item);
        if (isFlushed || item.isExpired(nowSeconds.getAsLong())) {
            counters.count(Counter.GET_MISSES);
            counters.count(isFlushed ? Counter.GET_FLUSHED : Counter.GET_EXPIRED);
            removeIfThereIsSpace(key);
            return null;
        }
        counters.count(Counter.GET_HITS);
        return item;
    }

    /** A get changes nothing, so it goes on when the disk is full, or refuses another segment. */
    private void removeIfThereIsSpace(byte[] key) {
        try {
            removeDead(key);
        } catch (LogFullException | IndexFullException | LogIOException e) {
            items.throwIfFailed(e);
            sweepDemand.add();
        }
    }

    /** Gives the item another time; returns it, or null if there is none. */
    public @Nullable Item touch(byte[] key, long exptime, LongConsumer told) {
        return step(key, told, () -> touch(key, exptime));
    }

    private @Nullable Item touch(byte[] key, long exptime) {
        Item item = live(key);
        counters.count(item == null ? Counter.TOUCH_MISSES : Counter.TOUCH_HITS);
        if (item == null) {
            return null;
        }
        Item touched = item.expiringAt(expiresAt(exptime));
        items.put(key, touched);
        sweepDemand.add();
        return touched;
    }

    /**
     * Stores an item.
     *
     * @param bytes room for the header, then the data; they belong to the cache from now on
     * @param casUnique what the present item has to have for {@link StoreMode#CAS}
     */
    public Stored store(
            StoreMode mode, byte[] key, byte[] bytes, int flags, long exptime, long casUnique, LongConsumer told) {
        return step(key, told, () -> {
            Item present = mode == StoreMode.SET ? null : live(key);
            return switch (mode) {
                case SET -> put(key, bytes, flags, expiresAt(exptime));
                case ADD -> present != null ? Stored.NOT_STORED : put(key, bytes, flags, expiresAt(exptime));
                case REPLACE -> present == null ? Stored.NOT_STORED : put(key, bytes, flags, expiresAt(exptime));
                case APPEND -> present == null ? Stored.NOT_STORED : join(key, present, present.bytes(), bytes);
                case PREPEND -> present == null ? Stored.NOT_STORED : join(key, present, bytes, present.bytes());
                case CAS -> storeIfUnchanged(key, present, bytes, flags, exptime, casUnique);
            };
        });
    }

    private Stored storeIfUnchanged(
            byte[] key, @Nullable Item present, byte[] bytes, int flags, long exptime, long casUnique) {
        if (present == null) {
            counters.count(Counter.CAS_MISSES);
            return Stored.NOT_FOUND;
        }
        if (present.cas() != casUnique) {
            counters.count(Counter.CAS_BADVAL);
            return Stored.EXISTS;
        }
        counters.count(Counter.CAS_HITS);
        return put(key, bytes, flags, expiresAt(exptime));
    }

    private Stored join(byte[] key, Item present, byte[] first, byte[] second) {
        int added = second.length - Item.HEADER_LENGTH;
        if (first.length + added > Item.HEADER_LENGTH + Item.MAX_DATA_LENGTH) {
            return Stored.TOO_LARGE;
        }
        byte[] both = Arrays.copyOf(first, first.length + added);
        System.arraycopy(second, Item.HEADER_LENGTH, both, first.length, added);
        return put(key, both, present.flags(), present.expiresAt());
    }

    private Stored put(byte[] key, byte[] bytes, int flags, long expiresAt) {
        items.put(key, Item.make(bytes, flags, expiresAt, flushes.nextCas()));
        if (expiresAt != Item.NEVER) {
            sweepDemand.add();
        }
        counters.count(Counter.TOTAL_ITEMS);
        return Stored.STORED;
    }

    /** Removes the item; returns whether there was one. */
    public boolean delete(byte[] key, LongConsumer told) {
        return step(key, told, () -> {
            boolean wasThere = isThere(key);
            if (wasThere) {
                items.remove(key);
            }
            counters.count(wasThere ? Counter.DELETE_HITS : Counter.DELETE_MISSES);
            return wasThere;
        });
    }

    /** Whether there is an item to delete: one that is damaged, or on a bad block, cannot be read, but be removed. */
    private boolean isThere(byte[] key) {
        try {
            return live(key) != null;
        } catch (CorruptLogException | LogIOException e) {
            items.throwIfFailed(e);
            return true;
        }
    }

    /** Removes what would be stale, because the item that should replace it cannot be stored. */
    public void removeStale(byte[] key, LongConsumer told) {
        synchronized (locks.of(key)) {
            items.remove(key);
        }
        told.accept(items.position());
    }

    /**
     * Adds {@code delta} modulo 2^64, or subtracts it, but not below 0.
     *
     * @return the digits of the new number; {@link #NOT_FOUND}; null if the data does not begin with a number
     */
    public byte @Nullable [] count(Direction direction, byte[] key, long delta, LongConsumer told) {
        return step(key, told, () -> count(direction == Direction.UP, key, delta));
    }

    private byte @Nullable [] count(boolean up, byte[] key, long delta) {
        Item present = live(key);
        if (present == null) {
            counters.count(up ? Counter.INCR_MISSES : Counter.DECR_MISSES);
            return NOT_FOUND;
        }
        byte[] bytes = present.bytes();
        int from = Decimal.wordStart(bytes, Item.HEADER_LENGTH);
        int to = Decimal.wordEnd(bytes, from);
        if (!Decimal.isNumber(bytes, from, to)) {
            return null;
        }
        long value = Decimal.value(bytes, from, to);
        long next = up ? value + delta : Long.compareUnsigned(value, delta) < 0 ? 0 : value - delta;
        byte[] digits = Decimal.digits(next);
        byte[] changed = Decimal.padded(digits, present.dataLength());
        items.put(key, Item.make(changed, present.flags(), present.expiresAt(), flushes.nextCas()));
        counters.count(up ? Counter.INCR_HITS : Counter.DECR_HITS);
        return digits;
    }

    /** Lets all items go that are there now, or that are there {@code exptime} from now. */
    public void flushAll(long exptime, LongConsumer told) {
        counters.count(Counter.CMD_FLUSH);
        flushes.flushAll(exptime);
        told.accept(items.position());
    }

    /** Does {@code command}, on {@code key}, as one step for all others. */
    private <T extends @Nullable Object> T step(byte[] key, LongConsumer told, Supplier<T> command) {
        synchronized (locks.of(key)) {
            long stamp = flushes.lockOut();
            try {
                T answer = command.get();
                told.accept(items.position());
                return answer;
            } finally {
                flushes.unlock(stamp);
            }
        }
    }

    private long expiresAt(long exptime) {
        return Expiry.secondsSince1970(exptime, nowSeconds.getAsLong());
    }

    /** The item, for a command that has locked flushes out. */
    private @Nullable Item live(byte[] key) {
        Item item = items.get(key);
        return item == null || flushes.isFlushed(item) || item.isExpired(nowSeconds.getAsLong()) ? null : item;
    }

    boolean isDead(Item item) {
        return flushes.isFlushedByNow(item) || item.isExpired(nowSeconds.getAsLong());
    }

    /** Removes the item if it is dead; nobody waits for that. */
    void removeDead(byte[] key) {
        synchronized (locks.of(key)) {
            Item item = items.get(key);
            if (item != null && isDead(item)) {
                items.remove(key);
                counters.count(Counter.RECLAIMED);
            }
        }
    }

    /** Removes all items from {@code first} to {@code last} of a walk; returns false if one of them may not be dead. */
    boolean removeDeadRun(byte[] first, byte[] last) {
        boolean areFlushed = !flushes.flushIfDueAndPossible(); // before a transaction is open in this thread
        int removed = items.removeRun(
                first, last, item -> areFlushed || flushes.isFlushed(item) || item.isExpired(nowSeconds.getAsLong()));
        counters.add(Counter.RECLAIMED, removed);
        return removed > 0;
    }

    /** A walk past all items that removes the dead ones, or null if there can be none; a flush that is due is done. */
    @Nullable
    Sweep sweep() {
        var unused = flushes.flushIfDueAndPossible();
        return sweepDemand.take() ? new Sweep(this) : null;
    }

    SweepDemand sweepDemand() {
        return sweepDemand;
    }

    /** Hurries who removes dead items: a change was refused because there is no memory for it. */
    public void lacksMemory() {
        sweepDemand.hurry();
    }
}
