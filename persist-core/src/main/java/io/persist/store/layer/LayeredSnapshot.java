package io.persist.store.layer;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a store had at one moment, and where their values lie: a snapshot of the index, and what lay over it.
 *
 * <p><b>Threads:</b> one at a time, without the store's lock; it has to get the snapshot from the thread that took it
 * in a way that orders memory. {@link #close} is called under that lock. <b>Allocation:</b> none by {@link #get}.
 */
public final class LayeredSnapshot implements AutoCloseable {

    private static final long NOT_COUNTED = -1;

    private final IndexSnapshot index;

    /** Null if the index had all. */
    private final @Nullable Layer layer;

    private long size = NOT_COUNTED;

    /** {@code layer} is null if the index had all. */
    public LayeredSnapshot(IndexSnapshot index, @Nullable Layer layer) {
        this.index = index;
        this.layer = layer;
    }

    /** Whether there was {@code key}; if so, {@code found} is where its value lay. */
    public boolean get(KeyBuffer key, Location found) {
        return layer == null ? index.get(key, found) : get(layer, key, found);
    }

    private boolean get(Layer over, KeyBuffer key, Location found) {
        int change = over.find(key);
        if (change < 0) {
            return index.get(key, found) && !over.removes(key, found.position());
        }
        found.set(over.position(change), over.length(change));
        return over.isPut(change) && !over.removes(key, found.position());
    }

    /** A new cursor before the first key. */
    public KeyCursor cursor() {
        return layer == null ? index.cursor() : new LayeredCursor(index.cursor(), layer);
    }

    /** The same with {@code over} over it, unless that is null. */
    public KeyCursor cursor(@Nullable Layer over) {
        return over == null ? cursor() : new LayeredCursor(cursor(), over);
    }

    /**
     * How many keys there were. If the index had not got all, each change that it had not got is looked up the first
     * time, and each key of a range that was removed.
     */
    public long size() {
        if (size == NOT_COUNTED) {
            size = layer == null ? index.size() : count(layer);
        }
        return size;
    }

    private long count(Layer over) {
        KeyBuffer key = new KeyBuffer();
        Location found = new Location();
        long count = index.size() - over.countRemoved(index.cursor());
        for (int change = over.first(); change < over.end(); change++) {
            if (over.counts(change)) {
                over.key(change, key);
                boolean was = index.get(key, found) && !over.removes(key, found.position());
                boolean is = over.isPut(change) && !over.removes(key, over.position(change));
                count += (is ? 1 : 0) - (was ? 1 : 0);
            }
        }
        return count;
    }

    /** Lets the index forget what only this needed. Has no effect the second time. */
    @Override
    public void close() {
        index.close();
    }
}
