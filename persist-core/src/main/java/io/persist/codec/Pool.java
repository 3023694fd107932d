package io.persist.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lends things that are costly to make, such as buffers, to any number of threads. It keeps only a few of them, however
 * many threads there are or have been: also with 20,000 virtual threads.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none while at most {@link #size} things are lent at once.
 *
 * @param <T> what it lends
 */
public final class Pool<T> {

    private static final int MIN_SIZE = 8;
    private static final int MAX_SIZE = 64;

    private final Supplier<T> maker;
    private final int size;

    /** Null where nothing is kept. */
    private final AtomicReferenceArray<@Nullable T> kept;

    /** A pool of about two things for each CPU; {@code maker} makes one that is missing. */
    public Pool(Supplier<T> maker) {
        this(
                maker,
                Math.max(MIN_SIZE, Math.min(MAX_SIZE, 2 * Runtime.getRuntime().availableProcessors())));
    }

    /** A pool that keeps up to {@code size} things, 1 or more. */
    public Pool(Supplier<T> maker, int size) {
        this.maker = maker;
        this.size = size;
        this.kept = new AtomicReferenceArray<>(size);
    }

    /** The most things that are kept. */
    public int size() {
        return size;
    }

    /** A thing that no other thread has until it is given back. It is in the state in which its last user left it. */
    public T take() {
        int first = first();
        for (int i = 0; i < size; i++) {
            int place = (first + i) % size;
            if (kept.getPlain(place) != null) {
                T thing = kept.getAndSet(place, null); // sees all that was done to it before giveBack
                if (thing != null) {
                    return thing;
                }
            }
        }
        return maker.get();
    }

    /**
     * Takes back what {@link #take} lent, which must not be touched any more. A thing that is not given back is lost to
     * the pool, and does no harm.
     *
     * @return false if that is not kept, because there is no room; then it is the caller's again
     */
    public boolean giveBack(T thing) {
        int first = first();
        for (int i = 0; i < size; i++) {
            int place = (first + i) % size;
            if (kept.getPlain(place) == null && kept.compareAndSet(place, null, thing)) { // for take's getAndSet
                return true;
            }
        }
        return false;
    }

    /** Takes each thing that is kept, has {@code action} do something to it, and gives it back. */
    public void forEachKept(Consumer<T> action) {
        for (int place = 0; place < size; place++) {
            T thing = kept.getAndSet(place, null);
            if (thing != null) {
                action.accept(thing);
                giveBack(thing);
            }
        }
    }

    /** Where a thread begins to look, so that each finds what it had last, which is still in its CPU's cache. */
    private int first() {
        return (int) (Thread.currentThread().getId() % size);
    }
}
