package io.persist.bench.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What holds the items.
 *
 * <p><b>Threads:</b> any.
 */
public interface CacheEngine extends AutoCloseable {

    /** Told that a set is synced, or by a failure that it will never be. */
    @FunctionalInterface
    interface Synced {

        /** Called by the thread that syncs, which must not be held up. */
        void done(@Nullable Throwable failure);
    }

    /** Reads the value of a key. */
    @FunctionalInterface
    interface ValueReader {

        /** {@code value} is the reader's only during the call. */
        void read(java.nio.ByteBuffer value);
    }

    /**
     * How an engine is opened.
     *
     * @param data the directory of checkpoints, or of what an engine has in their place
     * @param logs the directory of the log
     * @param mode what sets wait for
     * @param syncInterval of the mode {@code ASYNC}
     * @param checkpointsByItself whether it writes checkpoints when they are due
     * @param checkpointBytesPerSecond the most that one writes; 0 for what the engine does by default
     */
    record Place(
            Path data,
            Path logs,
            CacheMode mode,
            Duration syncInterval,
            boolean checkpointsByItself,
            long checkpointBytesPerSecond) {}

    /** An engine under its name; those of other modules come by {@link java.util.ServiceLoader}. */
    interface Kind {

        /** As {@code --engine} names it. */
        String id();

        /** Opens it; makes what is not there. */
        CacheEngine open(Place place) throws IOException;
    }

    /**
     * Gives {@code key} the value {@code value}.
     *
     * @return a number by which a later set has a greater one, as far as {@link #ordersSets} says; the set's ticket
     */
    long set(byte[] key, byte[] value);

    /** Calls {@code synced} once the set with this ticket is on the device. Only in mode {@code SYNC}. */
    void whenSynced(long ticket, Synced synced);

    /** Whether tickets have the order in which the sets came into effect. */
    boolean ordersSets();

    /** Has {@code reader} read the value of {@code key}; returns false if there is none. */
    boolean get(byte[] key, ValueReader reader);

    /** Makes all sets so far survive a power cut, if the engine can. */
    void sync();

    /** Writes a checkpoint now, at the rate of its place. */
    void checkpoint();

    /** Nothing more will be asked of it: a checkpoint under way does not keep to its rate any more, and may fail. */
    default void hurry() {}

    /** How often the device was told to flush, since the engine was opened; -1 if that is not known. */
    long syncs();

    @Override
    void close();
}
