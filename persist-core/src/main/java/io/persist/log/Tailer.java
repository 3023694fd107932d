package io.persist.log;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log in order, while it is being written or not, in the writer's process or another one. It
 * needs no lock and no right to write, and never holds up the writer.
 *
 * <p>Two ways to use it: {@link #next()} moves to the next record and leaves it open to look at; {@link #poll} hands
 * records to a handler. Both return at once when there is nothing new.
 *
 * <p>A tailer sees each record as soon as it is published, which may be before it is synced: a power cut can take back
 * what a tailer saw. With {@link ReadScope#SYNCED} it sees only what no power cut takes back. It never sees a record
 * that differs from what was appended: each one's checksum is verified.
 *
 * <p>A tailer with a name, of which there is one at a time, goes on after a restart where it last called {@link
 * #store}. Its cursor keeps retention from the records that it has not passed, until {@link LogCursors} removes it.
 *
 * <p><b>Threads:</b> one at a time, {@link #close} included. <b>Allocation:</b> none per record, some per segment.
 */
public final class Tailer implements AutoCloseable {

    private final Storage storage;
    private final Visibility visibility;
    private final FrameCursor cursor;
    private final LogPlaces places;
    private final Consumer<Tailer> onClose;
    private @Nullable StoredCursor stored;
    private boolean closed;

    Tailer(Storage storage, LogConfig config, long logId, Consumer<Tailer> onClose) throws IOException {
        this.storage = storage;
        this.places = new LogPlaces(storage);
        this.onClose = onClose;
        NavigableSet<Long> bases = LogFiles.list(storage).basePositions(); // before there is something to close
        this.visibility = new Visibility(storage, config.readScope());
        this.cursor = new FrameCursor(storage, config.readMode(), config.readBufferLength(), visibility, logId);
        moveToStart(bases);
    }

    /**
     * A tailer at the start of the log that {@code config} names, for a process that does not write it. Of the
     * configuration it uses the directory, the read mode, the read buffer's length and the read scope.
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
            return new Tailer(storage, config, 0, tailer -> {});
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /**
     * The tailer with the cursor {@code name}: where it last stored, or at the start of the log if there is no such
     * cursor yet; then it is made, and survives a power cut when this returns. Needs the right to write to the
     * directory.
     *
     * @param name 1 to 64 letters of A to Z and a to z, digits, dots, underscores and hyphens; no dot at first
     * @throws io.persist.error.LogLockedException if there is another tailer with this name
     * @throws RetiredException if the records at the cursor are gone although it held them
     * @throws io.persist.error.CorruptLogException if the cursor cannot be read, or stands where the log has no record
     * @throws LogIOException if the operating system refuses something
     */
    public static Tailer open(LogConfig config, String name) {
        try {
            return open(config, name, DirectoryStorage.open(config.directory()));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The same on a storage of the caller's. */
    public static Tailer open(LogConfig config, String name, Storage storage) {
        return open(config, name, storage, 0, files -> files, tailer -> {});
    }

    /** {@code sync} makes the way to sync for this tailer from the one that syncs files. */
    static Tailer open(
            LogConfig config,
            String name,
            Storage storage,
            long logId,
            UnaryOperator<PositionSync> sync,
            Consumer<Tailer> onClose) {
        try {
            return new Tailer(storage, config, logId, onClose).resume(name, sync);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot open the cursor " + name + ": " + e.getMessage(), e);
        }
    }

    private Tailer resume(String name, UnaryOperator<PositionSync> sync) throws IOException {
        try {
            PositionSync files = new FileSync(storage, visibility);
            StoredCursor resumed = new StoredCursor(storage, name, visibility.hint(), sync.apply(files));
            resumed.resume(cursor);
            stored = resumed;
            return this;
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * Stores where the next record begins, to go on there after a restart; returns when the device has it. First it
     * makes sure that everything before is synced: a cursor is never ahead of what a power cut leaves of the log.
     *
     * @return {@link #nextPosition()}, which is stored now
     * @throws IllegalStateException if the tailer has no name
     * @throws RetiredException if the tailer has gone back, to records that are gone by now
     * @throws LogIOException if something could not be synced or written; from then on this tailer stores nothing more
     */
    public long store() {
        checkOpen();
        if (stored == null) {
            throw new IllegalStateException("tailer has no name; open it with one to store its position");
        }
        return stored.store(cursor);
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
        Long base = bases().floor(visibility.hint());
        long hint = Math.min(visibility.hint(), visibility.limit());
        if (base != null && hint > cursor.nextPosition() && places.startsRecord(base, hint)) {
            cursor.moveTo(base, hint - base, 0);
        }
        while (next()) { // from the hint on there are few
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
        if (visibility.shows(target) && places.startsRecord(base, target)) {
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

    /** Goes to where record {@code number} begins, or will, as the caller knows: what lies before it is not read. */
    public void toRecord(long target, long number) {
        long base = Objects.requireNonNullElse(bases().floor(target), target);
        cursor.moveTo(base, target - base, number);
    }

    /**
     * Goes to the record number {@code target}, in logarithmic time; the number after the last is the end of the log.
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
            SequenceSearch.Place found = new SequenceSearch(storage, visibility).find(target);
            cursor.moveTo(found.base(), found.position() - found.base(), target);
        } catch (IOException | InternalError e) {
            throw failed(e);
        }
    }

    private NavigableSet<Long> bases() {
        checkOpen();
        try {
            visibility.refresh();
            return LogFiles.list(storage).basePositions();
        } catch (IOException | InternalError e) {
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
            } catch (IOException | InternalError e) {
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
            if (stored != null) {
                stored.close();
            }
            onClose.accept(this);
        }
    }
}
