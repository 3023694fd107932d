package io.persist;

import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.log.control.ControlFile;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.recovery.LogInspector;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.OldestSeal;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import io.persist.monitor.WriterState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Looks at the numbers of a log, from any process, without a lock and without changing anything: which process writes
 * it, how far it has come, what it has counted, how large it is. Meanwhile the log may be closed, opened again and
 * deleted: each {@link #read} and {@link #extent} finds the files that are there at that moment, and nothing stays open
 * in between. So there is nothing to close.
 *
 * <p><b>Threads:</b> any. <b>Cost:</b> a read opens and maps one page, some ten microseconds, and does not disturb the
 * writer; nor does {@link #extent}, which lists the directory.
 */
public final class LogMonitor {

    /**
     * A log at one moment.
     *
     * @param writer the state of its last writer; if the writer is dead, the positions are the last ones that it
     *     stored, and {@code bin/persist verify}, or the next writer, tells how far the log goes now
     * @param pid the writer's process id
     * @param committedPosition the end of the last commit
     * @param flushedPosition the end of what survives the process; in {@code MAPPED} mode as of the last commit,
     *     although records appended since then survive it too
     * @param syncedPosition the end of what survives a power cut; beyond the committed position after a sync without a
     *     commit
     * @param statistics what it has counted since it was opened; no sync is under way if the writer is not live
     * @param cursors the stored positions of the named cursors, by their names; 0 of one that cannot be read, which
     *     holds all of the log
     */
    public record Reading(
            WriterState writer,
            long pid,
            long committedPosition,
            long flushedPosition,
            long syncedPosition,
            LogStatistics statistics,
            SortedMap<String, Long> cursors) {

        /** Whether an I/O error has ended the log's life until it is opened anew. */
        public boolean hasFailed() {
            return writer == WriterState.FAILED;
        }

        /** Committed bytes that a power cut would take back. */
        public long unsyncedBytes() {
            return behind(syncedPosition);
        }

        /** How many bytes the slowest cursor has still to read, as {@link #behind} says; 0 if there is no cursor. */
        public long slowestCursorLag() {
            return cursors.values().stream().mapToLong(this::behind).max().orElse(0);
        }

        /** How many bytes after {@code position} are committed, or on the device without a commit. */
        public long behind(long position) {
            return Math.max(0, endPosition() - position);
        }

        /** The end of what is committed, or on the device without a commit. */
        public long endPosition() {
            return Math.max(committedPosition, syncedPosition);
        }
    }

    /**
     * How large a log is at one moment, and how much there is room for.
     *
     * @param firstPosition where the log begins; {@code endPosition} if it has no segments
     * @param endPosition where it ends, as {@link Reading#endPosition} says
     * @param segments files that hold it, or will hold the next record; of a store also those whose records compaction
     *     has taken away
     * @param fileBytes lengths of all files in its directory: segments, also those made ahead and those that wait to be
     *     used again, what was set aside, and the checkpoints of a store that has them there. Of what is made ahead,
     *     and of segments without records, the file system keeps less
     * @param oldestSealedAtMs wall clock at which the oldest sealed segment was sealed, ms since 1970; of the next one
     *     if that cannot be read. 0 if no segment is sealed, or neither can be read
     * @param usableBytes what this user can still write to the file system
     */
    public record Extent(
            long firstPosition,
            long endPosition,
            int segments,
            long fileBytes,
            long oldestSealedAtMs,
            long usableBytes) {

        /** How many bytes of the log there are, from the first position to the end. */
        public long bytes() {
            return endPosition - firstPosition;
        }

        /** How old the oldest sealed segment is at {@code nowMs}, ms since 1970; 0 if no segment is sealed. */
        public long oldestAgeMs(long nowMs) {
            return oldestSealedAtMs == 0 ? 0 : Math.max(0, nowMs - oldestSealedAtMs);
        }
    }

    private final OldestSeal oldestSeal = new OldestSeal();
    private final Storage storage;

    /** A monitor of the log in {@code storage}. */
    public LogMonitor(Storage storage) {
        this.storage = storage;
    }

    /**
     * A monitor of the log in {@code directory}.
     *
     * @throws LogIOException if there is no such directory
     */
    public static LogMonitor open(Path directory) {
        try {
            return new LogMonitor(DirectoryStorage.open(directory));
        } catch (IOException e) {
            throw cannotLook(e);
        }
    }

    /**
     * Looks at the log.
     *
     * @throws LogIOException if there is no log, or it has no control block, or that cannot be read
     * @throws UnsupportedFormatException if a newer version wrote the control block
     */
    public Reading read() {
        return find().orElseThrow(this::missing);
    }

    /**
     * Looks at the log; empty if there is nothing to look at yet. So it is in an empty directory, and for the moment in
     * which a writer makes a new log. There a tailer waits, and {@link #read} throws. Segments whose control block was
     * not copied with them, or is damaged, get one from the next writer: before that the result is empty, too.
     *
     * @throws LogIOException if the directory, or what is in it, cannot be read
     * @throws UnsupportedFormatException as {@link #read} does
     */
    public Optional<Reading> find() {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            return control == null ? Optional.empty() : Optional.of(read(control, cursors()));
        } catch (IOException | InternalError e) {
            throw cannotLook(e);
        }
    }

    /**
     * Looks at how large the log is. It costs a listing of the directory, with the lengths of its files, and a look at
     * the oldest segment: no record is read. A monitor that is kept looks for the end of that segment only once.
     *
     * @throws LogIOException as {@link #read} says
     * @throws UnsupportedFormatException as {@link #read} says, or if a newer version wrote the oldest segment
     */
    public Extent extent() {
        try {
            List<String> names = storage.list(); // before the end is read: so the log does not end before its segments
            try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
                if (control == null) {
                    throw missing();
                }
                return extent(names, control);
            }
        } catch (IOException | InternalError e) {
            throw cannotLook(e);
        }
    }

    private Extent extent(List<String> names, ControlFile control) throws IOException {
        NavigableSet<Long> bases = LogFiles.of(names).basePositions();
        Long first = LogIdentity.firstBase(storage, bases, control.block().logId());
        long end = read(control, Collections.emptySortedMap()).endPosition();
        if (first == null) {
            return new Extent(end, end, 0, lengths(names), 0, storage.usableBytes());
        }
        end = Math.max(end, first); // what a power cut has left of the control block may be old
        NavigableSet<Long> segments = bases.subSet(first, true, end, true);
        return new Extent(
                first,
                end,
                segments.size(),
                lengths(names),
                oldestSeal.atMs(storage, segments, end),
                storage.usableBytes());
    }

    private long lengths(List<String> names) {
        long bytes = 0;
        for (String name : names) {
            if (!LogFileName.isLock(name)) {
                bytes += length(name);
            }
        }
        return bytes;
    }

    private long length(String name) {
        try {
            return storage.length(name);
        } catch (IOException e) {
            return 0; // taken away since the directory was listed, or no file
        }
    }

    private static LogIOException cannotLook(Throwable e) {
        return new LogIOException("cannot look at the log: " + e.getMessage(), e);
    }

    /**
     * The lower position first, {@code cursors} before all: so none seems to be ahead of a higher one because it was
     * read later.
     */
    private Reading read(ControlFile control, SortedMap<String, Long> cursors) throws IOException {
        ControlBlock block = control.block();
        BootId boot = storage.bootId();
        boolean isOfThisBoot = block.isBoot(boot);
        WriterState writer = LogInspector.writer(block, storage);
        boolean isStored = isOfThisBoot && writer != WriterState.KILLED; // what a dead one has left, may be torn
        long synced = isStored ? block.syncedOnThisBoot() : block.synced();
        long flushed = isStored ? block.flushedOnThisBoot() : block.flushed();
        long committed = block.committed();
        LogStatistics statistics = control.statistics();
        return new Reading(
                writer,
                block.pid(),
                committed,
                flushed,
                synced,
                writer.mayWrite() ? statistics : withoutSync(statistics),
                cursors);
    }

    /** The same, but for a sync in which the writer may have ended. */
    private static LogStatistics withoutSync(LogStatistics statistics) {
        return LogStatistics.of(counter -> counter == Counter.SYNC_BEGAN_AT_MS ? 0 : statistics.get(counter));
    }

    private SortedMap<String, Long> cursors() throws IOException {
        CursorDirectory directory = new CursorDirectory(storage);
        SortedMap<String, Long> positions = new TreeMap<>();
        for (String name : directory.names()) {
            try {
                positions.put(name, directory.read(name).position());
            } catch (FileNotFoundException removed) {
                positions.remove(name);
            } catch (CorruptLogException | UnsupportedFormatException | IOException unreadable) {
                positions.put(name, 0L); // the file of another user too: a monitor still tells all the rest
            }
        }
        return Collections.unmodifiableSortedMap(positions);
    }

    private LogIOException missing() {
        try {
            boolean isLog = !LogFiles.basePositions(storage).isEmpty();
            String why = isLog
                    ? "log has no readable control file, directory=" + storage.description()
                            + "; the next writer makes one when it opens the log"
                    : "not a log: no control file and no segments, directory=" + storage.description()
                            + "; name the directory that a logger writes to";
            return new LogIOException(why, null);
        } catch (IOException e) {
            return cannotLook(e);
        }
    }
}
