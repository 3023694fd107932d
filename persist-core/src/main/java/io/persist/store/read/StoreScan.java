package io.persist.store.read;

import io.persist.index.node.KeyBuffer;
import io.persist.log.thread.CallingThread;
import io.persist.memory.LentBytes;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.layer.Layer;
import io.persist.store.staged.ScannedRange;
import io.persist.store.value.ValueReader;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the keys of a range in order, as they were at one moment. Any thread may put and remove meanwhile, also
 * the scanning thread; the scan does not see that. The scan of a transaction shows the transaction's own writes of that
 * moment too; it belongs to the transaction's thread, and can be read until the transaction ends.
 *
 * <p><b>Threads:</b> one at a time; {@link #close} any. <b>Allocation:</b> none per step. A method that returns a key
 * or a value allocates the copy; the methods whose names end in {@code UntilNext} allocate nothing, but for values that
 * are not in memory: those are read ahead, up to 256 at a time, into up to 2 MiB that the scan uses again.
 *
 * <p><b>Errors:</b> an {@link IllegalStateException} if the scan, its snapshot or the store is closed, and from a
 * method that returns a key or a value also if the last {@link #next} did not return true.
 */
public final class StoreScan implements AutoCloseable {

    private static final CallingThread CALLERS = new CallingThread(Set.of(StoreScan.class), Set.of("close", "letGo"));

    private final StoreSnapshot snapshot;
    private final RangeCursor cursor;
    private final KeyRange range;
    private final Direction direction;
    private final Runnable onClose;

    /** What the scan's transaction has changed; null if there is no transaction, or nothing. */
    private final @Nullable Layer own;

    /** Is told what was read; null if no commit depends on that. */
    private final @Nullable ScannedRange scanned;

    /** Throws if the transaction has ended. */
    private final Runnable check;

    private final ValueReader reader = new ValueReader();
    private final LentBytes key = new LentBytes();
    private @Nullable ValuesAhead ahead;

    /** How many committed keys there were. */
    private long step;

    private boolean onEntry;
    private boolean isLost;
    private final CallingThread caller = CALLERS.another();

    /** Volatile: see {@link CallingThread}. */
    private volatile boolean closed;

    StoreScan(StoreSnapshot snapshot, KeyRange range, Direction direction, Runnable onClose) {
        this(snapshot, range, direction, onClose, null, null, () -> {});
    }

    /** One that shows the writes of a transaction too, as long as {@code check} does not throw. */
    StoreScan(
            StoreSnapshot snapshot,
            KeyRange range,
            Direction direction,
            Runnable onClose,
            @Nullable Layer own,
            @Nullable ScannedRange scanned,
            Runnable check) {
        this.own = own;
        this.scanned = scanned;
        this.check = check;
        this.snapshot = snapshot;
        this.cursor = snapshot.cursor(range, direction, own);
        this.range = range;
        this.direction = direction;
        this.onClose = onClose;
    }

    /**
     * Moves to the next key of the range; returns false after the last one.
     *
     * @throws io.persist.error.CorruptLogException if a node of the index is damaged
     * @throws io.persist.error.LogIOException if a node cannot be read
     * @throws IllegalStateException if that has happened before: a scan that has failed leaves nothing out, so it does
     *     not go on; begin another one at the key where this one stood
     */
    public boolean next() {
        checkOpen();
        key.takeBack();
        reader.takeBack();
        onEntry = false;
        if (isLost) {
            throw new IllegalStateException("an earlier step of the scan has failed: begin another scan");
        }
        isLost = true; // until this step has ended
        boolean isThere = cursor.next();
        step += isOwn() ? 0 : 1;
        if (scanned != null) {
            tell(scanned, isThere);
        }
        onEntry = isThere;
        isLost = false;
        return isThere;
    }

    /** Before it is shown: what is shown counts as read. */
    private void tell(ScannedRange by, boolean isThere) {
        if (!isThere) {
            by.toEnd();
        } else if (isOwn()) {
            by.toOwn(cursor.key());
        } else {
            by.toCommitted(cursor.key());
        }
    }

    /** Whether the transaction has put what the cursor is on. */
    private boolean isOwn() {
        return own != null && Layer.isOwn(cursor.position());
    }

    /** The current key in a buffer of its own, from position to limit; read-only, little-endian. It never changes. */
    public ByteBuffer key() {
        return lentKey().copy();
    }

    /** The current key in an array of its own. */
    public byte[] keyBytes() {
        return lentKey().bytes();
    }

    /** As {@link #key}, without allocation: the scan has one buffer, which has the key only until {@link #next}. */
    public ByteBuffer keyUntilNext() {
        return lentKey().view();
    }

    private LentBytes lentKey() {
        checkOnEntry();
        KeyBuffer current = cursor.key();
        key.lend(current.bytes(), 0, current.length());
        return key;
    }

    /**
     * The current value in a buffer of its own, from position to limit; read-only, little-endian. It never changes.
     *
     * @throws io.persist.error.CorruptLogException if the value is damaged; the scan can go on
     */
    public ByteBuffer value() {
        return lentValue().copy();
    }

    /** The current value in an array of its own, as {@link #value} has it. */
    public byte[] valueBytes() {
        return lentValue().bytes();
    }

    /** As {@link #value}, without allocation: the scan has one buffer, which has the value only until {@link #next}. */
    public ByteBuffer valueUntilNext() {
        return lentValue().view();
    }

    private LentBytes lentValue() {
        checkOnEntry();
        if (own != null && isOwn()) {
            return reader.copyOf(own.array(), own.valueIndex(cursor.position()), cursor.length());
        }
        LentBytes value = ahead != null || snapshot.isCold(cursor.position()) ? valueAhead() : null;
        return value != null ? value : snapshot.value(reader, cursor.key(), cursor.position(), cursor.length());
    }

    /** The current value if it was read ahead, or is now; null if it is not, or not whole. */
    private @Nullable LentBytes valueAhead() {
        if (ahead == null) {
            ahead = snapshot.ahead(range, direction, own);
        }
        int index = ahead.find(step, cursor.key(), cursor.position());
        return index < 0 ? null : reader.lend(ahead.memory(), index, cursor.key(), cursor.length());
    }

    private void checkOnEntry() {
        checkOpen();
        if (!onEntry) {
            throw new IllegalStateException("the scan is on no key: call next first, and look at what it returns");
        }
    }

    private void checkOpen() {
        caller.enter();
        if (closed) {
            throw new IllegalStateException("scan is closed");
        }
        check.run();
        snapshot.checkOpen();
    }

    /** Ends the scan. If another thread is in a call of it, this returns when that thread has left the call. */
    @Override
    public void close() {
        closed = true;
        caller.close(this::letGo);
        onClose.run();
    }

    private void letGo() {
        key.takeBack();
        reader.leave();
        if (scanned != null) {
            scanned.closed();
        }
    }
}
