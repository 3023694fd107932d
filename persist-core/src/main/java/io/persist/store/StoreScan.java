package io.persist.store;

import io.persist.index.IndexCursor;
import io.persist.index.KeyBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the keys of a range in order, as they were at one moment: puts and removes may go on meanwhile, also by
 * the scanning thread, and are not seen.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none per key.
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
    private final ByteBuffer key;
    private boolean onEntry;
    private boolean closed;

    StoreScan(StoreSnapshot snapshot, IndexCursor cursor, KeyRange range, Direction direction, Runnable onClose) {
        this.snapshot = snapshot;
        this.cursor = cursor;
        this.key = ByteBuffer.wrap(cursor.key().bytes()).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
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

    /** Moves to the next key of the range; false after the last. */
    public boolean next() {
        checkOpen();
        onEntry = !isEmpty && (direction == Direction.FORWARD ? isBelowEnd() : isFromEndOn());
        return onEntry;
    }

    private boolean isBelowEnd() {
        return cursor.next() && (end == null || cursor.key().compareTo(end) < 0);
    }

    private boolean isFromEndOn() {
        return cursor.previous() && (end == null || cursor.key().compareTo(end) >= 0);
    }

    /** The current key, from position to limit: read-only, valid until {@link #next}. */
    public ByteBuffer key() {
        checkOnEntry();
        return key.limit(cursor.key().length()).position(0);
    }

    /**
     * The current value, from position to limit: a read-only view of the log, valid until {@link #next}.
     *
     * @throws io.persist.error.CorruptLogException if the value is damaged; the scan may go on
     */
    public ByteBuffer value() {
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
            reader.leave();
            onClose.run();
        }
    }
}
