package io.persist.store.core;

import io.persist.codec.MessageOutput;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.log.Durability;
import io.persist.memory.LentBytes;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import io.persist.store.value.ValueReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one operation of a store works with: a key, where its value lies, a reader of values, and changes
 * that are to be committed. {@link WorkspacePool} keeps it between operations.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it has the size of the largest change.
 */
public final class Workspace implements AutoCloseable {

    /** Memory for changes of this length is kept. */
    private static final int KEPT_LENGTH = 1 << 20;

    private static final Committer ALWAYS = state -> true;

    private final StoreCore core;
    private final StoreCommits commits;
    private final WorkspacePool pool;
    private final Lookups lookups;
    private final KeyFinder finder;
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private final Location now = new Location();
    private final ValueReader reader = new ValueReader();
    private final StagedChanges staged;
    private @Nullable MessageOutput output; // null until an encoder writes to it
    private final Committer ifThere;
    private final Committer ifUnchanged;
    private final Committer ifAny;

    /** Whether the key was there when it was last looked up. */
    private boolean isThere;

    /** Whether the index had not got all yet, when the keys of a range were last looked for. */
    private boolean isUnsettled;

    Workspace(StoreCore core, Lookups lookups, WorkspacePool pool) {
        this.core = core;
        this.commits = core.commits();
        this.pool = pool;
        this.lookups = lookups;
        this.finder = lookups.finder();
        int maxLength = core.log().layout().maxPayload();
        this.staged = new StagedChanges(maxLength, core.config().oldValues());
        this.ifThere = state -> state.get(key, now);
        this.ifUnchanged = this::isUnchanged;
        this.ifAny = this::isAnyInRange;
    }

    /** Each change has a place of its own in the log, which no other one ever gets. */
    private boolean isUnchanged(StoreState state) {
        boolean isThereNow = state.get(key, now);
        return isThereNow == isThere && (!isThere || now.position() == location.position());
    }

    /** For the changes of a transaction that is open. */
    public StagedChanges staged() {
        return staged;
    }

    /** Whether the store has the key {@code wanted}. */
    public boolean contains(byte[] wanted) {
        key.set(wanted, 0, wanted.length);
        return finder.contains(key, location);
    }

    /** The key next to {@code of}, with its value, in arrays of their own; null if there is none. */
    @Nullable
    public StoreEntry neighbour(byte[] of, Neighbour which) {
        key.set(of, 0, of.length);
        if (!lookups.find(which, key, location, reader)) {
            return null;
        }
        byte[] value = reader.read(key, location.position(), location.length()).bytes();
        return new StoreEntry(Arrays.copyOf(key.bytes(), key.length()), value);
    }

    /** The value of {@code wanted}; null if there is none. Lent until the next call. */
    @Nullable
    public LentBytes get(byte[] wanted) {
        key.set(wanted, 0, wanted.length);
        return get();
    }

    /** The same of the key that is {@code length} bytes of {@code wanted} from {@code offset} on. */
    @Nullable
    public LentBytes get(DirectBuffer wanted, int offset, int length) {
        key.set(wanted, offset, length);
        return get();
    }

    private @Nullable LentBytes get() {
        isThere = finder.find(key, location, reader);
        return isThere ? reader.read(key, location.position(), location.length()) : null;
    }

    /** For the changes of one commit. */
    public StagedChanges begin() {
        staged.clear();
        return staged;
    }

    /** Commits the changes that were made since {@link #begin}; returns the position right after them. */
    public long commit(Durability level) {
        return commits.commit(staged, ALWAYS, level, null);
    }

    /** What an encoder writes to. */
    public MessageOutput output() {
        MessageOutput own = output;
        if (own == null) {
            own = new MessageOutput();
            output = own;
        }
        return own;
    }

    /** Commits a remove of the key if it is there; returns whether it was. */
    public boolean remove(byte[] oldKey, Durability level) {
        key.set(oldKey, 0, oldKey.length);
        return remove(level);
    }

    /** The same with {@code length} bytes of {@code oldKey} from {@code offset} on as the key. */
    public boolean remove(DirectBuffer oldKey, int offset, int length, Durability level) {
        key.set(oldKey, offset, length);
        return remove(level);
    }

    private boolean remove(Durability level) {
        staged.clear();
        staged.remove(key.bytes(), key.length());
        return commits.commit(staged, ifThere, level, null) != StoreCommits.REFUSED;
    }

    /**
     * Commits a removal of all keys of {@code range} if there are any; returns whether there were. The index is cleared
     * of one removal at a time.
     */
    public boolean removeRange(KeyRange range, Durability level) {
        staged.clear();
        if (!staged.removeRange(range)) {
            return false;
        }
        while (commits.commit(staged, ifAny, level, null) == StoreCommits.REFUSED) {
            if (!isUnsettled) {
                return false;
            }
            core.settler().settleWithMemory();
        }
        return true;
    }

    private boolean isAnyInRange(StoreState state) {
        isUnsettled = !state.isSettled();
        return !isUnsettled && state.isAnyIn(staged.removedRange(TransactionLayout.HEADER_LENGTH));
    }

    /**
     * Commits {@code value} as that of the key if the present one is {@code expected}; null stands for no value. The
     * present one is read and compared outside of the store's lock; the commit is refused if the key was changed since,
     * or if compaction has moved it, and all begins anew.
     */
    public boolean compareAndSet(byte[] of, byte @Nullable [] expected, byte @Nullable [] value, Durability level) {
        stage(of, value);
        while (isSame(get(), expected)) {
            if (value == null && !isThere) {
                return true; // there is nothing to remove
            }
            if (commits.commit(staged, ifUnchanged, level, null) != StoreCommits.REFUSED) {
                return true;
            }
        }
        return false;
    }

    /**
     * Commits {@code value} as that of the key, null for none, and returns the value before it, null if there was none:
     * lent until the next call. The value before is read outside of the store's lock, as {@link #compareAndSet} does
     * it; so one that is damaged changes nothing.
     */
    @Nullable
    public LentBytes getAndSet(byte[] of, byte @Nullable [] value, Durability level) {
        stage(of, value);
        while (true) {
            LentBytes before = get();
            boolean changesNothing = before == null && value == null;
            if (changesNothing || commits.commit(staged, ifUnchanged, level, null) != StoreCommits.REFUSED) {
                return before;
            }
        }
    }

    private void stage(byte[] of, byte @Nullable [] value) {
        key.set(of, 0, of.length);
        staged.clear();
        if (value != null) {
            staged.put(of, value, 0, value.length);
        } else {
            staged.remove(of);
        }
    }

    private static boolean isSame(@Nullable LentBytes value, byte @Nullable [] expected) {
        if (value == null || expected == null) {
            return value == null && expected == null;
        }
        ByteBuffer view = value.view();
        return view.remaining() == expected.length && view.mismatch(ByteBuffer.wrap(expected)) < 0;
    }

    /** Goes back to the pool; the caller must not use it any more. */
    @Override
    public void close() {
        pool.giveBack(this);
    }

    /** Takes the last value back, and gives up memory that only a long change needed. */
    void endUse() {
        reader.takeBack();
        staged.shrink(KEPT_LENGTH);
        if (output != null && output.array().length > KEPT_LENGTH) {
            output = null;
        }
    }

    /** Lets go of the segment of the last value. */
    public void leave() {
        reader.leave();
    }
}
