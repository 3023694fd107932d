package io.persist.store.read;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.FileAction;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.read.TailerOpener;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens readers of a store's changes, and finds where they begin.
 *
 * <p><b>Threads:</b> any.
 */
public final class ChangeReaders {

    private static final String ADVICE = "read the store's state by a snapshot, and the changes from its position on";

    private final Storage storage;

    /** Of a store that this process has open; null if only the files of its log tell of it. */
    private final @Nullable StoreCore core;

    private ChangeReaders(Storage storage, @Nullable StoreCore core) {
        this.storage = storage;
        this.core = core;
    }

    /**
     * Opens readers of the changes of {@code core}, which this process has open. Its log knows of them, so compaction
     * leaves alone what they still have to read.
     */
    public ChangeReaders(StoreCore core) {
        this(core.storage(), core);
    }

    /** For readers of a store whose log is in {@code directory}, whoever has it open. */
    static ChangeReaders of(Path directory) {
        return FileAction.orFail("cannot read the log", () -> of(DirectoryStorage.open(directory)));
    }

    static ChangeReaders of(Storage storage) {
        return new ChangeReaders(storage, null);
    }

    /** A reader from {@code position} on, which a commit or a snapshot has returned; 0 for all. To be closed. */
    public ChangeReader open(long position, TailerConfig config) {
        awaitInFile(position);
        return opened(() -> tailer(config), tailer -> begin(tailer, position));
    }

    private Tailer tailer(TailerConfig config) {
        return core == null
                ? TailerOpener.ofChanges(storage).open(config)
                : core.writer().tailer(config);
    }

    private void awaitInFile(long position) {
        checkUsable();
        if (position < 0) {
            throw new IllegalArgumentException("position=" + position + ", min=0");
        }
        if (core != null && core.writer().flushedPosition() < position) {
            core.flushes().flush(); // the reader begins in the file, where the position is known only then
        }
    }

    /** The reader {@code name}, which begins where it last stored its position. To be closed. */
    public ChangeReader open(String name, TailerConfig config) {
        checkUsable();
        return opened(() -> tailer(name, config), this::resume);
    }

    private Tailer tailer(String name, TailerConfig config) {
        return core == null
                ? TailerOpener.ofChanges(storage).open(name, config)
                : core.writer().tailer(name, config);
    }

    private void checkUsable() {
        if (core != null) {
            core.checkUsable();
        }
    }

    /** The reader {@code name} from {@code position} on, which its consumer has reached; 0 for all. To be closed. */
    public ChangeReader open(String name, long position, TailerConfig config) {
        awaitInFile(position);
        return opened(() -> tailer(name, config), tailer -> resumeAt(tailer, position));
    }

    private interface Begin {
        void at(Tailer tailer) throws IOException;
    }

    /** The segments are looked at only when the tailer holds what it has to read, if it holds anything. */
    private ChangeReader opened(Supplier<Tailer> opener, Begin begin) {
        try (Opening opening = new Opening()) {
            Tailer tailer = opening.add(opener.get(), Tailer::close);
            begin.at(tailer);
            return opening.done(
                    core == null
                            ? new ChangeReader(tailer, OldValueReader.alone(storage), shown -> {}) // no lookups
                            : new ChangeReader(tailer, OldValueReader.of(core.segments()), core.shown()::await));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** Goes to {@code position}, which a commit has returned, or to the log's beginning if it is 0. */
    private void begin(Tailer tailer, long position) throws IOException {
        long complete = completeFrom(tailer);
        if (position < complete) {
            throw gone(position, complete);
        }
        try {
            if (position > 0) {
                toPosition(tailer, position);
                return;
            }
            tailer.toStart();
        } catch (RetiredException meanwhile) {
            throw gone(position, completeFrom(tailer));
        }
        if (tailer.nextPosition() != SegmentHeader.LENGTH) { // another process has taken the first one away meanwhile
            throw gone(position, completeFrom(tailer));
        }
    }

    private static void toPosition(Tailer tailer, long position) {
        try {
            tailer.toPosition(position);
        } catch (IllegalArgumentException e) {
            tailer.toEnd();
            long end = tailer.nextPosition();
            if (position <= end) {
                throw new IllegalArgumentException(
                        "no transaction ends here: position=" + position
                                + "; give one that this store's commit, snapshot or change reader has told; if it has,"
                                + " a power cut or a restored copy has taken the log back since: " + ADVICE,
                        e);
            }
            throw new IllegalArgumentException(
                    "position is beyond the end of the log: position=" + position + ", end=" + end
                            + "; if a commit has returned it, the writing process may not have handed it to the"
                            + " operating system yet; else a power cut or a restored copy has taken the log back: "
                            + ADVICE,
                    e);
        }
    }

    /**
     * Goes on at the cursor. A new reader, whose cursor is at the beginning of the log, begins at the first change that
     * is still there, and its cursor with it: what lies before, the name need not hold.
     */
    private void resume(Tailer tailer) throws IOException {
        long complete = completeFrom(tailer);
        if (tailer.nextPosition() < complete) {
            // Right behind the last gap: that lies below the older of two checkpoints, so there is a record.
            tailer.toPosition(complete + SegmentHeader.LENGTH);
            tailer.store();
        }
    }

    /**
     * Goes on at {@code position}. The cursor may be behind it, but no change may lie between the two: what lies before
     * its cursor a reader does not hold. The ends of segments and moves do: a reader stores where it stands, which is
     * behind those, and its consumer has kept the end of the last change.
     */
    private void resumeAt(Tailer tailer, long position) throws IOException {
        resume(tailer);
        long held = tailer.nextPosition();
        begin(tailer, position);
        if (position >= held) {
            return;
        }
        ChangeCursor between = new ChangeCursor(tailer, end -> {});
        if (between.next() && tailer.position() < held) {
            throw new RetiredException("changes before the cursor are not held any more: position=" + position
                    + ", cursor=" + held + "; " + ADVICE);
        }
        long complete = completeFrom(tailer); // if some were taken away meanwhile, the tailer has passed over that
        if (position < complete) {
            throw gone(position, complete);
        }
        tailer.toPosition(held);
    }

    /**
     * The position from which on all changes are there. A header that cannot be read does not count, whatever it was:
     * the reader comes to it and throws, unless it is behind the end of the log, or the reader begins behind it. So it
     * is with a file of another log.
     */
    private long completeFrom(Tailer tailer) throws IOException {
        long logId = tailer.logId();
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Long first = LogIdentity.firstBase(storage, bases, logId);
        return SegmentHeader.completeFrom(
                first == null ? 0 : first,
                LogFiles.readableHeaders(storage, bases).stream()
                        .filter(header -> header.logId() == logId)
                        .toList());
    }

    private static RetiredException gone(long position, long complete) {
        return new RetiredException("changes are gone: position=" + position + ", first=" + complete + "; " + ADVICE);
    }

    /** What a reader throws that was overtaken at {@code position}. */
    static RetiredException overtaken(long position) {
        return new RetiredException("changes are gone: position=" + position + "; " + ADVICE
                + ". A reader with a name, or one that the store itself opens, holds what it has not read");
    }
}
