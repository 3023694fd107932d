package io.persist.memcached.cache;

import io.persist.error.PersistException;
import io.persist.memcached.item.Item;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where items are. Changes have a <b>position</b>: they may be acknowledged, and told of, as soon as that {@linkplain
 * #isSafe is safe}.
 *
 * <p><b>Threads:</b> any; the cache sees to it that no two threads change a key at once.
 *
 * <p><b>Errors:</b> a {@link PersistException}, or an {@link OutOfMemoryException}.
 */
public interface Items extends AutoCloseable {

    /** The position of what need not be waited for. */
    long NOTHING = 0;

    /** The item of {@code key}, live or not. */
    @Nullable
    Item get(byte[] key);

    /** Puts the item. Its array belongs to the items from now on. */
    void put(byte[] key, Item item);

    /** Removes the item, if there is one. */
    void remove(byte[] key);

    /**
     * Removes all items from {@code first} to {@code last} of a walk, if all that are there now are {@code isDead};
     * returns how many these were, or 0 if none was removed. It takes a full disk no more space than one removal.
     */
    int removeRun(byte[] first, byte[] last, Predicate<Item> isDead);

    /** Removes all items, and the mark of flush_all; the caller has locked out all who could put one. */
    void removeAll();

    /** The position of the last change that anybody can have made or seen by now. */
    long position();

    /** What the last flush_all left, before this process, or in it. */
    FlushMark flushMark();

    /** Keeps this mark. */
    void putFlushMark(FlushMark mark);

    /** All items that are there now or come later have higher cas numbers than this one, or had them before. */
    long firstCas();

    /**
     * No item gets a cas number above {@code last} before this has been called with a higher one. Returns when that
     * survives what the items survive.
     */
    void reserveCas(long last);

    /** Whether what was changed at {@code position} may be acknowledged. It never throws. */
    boolean isSafe(long position);

    /** Is completed when {@code position} is safe, by a thread that must not be held up; or with a failure. */
    CompletableFuture<?> whenSafe(long position);

    /** Whether nothing can be changed any more; else an error is of one item or one change alone. It never throws. */
    boolean hasFailed();

    /** Throws {@code error}, which is theirs, if they have failed; for who can go on else. */
    default void throwIfFailed(PersistException error) {
        if (hasFailed()) {
            throw error;
        }
    }

    /** How many items there are, live or not. */
    long count();

    /** About how many bytes they take. */
    long bytes();

    /** A new walk past all items. */
    Walk walk();

    /** Goes past all items in steps; those that are put meanwhile may be in it or not. One thread uses it. */
    interface Walk {

        /** Shows some hundred items; returns false if there are no more. */
        boolean step(BiConsumer<byte[], Item> visitor);
    }

    @Override
    void close();

    /** There is no room on the heap. */
    final class OutOfMemoryException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public OutOfMemoryException(String message) {
            super(message);
        }
    }
}
