package io.persist.store.read;

import io.persist.format.LentBytes;
import io.persist.index.IndexCursor;
import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.value.ValueReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the keys of a range in order, as they were at one moment. Any thread may put and remove meanwhile, also
 * the scanning thread; the scan does not see that.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none per step. A method that returns a key or a value allocates
 * the copy; the methods whose names end in {@code UntilNext} allocate nothing.
 *
 * <p><b>Errors:</b> an {@link IllegalStateException} if the scan, its snapshot or the store is closed, and from a
 * method that returns a key or a value also if the last {@link #next} did not return true.
 */
public final class StoreScan implements AutoCloseable {

    private static final int VIEWS = 16;

    private final StoreSnapshot snapshot;
    private final IndexCursor cursor;
    private final Direction direction;
    private final @Nullable KeyBuffer end;
    private final boolean isEmpty;
    private final Runnable onClose;
    private final ValueReader reader = new ValueReader(VIEWS);
    private final LentBytes key = new LentBytes();
    private boolean onEntry;
    private boolean closed;

    StoreScan(StoreSnapshot snapshot, IndexCursor cursor, KeyRange range, Direction direction, Runnable onClose) {
        this.snapshot = snapshot;
        this.cursor = cursor;
        this.direction = direction;
        this.onClose = onClose;
        byte[] limit = range.limit();
        this.isEmpty = limit != null && limit.length == 0;
        byte[] last = direction == Direction.FORWARD ? limit : range.lowest();
        this.end = last == null || last.length == 0 ? null : key(last);
        begin(direction == Direction.FORWARD ? range.lowest() : limit);
    }

    private static KeyBuffer key(byte[] bytes) {
        KeyBuffer buffer = new KeyBuffer();
        buffer.set(bytes, 0, bytes.length);
        return buffer;
    }

    private void begin(byte @Nullable [] first) {
        if (first != null && first.length > 0) {
            cursor.to(key(first));
        } else if (direction == Direction.FORWARD) {
            cursor.toStart();
        } else {
            cursor.toEnd();
        }
    }

    /** Moves to the next key of the range; returns false after the last one. */
    public boolean next() {
        checkOpen();
        key.takeBack();
        reader.takeBack();
        onEntry = !isEmpty && (direction == Direction.FORWARD ? isBelowEnd() : isFromEndOn());
        return onEntry;
    }

    private boolean isBelowEnd() {
        return cursor.next() && (end == null || cursor.key().compareTo(end) < 0);
    }

    private boolean isFromEndOn() {
        return cursor.previous() && (end == null || cursor.key().compareTo(end) >= 0);
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
        key.lend(cursor.key().bytes(), 0, cursor.key().length());
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
        return snapshot.value(reader, cursor.key(), cursor.position(), cursor.length());
    }

    private void checkOnEntry() {
        checkOpen();
        if (!onEntry) {
            throw new IllegalStateException("the scan is on no key: call next first, and look at what it returns");
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("scan is closed");
        }
        snapshot.checkOpen();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            key.takeBack();
            reader.leave();
            onClose.run();
        }
    }
}
