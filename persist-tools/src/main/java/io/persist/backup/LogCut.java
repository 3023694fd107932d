package io.persist.backup;

import io.persist.archive.StorageInput;
import io.persist.archive.StorageOutput;
import io.persist.backup.Backup.CutOffCursor;
import io.persist.backup.Backup.Restored;
import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.PartialStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.CursorSlot;
import io.persist.log.LogContent;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a log that is being restored at a {@link RestorePoint}, as if it had been closed there: what stays has the
 * numbers and positions that it had. Cursors beyond are marked, as by a repair that cuts a log. Nobody else has the
 * files yet; if this fails, they are of no use any more.
 */
final class LogCut {

    /** A record before which a log can end. */
    private record Boundary(long position, long sequence) {

        static Boundary of(Tailer record) {
            return new Boundary(record.position(), record.sequence());
        }
    }

    private static final TailerConfig ANY_CONTENT =
            TailerConfig.builder().anyContent().readMode(ReadMode.FILE).build();

    /** What the name of a file ends with while its first part is copied. */
    private static final String WHOLE_SUFFIX = ".whole";

    private static final int BUFFER_LENGTH = 64 << 10;

    private final BackupManifest backup;
    private final Storage log;
    private final RestorePoint to;

    /** The log in {@code log}, which has all that {@code backup} says. */
    private LogCut(BackupManifest backup, Storage log, RestorePoint to) {
        this.backup = backup;
        this.log = log;
        this.to = to;
    }

    /**
     * Refuses what can be seen not to be possible before anything is written.
     *
     * @throws IllegalArgumentException if the backup is a store's, or ends before {@code to}
     */
    static void require(BackupManifest backup, RestorePoint to) {
        if (to.isEnd()) {
            return;
        }
        if (backup.content() == LogContent.TRANSACTIONS) {
            throw new IllegalArgumentException("a store is restored as a whole, not up to " + to + ": compaction may"
                    + " have moved values from before that to behind it; restore the newest backup from before");
        }
        long end = to.isPosition() ? backup.endPosition() : backup.lastSequence();
        if (Math.min(to.toPosition(), to.toSequence()) > end) {
            throw new IllegalArgumentException("the backup ends before " + to + ": end position=" + backup.endPosition()
                    + ", last record=" + backup.lastSequence() + "; take a newer backup, or restore all of this one");
        }
    }

    /**
     * Whether the log in {@code log}, which has all that {@code backup} says, can be cut at {@code to}. A store cannot
     * be cut: whether all of it is from before that.
     */
    static boolean reaches(BackupManifest backup, Storage log, RestorePoint to) throws IOException {
        if (backup.content() == LogContent.TRANSACTIONS) {
            return to.isAtOrBehind(backup.endPosition(), backup.lastSequence() + 1);
        }
        try {
            require(backup, to);
            new LogCut(backup, log, to).firstLeftOut();
            return true;
        } catch (IllegalArgumentException | RetiredException no) {
            return false;
        }
    }

    /**
     * Cuts the log in {@code log}, which has all that {@code backup} says.
     *
     * @throws IllegalArgumentException if no log can end at {@code to}
     * @throws RetiredException if the backup begins behind it
     * @throws UnsupportedFormatException if only a newer version may change the log
     */
    static Restored make(BackupManifest backup, Storage log, RestorePoint to) throws IOException {
        return new LogCut(backup, log, to).make();
    }

    private Restored make() throws IOException {
        Boundary first = to.isEnd() ? null : firstLeftOut();
        if (first == null) {
            return new Restored(backup, backup.endPosition(), backup.lastSequence(), List.of());
        }
        new LogInspector(log).checkWritable();
        log.delete(LogFileName.CONTROL); // which says that the log goes on
        cutSegments(first.position());
        List<CutOffCursor> cutOff = cutOffCursors(first.position());
        ScanFindings found = new LogInspector(log).inspect(Start.TRUSTED).findings();
        if (found.row().decision() != Decision.END
                || found.tail() != first.position()
                || found.lastSequence() != first.sequence() - 1) {
            throw new IOException("the log does not end where it was cut: position=" + first.position() + ", end="
                    + found.tail() + ", last record=" + found.lastSequence() + "; verify the log and its backup");
        }
        byte[] control = BackupRun.control(backup.logId(), found);
        put(LogFileName.CONTROL, out -> out.write(control));
        return new Restored(backup, found.tail(), found.lastSequence(), cutOff);
    }

    /** The first record that the log is to lose; null if there is none. */
    private @Nullable Boundary firstLeftOut() throws IOException {
        try (Tailer tailer = Tailer.open(log, ANY_CONTENT)) {
            if (to.isPosition()) {
                try {
                    tailer.toPosition(to.toPosition());
                } catch (IllegalArgumentException | RetiredException nothingBeginsThere) {
                    throw refused(tailer, "no record begins or ends there");
                }
            } else { // by number, as the next one may be gone
                tailer.toLast(backup.lastSequence() - to.toSequence());
            }
            if (!tailer.next()) {
                return null;
            }
            Boundary first = Boundary.of(tailer);
            if (!canEndBefore(tailer) || isEmptyBefore(first, tailer)) {
                throw refused(
                        tailer, "record " + first.sequence() + " does not begin a commit, and commits are not ignored");
            }
            return first;
        }
    }

    private boolean canEndBefore(Tailer record) {
        return record.startsCommit() || to.ignoresCommits();
    }

    /** Whether no record would be left of a log that has lost its first ones: its numbers would begin anew. */
    private static boolean isEmptyBefore(Boundary boundary, Tailer tailer) {
        tailer.toStart();
        return boundary.sequence() > 1 && tailer.next() && tailer.sequence() == boundary.sequence();
    }

    private RuntimeException refused(Tailer tailer, String why) throws IOException {
        Boundary before = before(tailer);
        if (before == null || isEmptyBefore(before, tailer)) {
            tailer.toStart();
            tailer.next();
            return new RetiredException("no record would be left of the backup: " + to + ", first record="
                    + tailer.sequence() + " at position=" + tailer.position()
                    + "; restore an older backup, or read the archives of the log");
        }
        return new IllegalArgumentException("the log cannot end at " + to + ": " + why + "; the nearest place before"
                + " that is toPosition=" + before.position() + ", behind record " + (before.sequence() - 1)
                + "; dump shows where commits begin, Tailer.toFirst finds the first record of a time");
    }

    /** The last place before {@link #to} where a log can end, null if there is none. */
    private @Nullable Boundary before(Tailer tailer) throws IOException {
        NavigableSet<Long> bases = LogFiles.list(log).basePositions();
        for (long base : bases.descendingSet()) {
            Long next = bases.higher(base);
            Boundary last =
                    base < to.toPosition() ? lastBoundary(tailer, base, next == null ? Long.MAX_VALUE : next) : null;
            if (last != null) {
                return last;
            }
        }
        return null;
    }

    /** Of those in the segment from {@code base} to {@code end}. */
    private @Nullable Boundary lastBoundary(Tailer tailer, long base, long end) {
        Boundary last = null;
        tailer.toPosition(base + SegmentHeader.LENGTH);
        while (tailer.next() && tailer.position() < end && to.isAtOrBehind(tailer.position(), tailer.sequence())) {
            last = canEndBefore(tailer) ? Boundary.of(tailer) : last;
        }
        return last;
    }

    private void cutSegments(long end) throws IOException {
        NavigableSet<Long> bases = LogFiles.list(log).basePositions();
        for (long base : bases.tailSet(end)) {
            log.delete(LogFileName.segment(base));
        }
        long last = bases.lower(end);
        cut(LogFileName.segment(last), end - last);
    }

    /** Gives the file zeros from {@code end} on, which are holes: so it is written anew. */
    private void cut(String name, long end) throws IOException {
        String whole = name + WHOLE_SUFFIX;
        log.rename(name, whole);
        try (StorageFile from = new PartialStorage(log, each -> true, whole, end).open(whole, Storage.Access.READ)) {
            put(name, new StorageInput(from)::transferTo);
        }
        log.delete(whole);
    }

    private void put(String name, BackupSink.Content content) throws IOException {
        try (StorageFile file = log.create(name)) {
            OutputStream out = new BufferedOutputStream(new StorageOutput(file), BUFFER_LENGTH);
            content.writeTo(out);
            out.flush();
            file.sync();
        }
    }

    /** One that cannot be read is refused anyway. */
    private List<CutOffCursor> cutOffCursors(long end) throws IOException {
        CursorDirectory cursors = new CursorDirectory(log);
        List<CutOffCursor> cutOff = new ArrayList<>();
        for (String name : cursors.names()) {
            try {
                CursorSlot slot = cursors.read(name);
                if (slot.position() > end) {
                    cursors.cutOff(name); // nobody else has the files, so no lock is needed
                    cutOff.add(new CutOffCursor(name, slot.position(), slot.sequence()));
                }
            } catch (CorruptLogException | UnsupportedFormatException unreadable) {
                continue;
            }
        }
        return cutOff;
    }
}
