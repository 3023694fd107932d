package io.persist.log.read;

import io.persist.cursor.CursorDirectory;
import io.persist.cursor.CursorName;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.BootId;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.CursorSlot;
import io.persist.log.TailerConfig;
import io.persist.log.control.ControlFile;
import io.persist.log.read.visible.Visibility;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.segment.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The named cursors of a log, for operating it, while it is being written and read or not. It needs the right to write
 * to the directory, because the locks of the cursors tell whether they are in use.
 *
 * <p><b>Threads:</b> any; each call is for itself.
 */
public final class LogCursors {

    /**
     * A cursor at one moment.
     *
     * @param name the cursor's name
     * @param position where its next record begins
     * @param sequence the number of that record; 0 if the log was cut before it, by a repair or a restore
     * @param storedAtMs wall clock at which it was stored, ms since 1970
     * @param file the name of the first segment that it holds; empty if there is no such segment
     * @param lagBytes from the cursor to the end of what is committed, or on the device; 0 if it is beyond
     * @param inUse whether a tailer has it
     * @param pid that tailer's process, 0 if it is not in use
     * @param damage why it cannot be read, null if it can; then it holds the whole log, and the numbers above are 0
     * @param refused why a tailer is refused that is opened with its name, null if it is not; it holds the log all the
     *     same, until it is removed
     */
    public record CursorState(
            String name,
            long position,
            long sequence,
            long storedAtMs,
            String file,
            long lagBytes,
            boolean inUse,
            long pid,
            @Nullable String damage,
            @Nullable String refused) {}

    private final Storage storage;
    private final CursorDirectory directory;
    private final CursorPositions positions;

    /** The cursors of the log in {@code storage}. */
    public LogCursors(Storage storage) {
        this.storage = storage;
        this.directory = new CursorDirectory(storage);
        this.positions = new CursorPositions(storage);
    }

    /**
     * The cursors of the log in {@code directory}; there is nothing to close.
     *
     * @throws LogIOException if there is no such directory
     */
    public static LogCursors open(Path directory) {
        return FileAction.orFail("cannot look at the cursors", () -> new LogCursors(DirectoryStorage.open(directory)));
    }

    /**
     * The cursors, sorted by their names.
     *
     * @throws LogIOException if they cannot be read
     */
    public List<CursorState> list() {
        try {
            if (directory.names().isEmpty()) {
                return List.of();
            }
            try {
                return states();
            } catch (FileNotFoundException takenAway) { // without the lock, which is there by now
                return states();
            }
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the cursors: " + e.getMessage(), e);
        }
    }

    private List<CursorState> states() throws IOException {
        List<CursorState> stored = stored();
        long hint = stored.isEmpty() ? 0 : hint();
        List<CursorState> states = new ArrayList<>();
        for (CursorState state : stored) {
            states.add(state.damage() == null ? withRefusal(state, refusalNow(state.name(), hint)) : state);
        }
        return List.copyOf(states);
    }

    /** What is stored, and who has it. Nothing is read of the log while others wait for the lock of the cursors. */
    @SuppressWarnings("try") // the lock is there to be had
    private List<CursorState> stored() throws IOException {
        long end = LogFiles.basePositions(storage).isEmpty() ? 0 : end();
        List<CursorState> states = new ArrayList<>();
        try (WriterLock exclusive = directory.exclusiveIfUsed()) {
            NavigableSet<Long> bases = LogFiles.basePositions(storage);
            for (String name : directory.names()) {
                states.add(state(name, bases, end));
            }
        }
        return states;
    }

    /** Where a recent record begins, as the opening of a cursor has it: else all of a segment would be read. */
    private long hint() throws IOException {
        try (Visibility visibility =
                new Visibility(storage, TailerConfig.defaults().readScope())) {
            return visibility.hint();
        }
    }

    /**
     * The cursors with whose names no tailer can be opened, and why. It takes no lock, and leaves out what is changed
     * meanwhile.
     *
     * @throws LogIOException if they cannot be read
     */
    public SortedMap<String, String> refused() {
        SortedMap<String, String> refused = new TreeMap<>();
        try {
            List<String> names = directory.names();
            long hint = names.isEmpty() ? 0 : hint();
            for (String name : names) {
                String why = refusalNow(name, hint);
                if (why != null) {
                    refused.put(name, why);
                }
            }
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the cursors: " + e.getMessage(), e);
        }
        return Collections.unmodifiableSortedMap(refused);
    }

    private @Nullable String refusalNow(String name, long hint) throws IOException {
        try {
            CursorSlot slot = directory.read(name);
            String why = refusal(name, slot, hint);
            return slot.equals(directory.read(name)) ? why : null; // its reader has gone on, and retention behind it
        } catch (CorruptLogException | UnsupportedFormatException unreadable) {
            return unreadable.getMessage();
        } catch (FileNotFoundException takenAway) {
            return null;
        }
    }

    private @Nullable String refusal(String name, CursorSlot slot, long hint) throws IOException {
        try {
            positions.find(name, slot, hint);
            return null;
        } catch (CorruptLogException | UnsupportedFormatException | RetiredException e) {
            return e.getMessage();
        }
    }

    private CursorState state(String name, NavigableSet<Long> bases, long end) throws IOException {
        boolean inUse = directory.isInUse(name);
        try {
            CursorSlot slot = directory.read(name);
            Long base = bases.floor(slot.position());
            return new CursorState(
                    name,
                    slot.position(),
                    slot.sequence(),
                    slot.storedAtMs(),
                    base == null ? "" : LogFileName.segment(base),
                    Math.max(0, end - slot.position()),
                    inUse,
                    inUse ? slot.pid() : 0,
                    null,
                    null);
        } catch (CorruptLogException | UnsupportedFormatException e) {
            String file = bases.isEmpty() ? "" : LogFileName.segment(bases.first());
            return new CursorState(name, 0, 0, 0, file, 0, inUse, 0, e.getMessage(), null);
        }
    }

    private static CursorState withRefusal(CursorState state, @Nullable String refused) {
        return new CursorState(
                state.name,
                state.position,
                state.sequence,
                state.storedAtMs,
                state.file,
                state.lagBytes,
                state.inUse,
                state.pid,
                state.damage,
                refused);
    }

    /** The end of what is committed or synced; where no writer of this boot tells it, the end of the log. */
    private long end() throws IOException {
        BootId boot = storage.bootId();
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            ControlBlock block = control == null ? null : control.block();
            if (block != null && !block.isSetAside() && block.isBoot(boot)) {
                return Math.max(block.committed(), block.syncedOnThisBoot());
            }
        }
        return new LogInspector(storage)
                .inspect(LogScan.Start.TRUSTED)
                .findings()
                .tail();
    }

    /**
     * Makes a cursor for the reader {@code name}, which need not be there yet: from when this returns the cursor holds
     * what is in the log, also after a power cut. If there is one of this name, in use or not, this changes nothing.
     *
     * <p>The reader is a tailer, or of a store also a reader of changes. It begins at the log's first record of now, or
     * the first change from which on all are there.
     *
     * @param name as {@link Tailer#open(Path, String)} has it
     * @throws LogLockedException if something that opens or removes a cursor does not come to an end within 10 s
     * @throws CorruptLogException if there is no cursor of this name, and a segment of another log is where the log
     *     begins, or the one there or its first record is damaged: nobody knows the number of that record then
     * @throws LogIOException if the operating system refuses something, as to read that segment: then nothing is stored
     */
    public void register(String name) {
        CursorName.check(name);
        try {
            WriterLock exclusive = directory.exclusive();
            try {
                directory.register(name, directory.exists(name) ? null : positions.start());
            } finally {
                exclusive.close();
            }
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot register the cursor " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Removes a cursor, so that it holds nothing any more. The next tailer with its name begins at the log's first
     * record.
     *
     * @throws IllegalArgumentException if there is no such cursor
     * @throws LogLockedException if a tailer has it
     * @throws LogIOException if the operating system refuses something
     */
    public void remove(String name) {
        CursorName.check(name);
        try {
            requireExists(name); // before the file of the lock is made
            WriterLock exclusive = directory.exclusive();
            try {
                requireExists(name);
                directory.remove(name);
            } finally {
                exclusive.close();
            }
        } catch (IOException e) {
            throw new LogIOException("cannot remove the cursor " + name + ": " + e.getMessage(), e);
        }
    }

    private void requireExists(String name) throws IOException {
        if (!directory.exists(name)) {
            throw noCursor(name, directory.names());
        }
    }

    private IllegalArgumentException noCursor(String name, List<String> there) {
        String what = "no such cursor: name=" + name + ", directory=" + storage.description();
        return new IllegalArgumentException(
                there.isEmpty()
                        ? what + ", which has no cursors: there is nothing to remove"
                        : what + ", cursors=" + there + "; name one of these");
    }
}
