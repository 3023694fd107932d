package io.persist.peers.state;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the comparisons ask of a store of keys and values, so that each of them does the same work. Keys are ordered as
 * unsigned bytes. The durability of its commits is chosen when it is opened.
 *
 * <p>Whatever is read is copied into arrays of the caller's, although a {@code StoreLogger} could show it where it
 * lies: the caller of any engine has the bytes in its hands.
 *
 * <p><b>Threads:</b> one.
 */
public interface StateEngine extends AutoCloseable {

    /** Shown the entries of a scan, in arrays that the next entry overwrites. */
    @FunctionalInterface
    interface Visitor {
        void entry(byte[] key, int keyLength, byte[] value, int valueLength);
    }

    /** The key has this value after the next commit. The arrays are left as they are until then. */
    void put(byte[] key, byte[] value);

    /** The key is gone after the next commit. */
    void delete(byte[] key);

    /** Commits the changes since the last commit as one, and waits for the durability of the engine. */
    void commit();

    /** Copies the committed value into {@code target}, which is long enough; returns its length, -1 without one. */
    int get(byte[] key, byte[] target);

    /**
     * Shows up to {@code limit} entries in order, from the first key that is not less than {@code from} on, none of
     * whose values is longer than {@code maxValueLength}.
     *
     * @return how many
     */
    int scan(byte[] from, int limit, int maxValueLength, Visitor visitor);

    /**
     * Shows all entries in order whose keys are from {@code from} through {@code through}, none of whose values is
     * longer than {@code maxValueLength}: as they were when the scan began, or as they are by now. The visitor may
     * get, put, delete and commit meanwhile.
     *
     * @return how many
     */
    int scanThrough(byte[] from, byte[] through, int maxValueLength, Visitor visitor);

    /** Writes what makes the next opening short: a checkpoint; in RocksDB a flush of the memtables. */
    void checkpoint();

    /** Gives back all the space it can, as fast as it can. */
    void compact();

    /** Whether nothing is left to do in the background that the engine does by itself. */
    boolean isIdle();

    /** The lengths of its files, bytes; they can take less of the disk where there are holes in them. */
    long fileBytes();

    @Override
    void close() throws IOException;

    /** Waits until the engine has been idle for half a second, so that what a task leaves to the next is done, too. */
    default void settle() {
        int looks = 0;
        while (looks < 25) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            looks = isIdle() ? looks + 1 : 0;
        }
    }
}
