package io.persist.store.state;

import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.IndexCursor;
import io.persist.index.KeyIndex;
import io.persist.index.Location;
import io.persist.index.node.KeyBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a store knows in memory: where each key's value lies in the log, and how much of each segment is needed for
 * that.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none in steady state.
 */
public final class StoreState implements AutoCloseable {

    private final KeyIndex index;
    private final LiveBytes live = new LiveBytes();
    private final KeyBuffer key = new KeyBuffer();
    private final Location replaced = new Location();
    private final IndexCursor cursor;

    /** Those whose keys may still be in the index. */
    private final List<RangeRemoval> removals = new ArrayList<>();

    /** A store without keys. */
    public StoreState() {
        this(new KeyIndex());
    }

    /** A store with these keys; the segments in which their values lie are to be added. */
    public StoreState(KeyIndex index) {
        this.index = index;
        this.cursor = index.cursor();
    }

    /** Where the values of keys lie. */
    public KeyIndex index() {
        return index;
    }

    /** The live bytes of each segment. */
    public LiveBytes live() {
        return live;
    }

    /** Where the value of {@code wanted} lies; false if there is no such key. */
    public boolean get(KeyBuffer wanted, Location found) {
        return index.get(wanted, found) && !isRemoved(wanted, found.position());
    }

    private boolean isRemoved(KeyBuffer wanted, long at) {
        for (int i = 0; i < removals.size(); i++) {
            if (removals.get(i).removes(wanted, at)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the index has no key that a removal of a range has removed. */
    public boolean isSettled() {
        return removals.isEmpty();
    }

    /** Whether there is a key in {@code span}; the index has to be settled. */
    public boolean isAnyIn(KeySpan span) {
        return span.isAnyIn(cursor);
    }

    private void settleAll() {
        boolean isSettled = false;
        while (!isSettled) {
            isSettled = settle(Integer.MAX_VALUE);
        }
    }

    /** Looks at so many keys of removed ranges at most; returns whether none is left that has to go. */
    public boolean settle(int keys) {
        for (int i = 0; !removals.isEmpty() && i < keys; i++) {
            int last = removals.size() - 1;
            RangeRemoval range = removals.get(last);
            if (range.next(cursor)) {
                key.copyFrom(cursor.key());
                if (range.removes(key, cursor.position())) {
                    remove(key);
                }
                range.pass(key); // not before the key is gone: for want of memory that may have to be tried again
            } else {
                removals.remove(last);
            }
        }
        return removals.isEmpty();
    }

    /** Notes for each change which entry it replaces: in the log, or an earlier one of the same transaction. */
    public void recordPrevious(StagedChanges staged) {
        staged.beginPrevious();
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            if (staged.removesRange(entry)) {
                continue;
            }
            staged.key(entry, key);
            int removed = staged.ranges().lastBefore(entry, staged.buffer(), entry);
            if (staged.replacesEarlier(entry)) {
                int earlier = (int) TransactionLayout.previous(staged.buffer(), entry);
                if (!staged.isPut(earlier) || earlier < removed) {
                    TransactionLayout.putPrevious(staged.buffer(), entry, 0, (byte) 0);
                }
            } else {
                boolean isThere = removed < 0 && get(key, replaced);
                TransactionLayout.putPrevious(staged.buffer(), entry, isThere ? replaced.position() : 0, (byte) 0);
            }
        }
    }

    /**
     * Reads of the index what the changes need, and reserves memory for them, so that {@link #apply} reads nothing.
     *
     * @throws io.persist.error.IndexFullException if there is not so much memory; nothing has changed then
     */
    public void prepare(StagedChanges staged) {
        if (!index.room().isReady(staged.count())) {
            load(staged);
            index.room().reserveSparingly(staged.count());
        }
    }

    /** The same for changes that only give keys which are there another place. */
    public void prepareMoves(StagedChanges staged) {
        if (index.unloadedNodes() > 0) {
            load(staged);
        }
        index.room().reserveForReplacing(staged.count());
    }

    private void load(StagedChanges staged) {
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            if (!staged.removesRange(entry)) {
                staged.key(entry, key);
                index.load(key);
            }
        }
    }

    /** Takes over the changes of the transaction that was appended as the record at {@code framePosition}. */
    public void apply(StagedChanges staged, long framePosition) {
        long payload = framePosition + Frame.HEADER_LENGTH;
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length(); entry = staged.next(entry)) {
            staged.key(entry, key);
            if (staged.isPut(entry)) {
                put(key, payload + entry, TransactionLayout.valueLength(staged.buffer(), entry));
            } else if (staged.removesRange(entry)) {
                removals.add(new RangeRemoval(staged.span(entry), payload + entry));
            } else {
                remove(key);
            }
        }
    }

    /** Takes over the changes of a transaction that is read back from the log. */
    public void apply(EntryCursor entries) {
        while (entries.next()) {
            entries.key(key);
            if (entries.isPut()) {
                put(key, entries.position(), entries.valueLength());
            } else if (entries.removesRange()) {
                removals.add(new RangeRemoval(entries.span(), entries.position()));
                settleAll();
            } else {
                remove(key);
            }
        }
    }

    /** The value of {@code newKey} lies at {@code position} from now on. */
    public void put(KeyBuffer newKey, long position, int valueLength) {
        if (index.put(newKey, position, valueLength, replaced)) {
            live.subtract(replaced.position(), entryLength(newKey, replaced.length()));
        }
        live.add(position, entryLength(newKey, valueLength));
    }

    private void remove(KeyBuffer oldKey) {
        if (index.remove(oldKey, replaced)) {
            live.subtract(replaced.position(), entryLength(oldKey, replaced.length()));
        }
    }

    private static int entryLength(KeyBuffer key, int valueLength) {
        return TransactionLayout.entryLength(key.length(), valueLength);
    }

    @Override
    public void close() {
        index.close();
    }
}
