package io.persist.store;

import io.persist.format.LentBytes;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyBuffer;
import io.persist.index.Location;
import org.jspecify.annotations.Nullable;

/**
 * What a thread that has had a transaction, or a value until its next get, has of its own. Threads that only read
 * copies, and change single keys, have none.
 */
public final class StoreThread {

    /** Segments of 64 MiB with 32 GiB of values. */
    private static final int VIEWS = 512;

    private final StoreCore core;
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private final ValueReader reader;
    private final Transaction transaction;

    StoreThread(StoreCore core, SegmentHold hold) {
        this.core = core;
        this.reader = new ValueReader(VIEWS, hold);
        this.transaction = new Transaction(core, this);
    }

    /** The key that is asked for. */
    public KeyBuffer key() {
        return key;
    }

    /** The value of the key that was set last, null if there is none; lent until the next call. */
    public @Nullable LentBytes get() {
        reader.takeBack();
        boolean found = core.lookups().find(key, location, reader);
        return found ? reader.read(key, location.position(), location.length()) : null;
    }

    /** Where the value of the last call lies, if there was one. */
    long position() {
        return location.position();
    }

    /** The value of a put that is not committed; lent until the next call. */
    LentBytes copyOf(StagedChanges staged, int entry) {
        int keyLength = TransactionLayout.keyLength(staged.buffer(), entry);
        int valueLength = TransactionLayout.valueLength(staged.buffer(), entry);
        return reader.copyOf(staged.array(), StagedChanges.keyIndex(entry) + keyLength, valueLength);
    }

    /** There is no value: the last one is taken back. */
    @Nullable
    LentBytes nothing() {
        reader.takeBack();
        return null;
    }

    /** Begins a transaction of this thread. */
    public Transaction begin() {
        return transaction.begin();
    }

    /** Begins a transaction of this thread whose commit is refused if what it has read has changed. */
    public OptimisticTransaction beginOptimistic() {
        return transaction.beginOptimistic();
    }
}
