package io.persist.store.core;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import io.persist.log.engine.LogWriter;
import io.persist.store.Neighbour;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.layer.Neighbours;
import io.persist.store.value.ValueReader;

/**
 * Finds out where the values of keys lie, as the store is now, under the store's lock. The value is then read outside
 * of it, by a reader that holds the value's segment. {@link KeyFinder} does without the lock if it can.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, but for a value in a queue that was replaced again and again.
 */
public final class Lookups {

    /** So often a value is looked up that is still in a queue. */
    private static final int ATTEMPTS = 3;

    private final StoreCore core;

    /** Over the index as it is. Under the store's lock. */
    private final IndexCursor cursor;

    /** How many lookups of single keys there were here; under the store's lock. */
    private long lookups;

    /** Looks keys up in the index of {@code core}, and in what lies over it. */
    public Lookups(StoreCore core) {
        this.core = core;
        this.cursor = core.state().index().cursor();
    }

    /** Finds keys for one thread. */
    public KeyFinder finder() {
        return new KeyFinder(core, this, core.state().index().optimisticLookup());
    }

    /** How many lookups of a single key have taken the lock, since the store was opened. */
    public long count() {
        return core.readAnyway(() -> lookups);
    }

    /** Whether there is {@code key}; if so, {@code found} is where its value lies. */
    boolean contains(KeyBuffer key, Location found) {
        try {
            core.lock();
            try {
                lookups++;
                return core.state().get(key, found);
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /** Looks up {@code key} and has {@code reader} hold the segment of its value; false if there is none. */
    public boolean find(KeyBuffer key, Location found, ValueReader reader) {
        LayeredSnapshot moment = null;
        for (int attempt = 1; moment == null; attempt++) {
            long end;
            try {
                core.lock();
                try {
                    lookups++;
                    if (!core.state().get(key, found)) {
                        return false;
                    }
                    if (mayEnter(found.position(), attempt)) {
                        enter(found, reader);
                        return true;
                    }
                    moment = attempt == ATTEMPTS ? core.snapshot() : null;
                    end = core.appliedEnd();
                } finally {
                    core.unlock();
                }
            } finally {
                core.unlock(); // see Turn
            }
            if (moment == null) {
                core.flushes().awaitWritten(end);
            }
        }
        try {
            enter(found, reader);
            return true;
        } finally {
            core.settler().close(moment);
        }
    }

    /**
     * Whether a value is entered under the lock: not if it is in a queue, which may wait for the device. It is written
     * a moment later, unless the key has another value by then. After some attempts a snapshot keeps it where it is, if
     * there is memory for one.
     */
    private boolean mayEnter(long position, int attempt) {
        return core.flushes().isWritten(position)
                || attempt == ATTEMPTS && !core.state().maySnapshot();
    }

    /** The same of a neighbour of {@code key}, which becomes that neighbour. */
    public boolean find(Neighbour which, KeyBuffer key, Location found, ValueReader reader) {
        LayeredSnapshot moment = null;
        for (int attempt = 1; moment == null; attempt++) {
            long end;
            try {
                core.settler().lockToSnapshot();
                try {
                    boolean isSettled = core.state().isSettled();
                    if (isSettled && !Neighbours.find(which, cursor, key)) {
                        return false;
                    }
                    if (isSettled && mayEnter(cursor.position(), attempt)) {
                        enter(cursor, key, found, reader);
                        return true;
                    }
                    moment = isSettled && attempt < ATTEMPTS ? null : core.snapshot();
                    end = core.appliedEnd();
                } finally {
                    core.unlock();
                }
            } finally {
                core.unlock(); // see Turn
            }
            if (moment == null) {
                core.flushes().awaitWritten(end);
            }
        }
        try { // it may have many keys to go over that are removed, so not under the lock
            KeyCursor by = moment.cursor();
            boolean isFound = Neighbours.find(which, by, key);
            if (isFound) {
                enter(by, key, found, reader);
            }
            return isFound;
        } finally {
            core.settler().close(moment);
        }
    }

    /** What is found is not dropped as long as the lock is held, or a snapshot is open. */
    private void enter(KeyCursor by, KeyBuffer key, Location found, ValueReader reader) {
        key.copyFrom(by.key());
        found.set(by.position(), by.length());
        enter(found, reader);
    }

    /** How many keys there are. */
    public long size() {
        LayeredSnapshot moment;
        try {
            core.settler().lockToSnapshot();
            try {
                if (core.state().isSettled()) {
                    return core.state().index().size();
                }
                moment = core.snapshot();
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
        try {
            return moment.size();
        } finally {
            core.settler().close(moment);
        }
    }

    /** The end of the log, as far as it is committed. */
    public long end() {
        try {
            core.lock();
            try {
                return core.appliedEnd();
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    private void enter(Location found, ValueReader reader) {
        LogWriter writer = core.writer();
        if (found.position() >= writer.positions().flushed()) {
            writer.flush(); // it is in a write buffer, or in a queue
        }
        if (!reader.enter(core.segments().at(found.position()))) {
            throw new IllegalStateException("store is closed"); // after the snapshot was taken
        }
    }
}
