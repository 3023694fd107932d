package io.persist.store.transaction;

import io.persist.error.Limits;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.log.LogConfig;
import io.persist.store.OldValues;
import io.persist.store.staged.StagedChanges;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Changes that any thread gathers, for any store: {@code StoreLogger.write} makes them one transaction, all of it or
 * nothing, also after a crash. It reads nothing. Writing leaves it as it is: it can be written again, to another store
 * too, or be filled anew after {@link #clear}.
 *
 * <pre>{@code
 * WriteBatch batch = new WriteBatch(store.maxBytes());
 * batch.put(key, value);
 * batch.remove(other);
 * store.write(batch, Durability.SYNCED);
 * batch.clear();
 * }</pre>
 *
 * <p><b>Threads:</b> one at a time, which need not be the same; a thread that hands it to another one does so by
 * something that the other one sees, such as a queue. Two at once are refused where that is noticed, with an {@link
 * IllegalStateException}; if both added something, only {@link #clear} makes it good again. Where it is not, a store
 * takes what it finds. <b>Allocation:</b> none once it has the size of its longest filling, whose memory it keeps.
 */
public final class WriteBatch extends StoreWrites {

    /** The longest that a log can take, if its segments have the greatest length. */
    private static final int MAX_BYTES = Frame.maxPayload(LogConfig.MAX_SEGMENT_LENGTH);

    private final StagedChanges staged;

    /** Begins and ends of clear(): only behind one do bytes change that belong to a change. Odd in between. */
    private final AtomicInteger clears = new AtomicInteger();

    private final KeyBuffer key = new KeyBuffer();

    /** Makes one that is empty, for whatever store: one that is too long for it is refused when it is written. */
    public WriteBatch() {
        this(MAX_BYTES);
    }

    /**
     * Makes one that is empty, and refuses what would make it longer than {@code maxBytes}.
     *
     * @param maxBytes as {@code StoreLogger.maxBytes} tells it, at least 32
     */
    public WriteBatch(int maxBytes) {
        Limits.check("maxBytes", maxBytes, 32, MAX_BYTES);
        this.staged = new StagedChanges(maxBytes, OldValues.OMIT); // a store finds these when it is written
        staged.clear();
    }

    /** Forgets all changes, and keeps the memory. */
    public void clear() {
        clears.incrementAndGet();
        VarHandle.storeStoreFence(); // before any byte of the next filling; pairs with the load fence of copyTo
        staged.clear();
        clears.incrementAndGet(); // pairs with the first look of copyTo: the changes of before are gone
    }

    @Override
    StagedChanges open() {
        return staged;
    }

    @Override
    StagedChanges usable() {
        return staged;
    }

    /** Adds all changes to {@code target}, which is a store's and has none yet. */
    void copyTo(StagedChanges target) {
        int before = clears.get();
        int end = staged.length();
        if (end > target.maxLength()) {
            throw new IllegalArgumentException("batch is too long: bytes=" + end + ", max=" + target.maxLength()
                    + "; write more often, see fits, or use larger segments");
        }
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < end; entry = staged.next(entry)) {
            copy(entry, target);
        }
        VarHandle.loadLoadFence(); // whoever has seen a byte of the next filling sees that this one was cleared
        if ((before & 1) != 0
                || clears.get() != before
                || staged.length() != end
                || target.length() != end
                || target.count() != staged.count()) {
            throw new IllegalStateException("two threads have used this batch at once: clear it");
        }
    }

    private void copy(int entry, StagedChanges target) {
        int keyIndex = TransactionLayout.keyIndex(entry);
        int keyEnd = TransactionLayout.keyEnd(staged.buffer(), entry);
        int valueLength = TransactionLayout.valueLength(staged.buffer(), entry);
        if (staged.isPut(entry)) {
            target.move(staged.buffer(), keyIndex, keyEnd - keyIndex, valueLength, 0);
        } else if (staged.removesRange(entry)) {
            target.removeRange(
                    Arrays.copyOfRange(staged.array(), keyIndex, keyEnd),
                    Arrays.copyOfRange(staged.array(), keyEnd, keyEnd + valueLength));
        } else {
            staged.key(entry, key);
            target.remove(key.bytes(), key.length());
        }
    }
}
