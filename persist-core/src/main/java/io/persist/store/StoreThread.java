package io.persist.store;

import io.persist.index.KeyBuffer;
import io.persist.index.Location;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What each thread that uses a store has of its own: its transaction, and the value that it looks at. */
final class StoreThread {

    /** Segments of 64 MiB with 32 GiB of values. */
    private static final int VIEWS = 512;

    private final Thread owner = Thread.currentThread();
    private final StoreCore core;
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private final ValueReader reader = new ValueReader(VIEWS);
    private final Transaction transaction;

    StoreThread(StoreCore core) {
        this.core = core;
        int maxLength = core.log().layout().maxPayload();
        this.transaction = new Transaction(
                core, this, new StagedChanges(maxLength, core.config().oldValues()));
    }

    /** Whether nobody will look at the value any more: the thread has ended, or it is the one that asks. */
    boolean isDone() {
        return !owner.isAlive() || owner == Thread.currentThread();
    }

    /** Lets go of the segment of the last value. */
    void leave() {
        reader.leave();
    }

    KeyBuffer key() {
        return key;
    }

    /** The value of the key that was set last, null if there is none; valid until the next call. */
    @Nullable
    ByteBuffer get() {
        boolean found = core.lookups().find(key, location, reader);
        return found ? reader.read(key, location.position(), location.length()) : null;
    }

    /** Where the value of the last call lies, if there was one. */
    long position() {
        return location.position();
    }

    Transaction transaction() {
        return transaction;
    }
}
