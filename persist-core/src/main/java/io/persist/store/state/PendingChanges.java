package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.OldValues;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.layer.Layer;
import io.persist.store.layer.RemovedRange;
import io.persist.store.layer.ReplayedChanges;
import io.persist.store.staged.StagedChanges;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The changes of one large transaction that is on the log, while the index has not got all of them yet; or those of all
 * transactions that were read back from the log when the store was opened. A lookup asks here first: of each key the
 * last change counts, until the index has it, or a later transaction has changed the key. The index gets them in the
 * order of their keys, so that it need not search for each in another place.
 *
 * <p>A snapshot that is taken meanwhile keeps them. So of what a {@link Layer} reads nothing is changed then, and the
 * memory is not used again.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it has the size of the largest transaction, if that is
 * not above 1 MiB, and no snapshot was taken meanwhile: else its memory is not kept.
 */
final class PendingChanges {

    private static final int NONE = -1;

    /** In place of the flags of a change that is done with, which no {@link Layer} reads. */
    private static final byte DONE = (byte) 0x80;

    private static final int KEPT_LENGTH = 1 << 20;
    private static final int FIRST_FORGOTTEN = 16;

    /** A transaction with the table of its keys, which changes that were read back have not. */
    private StagedChanges changes = newChanges();

    /** What the changes are in. */
    private ByteBuffer buffer = changes.buffer();

    private ChangeOrder order = ChangeOrder.NONE;

    /** The position of the first byte of the transaction, or {@link Layer#EACH_ITS_OWN}. */
    private long payload;

    /** The number in order of the first change that was not gone over. */
    private int next;

    /** The bytes of the keys that were not gone over and get a value. */
    private long leftBytes;

    /** So many keys, or fewer, will be new in the index by changes that were not gone over. */
    private int newKeys;

    /** The bytes of these keys. */
    private long newBytes;

    /** The offsets of the changes that later transactions have replaced. Only ever added to. */
    private int[] forgotten = new int[FIRST_FORGOTTEN];

    private int forgottenCount;

    /** Whether a snapshot reads the changes. */
    private boolean isShared;

    private static StagedChanges newChanges() {
        return new StagedChanges(Integer.MAX_VALUE, OldValues.OMIT);
    }

    /** Whether the index has all. */
    boolean isEmpty() {
        return next == order.count();
    }

    /** How many changes were not gone over yet. */
    int left() {
        return order.count() - next;
    }

    /** The bytes of the keys that get a value by these. */
    long leftBytes() {
        return leftBytes;
    }

    /** So many of these changes, or fewer, put a key that the index has not. */
    int newKeys() {
        return Math.min(newKeys, left());
    }

    /** The bytes of those keys. */
    long newBytes() {
        return Math.min(newBytes, leftBytes);
    }

    /** Whether these were read back from the log. */
    boolean isReplay() {
        return payload == Layer.EACH_ITS_OWN;
    }

    /**
     * Takes the changes away from {@code staged}, whose table is up to date; they are on the log at this position.
     *
     * @param expected has their order, and knows how many keys are new
     */
    void take(StagedChanges staged, ExpectedChanges expected, long position) {
        changes.takeFrom(staged);
        begin(changes.buffer(), expected.order(), position, expected.newKeys(), expected.newBytes());
    }

    /** Takes changes that were read back from the log; the index has all that was here before. */
    void take(ReplayedChanges taken) {
        ChangeOrder itsOrder = taken.order();
        begin(taken.buffer(), itsOrder, Layer.EACH_ITS_OWN, itsOrder.count(), itsOrder.putBytes());
    }

    private void begin(ByteBuffer of, ChangeOrder itsOrder, long position, int itsNewKeys, long itsNewBytes) {
        buffer = of;
        payload = position;
        order = itsOrder;
        next = 0;
        leftBytes = order.putBytes();
        newKeys = itsNewKeys;
        newBytes = itsNewBytes;
        restIfEmpty();
    }

    /** What the index has not got, at this moment, together with {@code removed}. */
    Layer layer(RemovedRange[] removed) {
        isShared |= !isEmpty();
        return new Layer(buffer, payload, order, next, forgotten, forgottenCount, removed);
    }

    /** The change of {@code key} that the index has to get; a negative number if there is none. */
    int find(KeyBuffer key) {
        if (isEmpty()) {
            return NONE;
        }
        int entry = isReplay() ? order.find(buffer, key) : changes.findEntered(key);
        return entry >= 0 && !isFinished(entry) ? entry : NONE;
    }

    /** Whether the change at {@code entry} gives its key a value; if so, {@code found} is where that lies. */
    boolean get(int entry, Location found) {
        if (!TransactionLayout.isPut(buffer, entry)) {
            return false;
        }
        found.set(Layer.position(buffer, payload, entry), TransactionLayout.valueLength(buffer, entry));
        return true;
    }

    /** A later transaction has changed {@code key}: what is here of it is of no use any more. */
    void forget(KeyBuffer key) {
        int entry = find(key);
        if (entry >= 0) {
            finish(entry);
            if (forgottenCount == forgotten.length) {
                forgotten = Arrays.copyOf(forgotten, 2 * forgottenCount);
            }
            forgotten[forgottenCount++] = entry;
        }
    }

    private void finish(int entry) {
        buffer.put(entry + TransactionLayout.ENTRY_FLAGS_OFFSET, DONE);
    }

    private boolean isFinished(int entry) {
        return TransactionLayout.entryFlags(buffer, entry) == DONE;
    }

    /** Has {@code state} take over the next change, unless it was replaced; by way of {@code key}. */
    void settleOne(StoreState state, KeyBuffer key) {
        int entry = order.entry(next);
        if (!isFinished(entry)) {
            int keyLength = TransactionLayout.keyLength(buffer, entry);
            key.set(buffer, TransactionLayout.keyIndex(entry), keyLength);
            settle(entry, state, key);
            finish(entry); // not before: for want of memory that may have to be tried again
        }
        leftBytes -= ChangeOrder.putBytes(buffer, entry);
        next++;
        restIfEmpty();
    }

    private void restIfEmpty() {
        if (!isEmpty()) {
            return;
        }
        if (isShared) {
            changes = newChanges();
            forgotten = new int[FIRST_FORGOTTEN];
            isShared = false;
        }
        changes.clear();
        changes.shrink(KEPT_LENGTH);
        buffer = changes.buffer();
        payload = 0;
        order = ChangeOrder.NONE;
        next = 0;
        forgottenCount = 0;
    }

    private void settle(int entry, StoreState state, KeyBuffer key) {
        if (TransactionLayout.isPut(buffer, entry)) {
            long position = Layer.position(buffer, payload, entry);
            if (state.put(key, position, TransactionLayout.valueLength(buffer, entry))) {
                newKeys--;
                newBytes -= key.length();
            }
        } else {
            state.remove(key);
        }
    }
}
