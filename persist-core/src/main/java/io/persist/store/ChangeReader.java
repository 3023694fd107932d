package io.persist.store;

import io.persist.error.RetiredException;
import io.persist.format.SegmentHeader;
import io.persist.index.KeyBuffer;
import io.persist.log.LogSegment;
import io.persist.log.MappedSegments;
import io.persist.log.Tailer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a store in the order in which they were committed, from a position on and as they come. Moves by
 * compaction are no changes and are not shown.
 *
 * <p>While it is open nothing that it still has to read is taken away; with a name, of which there is one at a time,
 * that holds across restarts too, from where it last called {@link #store}. Old values are older than that: compaction
 * may have taken them.
 *
 * <p><b>Threads:</b> one at a time; it holds up no commit. <b>Allocation:</b> none per change, some per segment.
 */
public final class ChangeReader implements AutoCloseable {

    /** Old values lie near to each other if the changes do. */
    private static final int VIEWS = 16;

    private final Tailer tailer;
    private final MappedSegments segments;
    private final EntryCursor entries = new EntryCursor();
    private final KeyBuffer key = new KeyBuffer();
    private final ValueReader oldValues = new ValueReader(VIEWS);
    private ByteBuffer keyView = ByteBuffer.allocate(0);
    private ByteBuffer valueView = ByteBuffer.allocate(0);
    private @Nullable ByteBuffer viewed;
    private boolean inTransaction;
    private boolean onChange;
    private boolean closed;

    ChangeReader(Tailer tailer, MappedSegments segments) {
        this.tailer = tailer;
        this.segments = segments;
    }

    /** Goes to {@code position}, which a commit has returned, or to the log's beginning if it is 0. */
    ChangeReader from(long position, List<LogSegment> known) {
        long complete = completeFrom(known);
        if (position < complete) {
            throw new RetiredException("changes are gone: position=" + position + ", first=" + complete
                    + "; read the store's state by a snapshot, and the changes from its position on");
        }
        if (position == 0) {
            tailer.toStart();
        } else {
            tailer.toPosition(position);
        }
        return this;
    }

    /**
     * Goes on where it is; a new one, which is at the log's beginning, begins at the first change that is still
     * there.
     */
    ChangeReader resume(List<LogSegment> known) {
        long complete = completeFrom(known);
        if (tailer.nextPosition() < complete) {
            // Right behind the last gap: that lies below the older of two checkpoints, so there is a record.
            tailer.toPosition(complete + SegmentHeader.LENGTH);
        }
        return this;
    }

    /** The position from which on all segments are there, with all their records. */
    private static long completeFrom(List<LogSegment> known) {
        long complete = known.isEmpty() ? 0 : known.get(0).basePosition();
        for (LogSegment segment : known) {
            complete = segment.isVacated() ? segment.endPosition() : complete;
        }
        return complete;
    }

    /**
     * Moves to the next change.
     *
     * @return whether there is one; false says that none has been committed yet
     * @throws io.persist.error.CorruptLogException if the next transaction is damaged
     */
    public boolean next() {
        checkOpen();
        while (true) {
            if (inTransaction && entries.next()) {
                entries.key(key);
                onChange = true;
                return true;
            }
            inTransaction = false;
            onChange = false;
            if (!tailer.next()) {
                return false;
            }
            entries.wrap(tailer.payload(), tailer.position());
            inTransaction = !entries.isMove();
        }
    }

    public ChangeType type() {
        checkOnChange();
        if (entries.removesRange()) {
            return ChangeType.REMOVE_RANGE;
        }
        return entries.isPut() ? ChangeType.PUT : ChangeType.REMOVE;
    }

    /** The key, from position to limit: read-only, valid until {@link #next}. */
    public ByteBuffer key() {
        checkOnChange();
        view();
        return keyView.limit(entries.valueIndex()).position(entries.keyIndex());
    }

    /**
     * The new value, from position to limit: read-only, valid until {@link #next}; empty for a REMOVE. Of a
     * REMOVE_RANGE the key at which it ends, which is not in it; empty if it has no end.
     */
    public ByteBuffer value() {
        checkOnChange();
        view();
        return valueView.limit(entries.valueIndex() + entries.valueLength()).position(entries.valueIndex());
    }

    /** Two views of the tailer's buffer, made anew when that is another one. */
    @SuppressWarnings("ReferenceEquality")
    private void view() {
        ByteBuffer payload = tailer.payload();
        if (payload != viewed) {
            viewed = payload;
            keyView = payload.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
            valueView = payload.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /**
     * The value that this change replaced, from position to limit: read-only, valid until {@link #next}. Null if there
     * was none, or the store does not record old values.
     *
     * @throws RetiredException if compaction has taken it away
     */
    public @Nullable ByteBuffer oldValue() {
        checkOnChange();
        long previous = entries.previous();
        if (previous == 0) {
            return null;
        }
        if (!oldValues.enter(segments.at(previous))) {
            throw new RetiredException("the old value at position " + previous + " was taken away");
        }
        return oldValues.read(key, previous);
    }

    /** Where the transaction begins in the log. */
    public long position() {
        return tailer.position();
    }

    /** The position right after the transaction. */
    public long nextPosition() {
        return tailer.nextPosition();
    }

    /** Whether this is the last change of its transaction. */
    public boolean endsTransaction() {
        checkOnChange();
        return entries.isLast();
    }

    /**
     * Makes the place after the current transaction the one from which the reader of this name goes on after a restart,
     * also after a power cut.
     *
     * @throws IllegalStateException if it has no name, or the transaction has more changes
     */
    public long store() {
        checkOpen();
        if (onChange && !entries.isLast()) {
            throw new IllegalStateException("the transaction at position " + tailer.position()
                    + " has more changes: store after its last one, see endsTransaction");
        }
        return tailer.store();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("change reader is closed");
        }
    }

    private void checkOnChange() {
        checkOpen();
        if (!onChange) {
            throw new IllegalStateException("the reader is on no change: call next first, and look at what it returns");
        }
    }

    @Override
    public void close() {
        closed = true;
        oldValues.leave();
        tailer.close();
    }
}
