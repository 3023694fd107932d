package io.persist.log.space;

import io.persist.log.space.Headroom.Reserve;
import java.util.function.BooleanSupplier;

/**
 * Space for the next record, and the wait for it, apart from the append: a lock that guards a log need not be held for
 * as long as a device hangs.
 */
public interface RecordSpace {

    /**
     * Looks whether a record of {@code length} bytes can be appended at all, before something long is made of it.
     *
     * @throws IllegalArgumentException if no segment has room for it
     */
    void check(int length);

    /**
     * Whether a record of {@code length} bytes can be appended without a wait for space, or for a place in a queue, or
     * would be refused. For threads that may append.
     *
     * @param kept so many bytes have to find space after it, but in a queue that is empty; 0 for none
     * @param use how much of the reserve it may use if no more space can be made
     */
    boolean has(int length, long kept, Reserve use);

    /**
     * Waits until there is space for a record of {@code length} bytes, or for several, and as long as {@code isWanted},
     * which is asked now and then, and the log is open and has not failed. It promises nothing: other threads may use
     * the space first. An interrupt is kept for later. Any thread, one at a time.
     *
     * @param use how much of the reserve it may use if no more space can be made
     * @param sinceNs when the wait has begun, by {@link System#nanoTime}: for a queue whose wait has a limit
     * @throws io.persist.error.LogFullException if there is no space, as an append would
     * @throws io.persist.error.QueueFullException if a queue had no place for as long as is configured
     */
    void await(long length, Reserve use, long sinceNs, BooleanSupplier isWanted);

    /**
     * Returns once a record of {@code length} bytes can be appended at once, or if that cannot be brought about. An
     * interrupt is kept for later. With a queue it does nothing: the thread behind that waits for space.
     */
    default void prepare(int length) {}

    /** The same for the end of the segment. */
    default void prepareRoll() {}

    /**
     * From now on the thread that appends takes no pause: {@link #await} takes it, in the thread that asks for space.
     * The thread behind a queue takes its own.
     */
    default void takePauses() {}

    /**
     * From now on the thread that appends may use the reserve: every thread has asked before, here or by {@link
     * #isShortFor}, for what it may use. A queue has none.
     */
    default void keepReserve() {}

    /** Whether no more space can be made for now, as on a full disk. Any thread. */
    default boolean isShort() {
        return false;
    }

    /** Whether it is like that, and a log that ends at {@code end} has no space for {@code bytes} more. Any thread. */
    default boolean isShortFor(long end, long bytes, Reserve use) {
        return false;
    }

    /** Counts the waits that have ended, or has them counted. The thread that appends; with a queue any. */
    void countWaits();
}
