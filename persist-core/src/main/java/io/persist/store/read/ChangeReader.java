package io.persist.store.read;

import io.persist.error.RetiredException;
import io.persist.format.SegmentHeader;
import io.persist.index.node.KeyBuffer;
import io.persist.log.read.Tailer;
import io.persist.log.segment.MappedSegments;
import io.persist.log.thread.CallingThread;
import io.persist.log.thread.FreeStack;
import io.persist.memory.LentBytes;
import io.persist.memory.ReusedBuffer;
import io.persist.store.ChangeType;
import io.persist.store.state.EntryCursor;
import io.persist.store.value.ValueReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a store in the order in which they were committed, from a position on and as they come. Moves by
 * compaction are no changes and are not shown.
 *
 * <p>While the reader is open, compaction takes nothing away that the reader still has to read. With a name, which one
 * open reader at a time can have, that holds after a restart too, from where the reader last called {@link #store}. Old
 * values may lie before that, and compaction may have taken them away.
 *
 * <p><b>Threads:</b> one at a time; {@link #close} any. It holds up no commit. <b>Allocation:</b> none per change, some
 * per segment. A method that returns a key or a value allocates the copy; the methods whose names end in {@code
 * UntilNext} allocate nothing.
 *
 * <p><b>Errors:</b> an {@link IllegalStateException} if the reader is closed, and from a method that tells of a change
 * also if the last {@link #next} did not return true.
 */
public final class ChangeReader implements AutoCloseable {

    /** Old values lie near each other if the changes do. */
    private static final int VIEWS = 16;

    private final Tailer tailer;
    private final MappedSegments segments;
    private final LongConsumer awaitShown;
    private final EntryCursor entries = new EntryCursor();
    private final KeyBuffer key = new KeyBuffer();
    private final ValueReader oldValues = new ValueReader(VIEWS);
    private final LentBytes lentKey = new LentBytes();
    private final LentBytes lentValue = new LentBytes();
    private final ReusedBuffer valueBuffer = new ReusedBuffer();
    private boolean inTransaction;
    private boolean onChange;
    private final CallingThread caller = new CallingThread(Set.of(ChangeReader.class), Set.of("close", "end"));

    /** Volatile: see {@link CallingThread}. */
    private volatile boolean closed;

    /** {@code awaitShown} returns when the store's lookups find what is before a position. */
    ChangeReader(Tailer tailer, MappedSegments segments, LongConsumer awaitShown) {
        this.tailer = tailer;
        this.segments = segments;
        this.awaitShown = awaitShown;
    }

    /** Goes to {@code position}, which a commit has returned, or to the log's beginning if it is 0. */
    ChangeReader from(long position, List<SegmentHeader> known) {
        long complete = SegmentHeader.completeFrom(known);
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
     * Goes on at the cursor. A new reader, whose cursor is at the beginning of the log, begins at the first change that
     * is still there.
     */
    ChangeReader resume(List<SegmentHeader> known) {
        long complete = SegmentHeader.completeFrom(known);
        if (tailer.nextPosition() < complete) {
            // Right behind the last gap: that lies below the older of two checkpoints, so there is a record.
            tailer.toPosition(complete + SegmentHeader.LENGTH);
        }
        return this;
    }

    /**
     * Moves to the next change. A {@code get} of the store that comes after this finds that change, or a later one.
     *
     * @return whether there is one; false says that none has been committed yet
     * @throws io.persist.error.CorruptLogException if the next transaction is damaged; the reader stays before it
     * @throws io.persist.error.LogIOException if the log cannot be read
     */
    public boolean next() {
        checkOpen();
        takeBack();
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
            enter();
        }
    }

    /** Enters the transaction that the tailer is on; one that cannot be read is not passed. */
    private void enter() {
        boolean entered = false;
        try {
            entries.wrap(tailer.payloadUntilNext(), tailer.position());
            if (!entries.isMove()) {
                awaitShown.accept(tailer.nextPosition());
            }
            entered = true;
        } finally {
            if (!entered) {
                tailer.toRecord(tailer.position(), tailer.sequence());
            }
        }
        inTransaction = !entries.isMove();
    }

    private void takeBack() {
        lentKey.takeBack();
        lentValue.takeBack();
        oldValues.takeBack();
    }

    /**
     * What the change did: put a key, removed one, or removed a range.
     *
     * @throws IllegalStateException if the reader is on no change
     */
    public ChangeType type() {
        checkOnChange();
        if (entries.removesRange()) {
            return ChangeType.REMOVE_RANGE;
        }
        return entries.isPut() ? ChangeType.PUT : ChangeType.REMOVE;
    }

    /** The key in a buffer of its own, from position to limit; read-only, little-endian. It never changes. */
    public ByteBuffer key() {
        return lentKey().copy();
    }

    /** The key in an array of its own. */
    public byte[] keyBytes() {
        return lentKey().bytes();
    }

    /** As {@link #key}, without allocation: the reader has one buffer, which has the key only until {@link #next}. */
    public ByteBuffer keyUntilNext() {
        return lentKey().view();
    }

    private LentBytes lentKey() {
        checkOnChange();
        lentKey.lend(key.bytes(), 0, key.length());
        return lentKey;
    }

    /**
     * The new value in a buffer of its own, from position to limit; read-only, little-endian. It never changes. For a
     * REMOVE it is empty. For a REMOVE_RANGE it is the key at which the range ends, which is not in the range; it is
     * empty if the range has no end.
     */
    public ByteBuffer value() {
        return lentValue().copy();
    }

    /** The new value in an array of its own; empty for a REMOVE. */
    public byte[] valueBytes() {
        return lentValue().bytes();
    }

    /**
     * As {@link #value}, without allocation: the reader has one buffer, which has the value only until {@link #next}.
     */
    public ByteBuffer valueUntilNext() {
        return lentValue().view();
    }

    private LentBytes lentValue() {
        checkOnChange();
        int length = entries.valueLength();
        byte[] copy = valueBuffer.ofLength(length).array();
        tailer.payloadUntilNext().get(entries.valueIndex(), copy, 0, length);
        lentValue.lend(copy, 0, length);
        return lentValue;
    }

    /**
     * The value that this change replaced in a buffer of its own, from position to limit; read-only, little-endian. It
     * never changes. Null if there was no value, or the store does not record old values.
     *
     * @throws RetiredException if compaction has taken the value away
     * @throws io.persist.error.CorruptLogException if the value is damaged
     */
    public @Nullable ByteBuffer oldValue() {
        LentBytes value = lentOldValue();
        return value == null ? null : value.copy();
    }

    /** The value that this change replaced in an array of its own, as {@link #oldValue} has it. */
    public byte @Nullable [] oldValueBytes() {
        LentBytes value = lentOldValue();
        return value == null ? null : value.bytes();
    }

    /** As {@link #oldValue}, without allocation: the buffer of this reader has the value only until {@link #next}. */
    public @Nullable ByteBuffer oldValueUntilNext() {
        LentBytes value = lentOldValue();
        return value == null ? null : value.view();
    }

    private @Nullable LentBytes lentOldValue() {
        checkOnChange();
        long previous = entries.previous();
        if (previous == 0) {
            return null;
        }
        if (!oldValues.enter(segments.at(previous))) {
            throw new RetiredException("the old value at position " + previous
                    + " was taken away by compaction; read old values soon after the change");
        }
        return oldValues.read(key, previous);
    }

    /** The position where the transaction begins in the log. */
    public long position() {
        checkOnChange();
        return tailer.position();
    }

    /** The id of the store's log, to be kept with a position that is kept elsewhere: see {@link Tailer#logId}. */
    public long logId() {
        return tailer.logId();
    }

    /**
     * Where a reader goes on that has seen all that this one has shown: right after the transaction.
     *
     * @throws IllegalStateException if the transaction has more changes: one that begins there would never see them
     */
    public long nextPosition() {
        checkAllShown("keep the position");
        return tailer.nextPosition();
    }

    /** Whether this is the last change of its transaction. */
    public boolean endsTransaction() {
        checkOnChange();
        return entries.isLast();
    }

    /**
     * Stores the position after the current transaction: the reader of this name begins there after a restart. It
     * returns when the device has it, so that it survives a power cut.
     *
     * @return the position that is stored
     * @throws IllegalStateException if the reader has no name, or the transaction has more changes
     * @throws io.persist.error.LogIOException if something could not be synced or written
     */
    public long store() {
        checkAllShown("store");
        return tailer.store();
    }

    private void checkAllShown(String what) {
        checkOpen();
        if (onChange && !entries.isLast()) {
            throw new IllegalStateException("the transaction at position " + tailer.position() + " has more changes: "
                    + what + " after its last one, see endsTransaction");
        }
    }

    private void checkOpen() {
        caller.enter();
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

    /**
     * Closes the reader.
     *
     * @throws StackOverflowError if there is too little stack to close it; nothing was changed
     */
    @Override
    public void close() {
        FreeStack.requireMore(); // for the tailer is closed in the middle
        closed = true;
        caller.close(this::end);
    }

    private void end() {
        try (tailer) { // whatever letting go throws
            oldValues.letGo();
        }
    }
}
