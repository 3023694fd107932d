package io.persist.store.read;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import io.persist.log.thread.CallingThread;
import io.persist.memory.LentBytes;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import io.persist.store.layer.Layer;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.layer.Neighbours;
import io.persist.store.value.MappedSegments;
import io.persist.store.value.ValueReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A store as it was at one moment; later commits do not change it. An open snapshot keeps what it needs: copies of
 * those parts of the index that change, and segments that compaction has emptied. So close it soon.
 *
 * <p><b>Threads:</b> one at a time, any; {@link #close} any. It holds up no commit.
 *
 * <p><b>Errors:</b> an {@link IllegalStateException} if the snapshot or the store is closed. A failed log does not
 * matter to an open snapshot.
 */
public final class StoreSnapshot implements StoreReads, AutoCloseable {

    /** What only a get needs; a snapshot that is scanned has none. */
    private static final class Getter {

        private final KeyBuffer key = new KeyBuffer();
        private final Location location = new Location();
        private final ValueReader reader = new ValueReader();
        private final KeyCursor cursor;

        Getter(LayeredSnapshot moment) {
            this.cursor = moment.cursor();
        }
    }

    private static final CallingThread CALLERS =
            new CallingThread(Set.of(StoreSnapshot.class), Set.of("close", "letGo", "end"));

    private final Consumer<StoreSnapshot> onClose;
    private final MappedSegments segments;
    private final LayeredSnapshot moment;
    private final long position;
    private @Nullable Getter getter;

    private final CallingThread caller = CALLERS.another();

    /** Also set by the thread that closes the store; the reader's next call is refused then. */
    private volatile boolean closed;

    /** {@code moment} takes what is shown, last of all: if there is no memory for the rest, nobody would close it. */
    StoreSnapshot(
            Consumer<StoreSnapshot> onClose, MappedSegments segments, Supplier<LayeredSnapshot> moment, long position) {
        this.onClose = onClose;
        this.segments = segments;
        this.position = position;
        this.moment = moment.get();
    }

    @Override
    public @Nullable ByteBuffer get(byte[] key) {
        return LentBytes.copyOf(find(key));
    }

    @Override
    public @Nullable ByteBuffer get(DirectBuffer key, int offset, int length) {
        return LentBytes.copyOf(find(key, offset, length));
    }

    @Override
    public byte @Nullable [] getBytes(byte[] key) {
        return LentBytes.bytesOf(find(key));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The snapshot has one buffer, which has the value until the snapshot's next read, or its close.
     */
    @Override
    public @Nullable ByteBuffer getUntilNext(byte[] key) {
        return LentBytes.viewOf(find(key));
    }

    @Override
    public @Nullable ByteBuffer getUntilNext(DirectBuffer key, int offset, int length) {
        return LentBytes.viewOf(find(key, offset, length));
    }

    private @Nullable LentBytes find(byte[] key) {
        return find(getter(key));
    }

    private @Nullable LentBytes find(DirectBuffer key, int offset, int length) {
        Getter by = getter();
        key.boundsCheck(offset, length);
        by.key.set(key, offset, length);
        return find(by);
    }

    /** The value of the key that is set. */
    private @Nullable LentBytes find(Getter by) {
        boolean found = moment.get(by.key, by.location);
        return found ? value(by.reader, by.key, by.location.position(), by.location.length()) : null;
    }

    private Getter getter(byte[] wanted) {
        Getter by = getter();
        by.key.set(wanted, 0, wanted.length);
        return by;
    }

    private Getter getter() {
        caller.enter();
        checkOpen();
        Getter by = getter;
        if (by == null) {
            by = new Getter(moment);
            getter = by;
        }
        by.reader.takeBack();
        return by;
    }

    @Override
    public boolean contains(byte[] key) {
        Getter by = getter(key);
        return moment.get(by.key, by.location);
    }

    @Override
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        Getter by = getter(key);
        if (!Neighbours.find(which, by.cursor, by.key)) {
            return null;
        }
        KeyBuffer found = by.cursor.key();
        LentBytes value = value(by.reader, found, by.cursor.position(), by.cursor.length());
        return new StoreEntry(Arrays.copyOf(found.bytes(), found.length()), value.bytes());
    }

    LentBytes value(ValueReader by, KeyBuffer of, long at, int length) {
        if (!by.enter(segments.at(at))) {
            throw new IllegalStateException("snapshot is closed, or its store is");
        }
        return by.read(of, at, length);
    }

    /**
     * {@inheritDoc}
     *
     * <p>It has to be closed before the snapshot.
     */
    @Override
    public StoreScan scan(KeyRange range, Direction direction) {
        checkOpen();
        return new StoreScan(this, range, direction, () -> {});
    }

    /** What a scan goes through: with {@code own} over it, unless that is null. */
    RangeCursor cursor(KeyRange range, Direction direction, @Nullable Layer own) {
        return new RangeCursor(moment.cursor(own), range, direction);
    }

    /** What a scan of the same reads ahead. */
    ValuesAhead ahead(KeyRange range, Direction direction, @Nullable Layer own) {
        return new ValuesAhead(segments, () -> cursor(range, direction, own));
    }

    /** Whether what lies at {@code position} of the log does not seem to be in memory. */
    boolean isCold(long position) {
        return segments.at(position).isCold();
    }

    /**
     * The number of keys that the store had. If a large transaction, or a removal of a range, was not in the index yet,
     * the first call counts its keys.
     */
    public long size() {
        caller.enter();
        checkOpen();
        return moment.size();
    }

    /** The position right after the last transaction that is in the snapshot, also once it is closed. */
    public long position() {
        return position;
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("snapshot is closed, or its store is");
        }
    }

    /** Lets the index forget what only this snapshot needed. Under the store's lock; again if it has thrown. */
    void end() {
        closed = true;
        moment.close();
    }

    /** From the next call on nothing can be read any more; the call that is under way reads on safely. */
    void abandon() {
        closed = true;
    }

    /**
     * Ends the snapshot. If another thread is in a call of it, this returns when that thread has left the call; it does
     * not wait for one that is scanning. The snapshot of a {@link io.persist.StoreView} is for the view to close.
     */
    @Override
    public void close() {
        closed = true;
        caller.close(this::letGo);
        onClose.accept(this);
    }

    private void letGo() {
        if (getter != null) {
            getter.reader.leave();
        }
    }
}
