package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.Location;
import io.persist.index.node.KeyBuffer;
import io.persist.store.OldValues;

/**
 * The changes of one large transaction that is on the log, while the index has not got all of them yet. A lookup asks
 * here first: of each key the last change counts, until the index has it, or a later transaction has changed the key.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it has the size of the largest transaction, if that is
 * not above 1 MiB: more memory is not kept.
 */
final class LargeChanges {

    private static final int NONE = -1;

    /** In place of the type of a change that is done with. */
    private static final byte DONE = 0;

    private static final int KEPT_LENGTH = 1 << 20;

    private final StagedChanges changes = new StagedChanges(Integer.MAX_VALUE, OldValues.OMIT);

    /** The position of the first byte of the transaction. */
    private long payload;

    /** The offset of the first change that was not gone over, and how many these are. */
    private int next;

    private int left;

    /** Whether the index has all. */
    boolean isEmpty() {
        return left == 0;
    }

    /** How many changes were not gone over yet. */
    int left() {
        return left;
    }

    /** Takes the changes away from {@code staged}, whose table is up to date; they are on the log at this position. */
    void take(StagedChanges staged, long position) {
        changes.clear();
        changes.swap(staged);
        payload = position;
        next = TransactionLayout.HEADER_LENGTH;
        left = changes.count();
    }

    /** The change of {@code key} that the index has to get; a negative number if there is none. */
    int find(KeyBuffer key) {
        int entry = left == 0 ? NONE : changes.findEntered(key);
        return entry >= 0 && !isFinished(entry) ? entry : NONE;
    }

    /** Whether the change at {@code entry} gives its key a value; if so, {@code found} is where that lies. */
    boolean get(int entry, Location found) {
        if (!changes.isPut(entry)) {
            return false;
        }
        found.set(payload + entry, TransactionLayout.valueLength(changes.buffer(), entry));
        return true;
    }

    /** A later transaction has changed {@code key}: what is here of it is of no use any more. */
    void forget(KeyBuffer key) {
        int entry = find(key);
        if (entry >= 0) {
            finish(entry);
        }
    }

    private void finish(int entry) {
        changes.buffer().put(entry + TransactionLayout.ENTRY_TYPE_OFFSET, DONE);
    }

    private boolean isFinished(int entry) {
        return TransactionLayout.entryType(changes.buffer(), entry) == DONE;
    }

    /** Has {@code state} take over the next change, unless it was replaced; by way of {@code key}. */
    void settleOne(StoreState state, KeyBuffer key) {
        int entry = next;
        if (!changes.removesRange(entry)) {
            changes.key(entry, key);
            if (find(key) == entry) {
                settle(entry, state, key);
                finish(entry); // not before: for want of memory that may have to be tried again
            }
        }
        next = changes.next(entry);
        left--;
        if (left == 0) {
            changes.clear();
            changes.shrink(KEPT_LENGTH);
        }
    }

    private void settle(int entry, StoreState state, KeyBuffer key) {
        if (changes.isPut(entry)) {
            state.put(key, payload + entry, TransactionLayout.valueLength(changes.buffer(), entry));
        } else {
            state.remove(key);
        }
    }
}
