package io.persist.log.space;

import java.util.function.BooleanSupplier;

/**
 * Space for the next record, and the wait for it, apart from the append: a lock that guards a log need not be held for
 * as long as a device hangs.
 */
public interface Room {

    /**
     * Whether a record of {@code length} bytes can be appended without a wait for space, or for a place in a queue, or
     * would be refused. For threads that may append.
     *
     * @param kept so long a record has to find room after it; 0 for none
     */
    boolean has(int length, int kept);

    /**
     * Waits until there is room for a record of {@code length} bytes, and as long as {@code isWanted}, which is asked
     * now and then. It promises nothing: other threads may use the room first. An interrupt is kept for later. Any
     * thread, one at a time.
     *
     * @return false if there will be none, for a reason that the append tells
     * @throws io.persist.error.QueueFullException if a queue had no place for as long as is configured
     */
    boolean await(int length, BooleanSupplier isWanted);
}
