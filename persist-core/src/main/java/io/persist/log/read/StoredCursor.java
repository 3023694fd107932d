package io.persist.log.read;

import io.persist.cursor.CursorDirectory;
import io.persist.cursor.CursorFile;
import io.persist.cursor.CursorName;
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

    /** Stores where {@code cursor} is; returns that position. */
    long store(FrameCursor cursor) {
        LogIOException first = failure;
        if (first != null) {
            throw first;
        }
        long position = cursor.nextPosition();
        try {
            if (position < file.slot().position()) {
                storeBack(cursor);
            } else {
                storeOn(cursor);
            }
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
    private void storeBack(FrameCursor cursor) throws IOException {
        long position = cursor.nextPosition();
        WriterLock exclusive = directory.exclusive();
        try {
            if (position < positions.first()) {
                throw new RetiredException("cursor " + name + " cannot go back to records that are gone: position="
                        + position + ", first=" + positions.first() + "; go on from the log's first record");
            }
            storeOn(cursor);
        } finally {
            exclusive.close();
        }
    }

    private void storeOn(FrameCursor cursor) throws IOException {
        long position = cursor.nextPosition();
        sync.syncTo(file.slot().position(), position); // what is stored was synced before
        long logId = cursor.logId() == 0 ? file.slot().logId() : cursor.logId();
        long sequence = cursor.expectedSequence() == 0 ? positions.sequenceAt(position) : cursor.expectedSequence();
        file.store(logId, position, sequence);
    }

    @Override
    public void close() {
        file.close();
    }
}
