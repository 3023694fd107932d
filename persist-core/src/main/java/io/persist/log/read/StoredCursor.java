package io.persist.log.read;

import io.persist.cursor.CursorDirectory;
import io.persist.cursor.CursorFile;
import io.persist.cursor.CursorName;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.format.control.CursorSlot;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The named cursor of a tailer. A position is stored only after everything before it was synced: a cursor ahead of what
 * a power cut leaves of the log would skip the records that are then appended below it.
 *
 * <p><b>Threads:</b> its tailer's.
 */
final class StoredCursor implements AutoCloseable {

    private final String name;
    private final CursorDirectory directory;
    private final CursorPositions positions;
    private final PositionSync sync;
    private final CursorFile file;
    private final long base;

    /** Everything before here was synced when the cursor was stored, and no repair has cut it off since. */
    private long known;

    private @Nullable LogIOException failure;

    /**
     * Registers the cursor {@code name} at the log's start, or takes it over where it was stored. Retention is kept
     * from changing the log meanwhile.
     */
    StoredCursor(Storage storage, String name, long hint, PositionSync sync) throws IOException {
        this.name = CursorName.check(name);
        this.directory = new CursorDirectory(storage);
        this.positions = new CursorPositions(storage);
        this.sync = sync;
        WriterLock exclusive = directory.exclusive();
        try (Opening opening = new Opening()) {
            this.file = opening.add(
                    directory.open(name, directory.exists(name) ? null : positions.start()), CursorFile::close);
            this.base = positions.find(name, file.slot(), hint);
            this.known = file.slot().position();
            file.claim();
            opening.done(file);
        } finally {
            exclusive.close();
        }
    }

    /** Moves the tailer's {@code cursor} to what is stored. */
    void resume(FrameCursor cursor) {
        CursorSlot slot = file.slot();
        cursor.moveTo(base, slot.position() - base, slot.sequence());
    }

    /**
     * Stores where the cursor of {@code repairs} and {@code moves} is; returns that position.
     *
     * @throws CorruptLogException if a repair has cut the log before it; then the cursor is marked as cut off
     */
    long store(RepairWatch repairs, TailerMoves moves) {
        FrameCursor cursor = repairs.uncutCursor();
        LogIOException first = failure;
        if (first != null) {
            throw first;
        }
        long position = cursor.nextPosition();
        try {
            if (position < file.slot().position()) {
                storeBack(repairs, moves, cursor);
            } else {
                storeOn(repairs, moves, cursor);
            }
            markIfCut(repairs);
            return position;
        } catch (LogIOException e) {
            failure = e;
            throw e;
        } catch (IOException | InternalError e) {
            LogIOException failed = new LogIOException(
                    "cursor " + name + " was not stored, and will not be until its tailer is opened anew: position="
                            + position + ": " + e.getMessage(),
                    e);
            failure = failed;
            throw failed;
        }
    }

    /** Nothing held the records between the new position and the stored one. */
    private void storeBack(RepairWatch repairs, TailerMoves moves, FrameCursor cursor) throws IOException {
        long position = cursor.nextPosition();
        WriterLock exclusive = directory.exclusive();
        try {
            if (position < positions.first()) {
                throw new RetiredException("cursor " + name + " cannot go back to records that are gone: position="
                        + position + ", first=" + positions.first() + "; go on from the log's first record");
            }
            positions.checkMayBegin(position, cursor.logId());
            if (positions.isVacated(position)) {
                throw new RetiredException("cursor " + name + " cannot go back to records that compaction has taken"
                        + " away: position=" + position + "; go on from a later record");
            }
            storeOn(repairs, moves, cursor);
        } finally {
            exclusive.close();
        }
    }

    private void storeOn(RepairWatch repairs, TailerMoves moves, FrameCursor cursor) throws IOException {
        long position = cursor.nextPosition();
        moves.provePlace(); // before the sync, which waits until the log has come so far
        known = Math.min(known, repairs.changedFrom());
        sync.syncTo(known, position);
        long logId = cursor.logId() == 0 ? file.slot().logId() : cursor.logId();
        long sequence = cursor.expectedSequence() == 0 ? positions.sequenceAt(position) : cursor.expectedSequence();
        file.store(logId, position, sequence);
        known = position;
    }

    /**
     * A repair may have come between the look for one and the write, and its mark be overwritten. It tells of the cut
     * before it reads the cursors: so either it has read what was written, or it is seen here.
     */
    private void markIfCut(RepairWatch repairs) throws IOException {
        if (repairs.isBeyondCut()) {
            file.cutOff();
            throw repairs.beyondCut();
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
