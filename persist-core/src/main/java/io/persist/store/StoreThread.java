package io.persist.store;

import io.persist.index.KeyBuffer;
import io.persist.index.Location;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What each thread that uses a store has of its own: its transaction, and the value that it looks at. */
final class StoreThread {

    /** Segments of 64 MiB with 32 GiB of values. */
    private static final int VIEWS = 512;

    private final StoreCore core;
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private final ValueReader reader;
    private final Transaction transaction;

    StoreThread(StoreCore core, WorkspacePool workspaces, SegmentHold hold) {
        this.core = core;
        this.reader = new ValueReader(VIEWS, hold);
        this.transaction = new Transaction(core, this, workspaces);
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
