package io.persist.store.layer;

import static io.persist.format.TransactionLayout.keyEnd;
import static io.persist.format.TransactionLayout.keyIndex;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the index had not got at one moment: changes of a large transaction in the order of their keys, and ranges whose
 * keys are removed. A change that is here has the newest word on its key, but for the ranges.
 *
 * <p>What a transaction that is open has changed is a layer too, for its own scans.
 *
 * <p>The store goes on to take changes over meanwhile, and others change the same keys; but of what is read here it
 * changes nothing: not the lengths, types and keys of changes, nor the first ones of those that are forgotten.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> a copy of which changes are forgotten, if there are any.
 */
public final class Layer {

    /** In place of the transaction's position: each change says where it lies, as what it replaced. */
    public static final long EACH_ITS_OWN = -1;

    /**
     * The position of a transaction that is open: it is newer than all that lies below. A log ends a segment behind
     * 2^62, and no change of a transaction has a greater offset than an int.
     */
    static final long OPEN = Long.MAX_VALUE - Integer.MAX_VALUE;

    private static final int[] NOTHING_FORGOTTEN = {};

    private final ByteBuffer changes;
    private final long payload;
    private final ChangeOrder order;
    private final int first;

    /** The offsets of changes that later transactions have replaced, and how many of them count; then sorted. */
    private int[] forgotten;

    private final int forgottenCount;
    private boolean isSorted;
    private final RemovedRange[] removed;

    /**
     * The layer of this moment.
     *
     * @param changes has an array, and the transaction at its beginning
     * @param payload the transaction's position in the log, or {@link #EACH_ITS_OWN}
     * @param first the number of the first change in order that the index has not got
     * @param forgotten has the offsets of {@code forgottenCount} changes that later transactions have replaced
     */
    public Layer(
            ByteBuffer changes,
            long payload,
            ChangeOrder order,
            int first,
            int[] forgotten,
            int forgottenCount,
            RemovedRange[] removed) {
        this.changes = changes;
        this.payload = payload;
        this.order = order;
        this.first = first;
        this.forgotten = forgotten;
        this.forgottenCount = forgottenCount;
        this.removed = removed;
    }

    /**
     * What a transaction that is open has changed.
     *
     * @param changes has an array, and the transaction at its beginning
     * @param removed the ranges, each at its offset in the transaction
     */
    public static Layer own(ByteBuffer changes, ChangeOrder order, RemovedRange[] removed) {
        for (RemovedRange range : removed) {
            range.appendedAt(OPEN);
        }
        return new Layer(changes, OPEN, order, 0, NOTHING_FORGOTTEN, 0, removed);
    }

    /** Whether what lies at {@code position} is not on the log: the change of a transaction that is open. */
    public static boolean isOwn(long position) {
        return position >= OPEN;
    }

    /** Whether it is of a transaction that is open. */
    boolean isOwn() {
        return isOwn(payload);
    }

    /** The array with the changes. */
    public byte[] array() {
        return changes.array();
    }

    /** Where in that array the value begins of the change at {@code position}. */
    public int valueIndex(long position) {
        return keyEnd(changes, (int) (position - payload));
    }

    /** The number of the first change. */
    int first() {
        return first;
    }

    /** The number after the last change. */
    int end() {
        return order.count();
    }

    /** The number of the first change whose key is not less than {@code key}. */
    int search(KeyBuffer key) {
        return order.search(changes, first, key.bytes(), key.length());
    }

    /** The number of the change of {@code key}; a negative number if there is none. */
    int find(KeyBuffer key) {
        int change = search(key);
        return change < end() && compare(change, key) == 0 && counts(change) ? change : -1;
    }

    int compare(int change, KeyBuffer key) {
        return order.compare(changes, change, key);
    }

    /** Whether no later transaction had replaced the change. */
    boolean counts(int change) {
        if (forgottenCount == 0) {
            return true;
        }
        if (!isSorted) {
            forgotten = Arrays.copyOf(forgotten, forgottenCount);
            Arrays.sort(forgotten);
            isSorted = true;
        }
        return Arrays.binarySearch(forgotten, order.entry(change)) < 0;
    }

    void key(int change, KeyBuffer target) {
        int entry = order.entry(change);
        target.set(changes.array(), keyIndex(entry), TransactionLayout.keyLength(changes, entry));
    }

    /** Whether the change gives its key a value. */
    boolean isPut(int change) {
        return TransactionLayout.isPut(changes, order.entry(change));
    }

    /** Where that value lies. */
    long position(int change) {
        return position(changes, payload, order.entry(change));
    }

    /** Where the change at {@code entry} lies; {@code payload} is as this has it. */
    public static long position(ByteBuffer changes, long payload, int entry) {
        return payload == EACH_ITS_OWN ? TransactionLayout.previous(changes, entry) : payload + entry;
    }

    /** The length of that value in bytes. */
    int length(int change) {
        return TransactionLayout.valueLength(changes, order.entry(change));
    }

    /** Whether {@code key}, whose value lies at {@code at}, is in a range that is removed. */
    boolean removes(KeyBuffer key, long at) {
        return remover(key, at) != null;
    }

    /** A range that is removed, and has {@code key}, whose value lies at {@code at}; null if there is none. */
    @Nullable
    RemovedRange remover(KeyBuffer key, long at) {
        for (RemovedRange range : removed) {
            if (range.removes(key, at)) {
                return range;
            }
        }
        return null;
    }

    /** How many keys under {@code cursor} are in ranges that are removed. */
    @SuppressWarnings("ReferenceEquality") // a key in two ranges counts once
    long countRemoved(KeyCursor cursor) {
        long count = 0;
        KeyBuffer first = new KeyBuffer();
        for (RemovedRange range : removed) {
            cursor.to(range.first(first));
            while (cursor.next() && range.isBeforeEnd(cursor.key())) {
                count += remover(cursor.key(), cursor.position()) == range ? 1 : 0;
            }
        }
        return count;
    }
}
