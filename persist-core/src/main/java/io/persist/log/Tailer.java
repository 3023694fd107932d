package io.persist.log;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Reads the records of a log in order, while it is being written or not, in the writer's process or another one. It
 * needs no lock and no right to write, and never holds up the writer.
 *
 * <p>Two ways to use it: {@link #next()} moves to the next record and leaves it open to look at; {@link #poll} hands
 * records to a handler. Both return at once when there is nothing new.
 *
 * <p>A tailer sees each record as soon as it is published, which may be before it is synced: a power cut can take back
 * what a tailer saw. It never sees a record that differs from what was appended: each one's checksum is verified.
 *
 * <p><b>Threads:</b> one at a time, {@link #close} included. <b>Allocation:</b> none per record, some per segment.
 */
public final class Tailer implements AutoCloseable {

    private final Storage storage;
    private final Visibility visibility;
    private final FrameCursor cursor;
    private final Consumer<Tailer> onClose;
    private boolean closed;

    Tailer(Storage storage, LogConfig config, Consumer<Tailer> onClose) throws IOException {
        this.storage = storage;
        this.onClose = onClose;
        this.visibility = new Visibility(storage);
        this.cursor = new FrameCursor(storage, config.readMode(), config.readBufferLength(), visibility);
        moveToStart(LogFiles.list(storage).basePositions());
    }

    /**
     * A tailer at the start of the log that {@code config} names, for a process that does not write it. Of the
     * configuration it uses the directory, the read mode and the read buffer's length.
     *
     * @throws LogIOException if the directory cannot be read
     */
    public static Tailer open(LogConfig config) {
        try {
            return open(config, DirectoryStorage.open(config.directory()));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The same on a storage of the caller's. */
    public static Tailer open(LogConfig config, Storage storage) {
        try {
            return new Tailer(storage, config, tailer -> {});
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** Goes to the oldest record that is still there. */
    public void toStart() {
        moveToStart(bases());
    }

    private void moveToStart(NavigableSet<Long> bases) {
        cursor.moveTo(bases.isEmpty() ? 0 : bases.first(), SegmentHeader.LENGTH, 0);
    }

    /** Goes behind the newest record: the next one will be the first that is appended from now on. */
    public void toEnd() {
        long hint = visibility.hint();
        Long base = bases().floor(hint);
        if (base != null && hint > cursor.nextPosition() && startsRecord(base, hint)) {
            cursor.moveTo(base, hint - base, 0);
        }
        while (next()) {
            // From the hint on there are few.
        }
    }

    /**
     * Goes to the record that begins at {@code target}, or to the end of the log if that is there.
     *
     * @throws RetiredException if the position is below the log's first one
     * @throws IllegalArgumentException if no record begins there
     */
    public void toPosition(long target) {
        Long base = bases().floor(target);
        if (base == null) {
            throw new RetiredException("position is gone: position=" + target + "; go on from the log's first record");
        }
        if (startsRecord(base, target)) {
            cursor.moveTo(base, target - base, 0);
            return;
        }
        // The start of a segment is the end of the log only once the segment before it is sealed.
        Long before = target == base + SegmentHeader.LENGTH ? bases().lower(base) : null;
        cursor.moveTo(before == null ? base : before, SegmentHeader.LENGTH, 0);
        while (cursor.nextPosition() < target && next()) {
            // Up to the target: it may be where the next record will begin.
        }
        if (cursor.nextPosition() != target) {
            toStart();
            throw new IllegalArgumentException("no record begins here: position=" + target);
        }
    }

    /**
     * Goes to the record number {@code target}; the number after the last one is the end of the log. The time grows
     * with the logarithm of the log's length.
     *
     * @throws RetiredException if retention has taken the record away
     * @throws IllegalArgumentException if it has not been written yet
     */
    public void toSequence(long target) {
        checkOpen();
        if (target < 1) {
            throw new IllegalArgumentException("sequence=" + target + ", min=1");
        }
        try {
            visibility.refresh();
            long found = new SequenceSearch(storage, visibility.limit(), visibility.hint()).positionOf(target);
            long base = Objects.requireNonNull(bases().floor(found));
            cursor.moveTo(base, found - base, target);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private NavigableSet<Long> bases() {
        checkOpen();
        try {
            visibility.refresh();
            return LogFiles.list(storage).basePositions();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private boolean startsRecord(long base, long target) {
        int offset = (int) Math.min(target - base, Integer.MAX_VALUE);
        if (offset < SegmentHeader.LENGTH || offset % Frame.ALIGNMENT != 0) {
            return false;
        }
        try (ScannedSegment scanned = ScannedSegment.open(storage, base)) {
            return scanned.damage() == null
                    && offset < scanned.scanner().end()
                    && scanned.scanner().verdict(offset) == FrameVerdict.VALID;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Moves to the next record.
     *
     * @return whether there is one; false says that it has not been published yet
     * @throws io.persist.error.CorruptLogException if the next record is damaged; the tailer stays before it
     * @throws RetiredException if retention has overtaken the tailer
     */
    public boolean next() {
        checkOpen();
        try {
            return cursor.next();
        } catch (IOException | InternalError e) {
            throw failed(e);
        }
    }

    private LogIOException failed(Throwable cause) {
        return new LogIOException(
                "cannot read the log at position " + cursor.nextPosition() + ": " + cause.getMessage(), cause);
    }

    /**
     * Hands up to {@code limit} records to {@code handler}.
     *
     * @return how many there were; 0 says that none has been published since
     * @throws io.persist.error.CorruptLogException if a record is damaged; those before it have been handed over
     * @throws RetiredException if retention has overtaken the tailer; with a recycled segment, records that this very
     *     call handed over may have been overwritten under the handler
     */
    public int poll(RecordHandler handler, int limit) {
        int count = 0;
        while (count < limit && next()) {
            count++;
            handler.onRecord(cursor.position(), cursor.sequence(), cursor.payload());
        }
        if (count > 0) {
            try {
                cursor.checkNotReused();
            } catch (IOException e) {
                throw failed(e);
            }
        }
        return count;
    }

    /** Where the current record begins. */
    public long position() {
        return cursor.position();
    }

    /** Where the next record begins, or will begin. */
    public long nextPosition() {
        return cursor.nextPosition();
    }

    /** The current record's number, 1 for the first of the log. */
    public long sequence() {
        return cursor.sequence();
    }

    /** Whether the writer called commit between the record before the current one and this one. */
    public boolean startsCommit() {
        return cursor.startsCommit();
    }

    /** The current record, from position to limit; little-endian, read-only, valid until the tailer is used again. */
    public ByteBuffer payload() {
        return cursor.payload();
    }

    long neededPosition() {
        return cursor.neededPosition();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("tailer is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cursor.close();
            visibility.close();
            onClose.accept(this);
        }
    }
}
