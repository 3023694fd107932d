package io.persist.store.transaction;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.memory.LentBytes;
import io.persist.store.Direction;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import io.persist.store.core.KeyFinder;
import io.persist.store.core.Lookups;
import io.persist.store.layer.Neighbours;
import io.persist.store.staged.OwnPuts;
import io.persist.store.staged.StagedChanges;
import io.persist.store.value.SegmentHold;
import io.persist.store.value.ValueReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads values for one thread. The thread has each value only until it reads the next one.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none in the long run.
 */
final class ThreadValues {

    private final Lookups lookups;
    private final KeyFinder finder;
    private final KeyBuffer key = new KeyBuffer();
    private final KeyBuffer ownKey = new KeyBuffer();
    private final Location location = new Location();
    private final ValueReader reader;

    ThreadValues(Lookups lookups, SegmentHold hold) {
        this.lookups = lookups;
        this.finder = lookups.finder();
        this.reader = new ValueReader(hold);
    }

    KeyBuffer key() {
        return key;
    }

    /** The value of the key that was set last, null if there is none; lent until the next call. */
    @Nullable
    LentBytes get() {
        return find() ? read() : null;
    }

    /** Whether the key that was set last has a value, which {@link #read} reads. The last value is taken back. */
    boolean find() {
        reader.takeBack();
        try {
            return finder.find(key, location, reader);
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
    }

    /** Whether the key that was set last has a value, which need not be readable. The last value stays lent. */
    boolean contains() {
        try {
            return finder.contains(key, location);
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
    }

    /** The value that was found last; lent until the next call. */
    LentBytes read() {
        return reader.read(key, location.position(), location.length());
    }

    /** Lets go of the segment of the last value: there may be no other call, since the store may be closed. */
    void leave() {
        reader.leave();
    }

    /**
     * Where the value lies that was found last; if {@link #find} or {@link #contains} has thrown, where it would have
     * been read. If the index did not come to that, it is a place that the key does not have, or had before.
     */
    long position() {
        return location.position();
    }

    /** The value of a put that is not committed; lent until the next call. */
    LentBytes copyOf(StagedChanges staged, int entry) {
        int valueLength = TransactionLayout.valueLength(staged.buffer(), entry);
        return reader.copyOf(staged.array(), TransactionLayout.keyEnd(staged.buffer(), entry), valueLength);
    }

    /** A neighbour of {@code of} as a transaction sees it, with its value; null if there is none. */
    @Nullable
    StoreEntry neighbour(StagedChanges staged, byte[] of, Neighbour which) {
        reader.takeBack();
        key.set(of, 0, of.length);
        int own = OwnPuts.find(which, staged, key, ownKey);
        if (findCommitted(staged, which, own >= 0)) {
            byte[] value =
                    reader.read(key, location.position(), location.length()).bytes();
            return new StoreEntry(bytes(key), value);
        }
        return own < 0
                ? null
                : new StoreEntry(bytes(ownKey), copyOf(staged, own).bytes());
    }

    /** Looks for a committed one that the transaction has not changed, and that is nearer than its own, if it has. */
    private boolean findCommitted(StagedChanges staged, Neighbour which, boolean hasOwn) {
        Direction direction = Neighbours.direction(which);
        Neighbour step = which;
        while (lookups.find(step, key, location, reader)) {
            if (hasOwn && !Neighbours.isNearer(which, key, ownKey)) {
                return false;
            }
            int change = staged.find(key);
            if (change < 0) {
                return true;
            }
            step = direction == Direction.FORWARD ? Neighbour.HIGHER : Neighbour.LOWER;
            if (staged.removesRange(change)) {
                if (!staged.removedRange(change).end(direction, key)) {
                    return false;
                }
                step = direction == Direction.FORWARD ? Neighbour.CEILING : Neighbour.LOWER;
            }
        }
        return false;
    }

    private static byte[] bytes(KeyBuffer of) {
        return Arrays.copyOf(of.bytes(), of.length());
    }

    /** There is no value: the last one is taken back. */
    @Nullable
    LentBytes nothing() {
        reader.takeBack();
        return null;
    }
}
