package io.persist.log.recovery;

import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.event.OpeningProgress;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.control.WriterHold;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a damaged log one that opens again: cuts it at its first damage. Everything from there on is kept in files
 * aside; nothing is destroyed. A log that opens is left alone, since opening it sets a torn tail aside anyway.
 *
 * <p>The log of a store is cut only where opening the log finds damage. Damage further down is in single values, which
 * the store reports by itself, and which a put replaces: a cut there would take away everything that was committed
 * since. A store that was cut opens from a checkpoint that lies below the cut, or from a log that has everything from
 * its first record on: ask {@code StoreOutlook.afterCut} first.
 *
 * <p>Readers that are beyond the cut have to start over: a named cursor there is marked and refused from then on, and a
 * tailer that is open throws as soon as it notices. It does not if the log has no control block.
 *
 * <p>Repairing again after an interruption goes on where it stopped.
 */
public final class LogRepair {

    /**
     * What a repair did.
     *
     * @param before the log as it was
     * @param setAside the files in which everything beyond the damage is kept
     * @param cutOff the names of the cursors beyond the damage, which are refused from now on
     */
    public record Repaired(LogInspector.Inspection before, List<String> setAside, List<String> cutOff) {}

    private final Storage storage;
    private final LogInspector inspector;

    /** A repair of the log in {@code storage}. */
    public LogRepair(Storage storage) {
        this.storage = storage;
        this.inspector = new LogInspector(storage);
    }

    /**
     * What is damaged and would be cut: a dry run, which needs no lock.
     *
     * @throws UnsupportedFormatException if a file of the log is a newer version's, or would be cut and is not one of
     *     Persist's
     * @throws LogIOException if there is no log, or it cannot be read
     */
    public LogInspector.Inspection plan() {
        inspector.checkWritable();
        LogScan.Start start = isStore() ? LogScan.Start.TRUSTED : LogScan.Start.BEGINNING;
        LogInspector.Inspection found = inspector.look(start);
        if (isDamaged(found)) {
            refuseForeign();
        }
        return found;
    }

    /** Whether it is the log of a store. */
    public boolean isStore() {
        return inspector.holdsTransactions();
    }

    /**
     * Cuts the log at its first damage.
     *
     * @return what was damaged, and where everything from there on is kept now; no files if there is no damage
     * @throws LogLockedException if there is a writer, or another process is changing cursors
     * @throws UnsupportedFormatException as {@link #plan} says; nothing was changed
     * @throws LogIOException as {@link #plan} says, or if a file cannot be written; repair again
     */
    public Repaired repair() {
        try (WriterHold hold = WriterHold.takeMarked(storage, "")) {
            LogInspector.Inspection before = planHeld(hold);
            ScanFindings findings = before.findings();
            if (!isDamaged(before)) {
                return new Repaired(before, List.of(), List.of());
            }
            hold.checkHeld(); // the scan may have taken long
            List<String> cutOff = tellReaders(
                    hold, goesOnAt(findings)); // first: they would go by what was there, whoever appends afterwards
            TailCut cut = new TailCut(storage, LogFiles.list(storage), hold, OpeningProgress.unsaid());
            cut.cut(findings);
            List<String> aside = new ArrayList<>(cut.setAside());
            // Last, since it tells until then that the log was acknowledged further than it goes now.
            setControlAside(findings.tail(), aside);
            return new Repaired(before, List.copyOf(aside), cutOff);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot repair the log: " + e.getMessage(), e);
        }
    }

    /**
     * The plan of a process that holds the log. If nothing has to be changed, or nothing may be, the mark in the
     * control block is taken back.
     */
    private LogInspector.Inspection planHeld(WriterHold hold) {
        boolean goesOn = false;
        try {
            LogInspector.Inspection before = plan();
            goesOn = isDamaged(before);
            return before;
        } finally {
            if (!goesOn) {
                hold.unmark();
            }
        }
    }

    private static boolean isDamaged(LogInspector.Inspection log) {
        return log.findings().row().decision() == RecoveryTable.Decision.CORRUPT;
    }

    /**
     * Where the next record begins after the cut: a segment that goes as a whole is made anew, with its header. If only
     * the control block knows of records, no segment is left, and the log begins anew.
     */
    private static long goesOnAt(ScanFindings findings) {
        if (findings.stop().file().equals(LogFileName.CONTROL)) {
            return SegmentHeader.LENGTH;
        }
        long tail = findings.tail();
        boolean isWhole = !findings.stop().file().equals(LogFileName.segment(tail));
        return isWhole ? tail : tail + SegmentHeader.LENGTH;
    }

    /**
     * Readers beyond the cut would leave out what is appended below them from now on. Those with a name that are opened
     * meanwhile have seen the control block before, or see their cursor marked. Returns whose cursors were marked.
     */
    private List<String> tellReaders(WriterHold hold, long cut) throws IOException {
        CursorDirectory cursors = new CursorDirectory(storage);
        if (cursors.names().isEmpty()) {
            hold.announceCut(cut);
            return List.of();
        }
        WriterLock exclusive = cursors.exclusive();
        try {
            hold.announceCut(cut);
            List<String> beyond = beyond(cursors, cut);
            for (String name : beyond) {
                cursors.cutOff(name);
            }
            return beyond;
        } finally {
            exclusive.close();
        }
    }

    /** The names of the cursors that a repair would mark as cut off, by what {@code plan} has found. */
    public List<String> cursorsBeyond(LogInspector.Inspection plan) {
        return FileAction.orFail(
                "cannot read the cursors", () -> beyond(new CursorDirectory(storage), goesOnAt(plan.findings())));
    }

    private static List<String> beyond(CursorDirectory cursors, long cut) throws IOException {
        List<String> beyond = new ArrayList<>();
        for (String name : cursors.names()) {
            try {
                if (cursors.read(name).position() > cut) {
                    beyond.add(name);
                }
            } catch (CorruptLogException | UnsupportedFormatException unreadable) {
                // It is refused as it is.
            }
        }
        return List.copyOf(beyond);
    }

    private void setControlAside(long tail, List<String> aside) throws IOException {
        if (!storage.list().contains(LogFileName.CONTROL)) {
            return;
        }
        String name = TailCut.asideName(storage, LogFileName.CONTROL, tail);
        storage.rename(LogFileName.CONTROL, name);
        storage.syncDirectory();
        aside.add(name);
    }

    private void refuseForeign() {
        try {
            for (long base : LogFiles.basePositions(storage)) {
                refuseForeign(base);
            }
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /**
     * A damaged header still has something of a header, or nothing at all. Any other content is a foreign file that
     * happens to have a segment's name.
     */
    private void refuseForeign(long base) throws IOException {
        String name = LogFileName.segment(base);
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            byte[] bytes = new byte[SegmentHeader.LENGTH];
            file.readFully(0, bytes, 0, bytes.length);
            ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            boolean isSegment = header.getLong(SegmentHeader.MAGIC_OFFSET) == SegmentHeader.MAGIC
                    || header.getLong(SegmentHeader.SEGMENT_LENGTH_OFFSET) == file.length()
                    || base != 0 && header.getLong(SegmentHeader.BASE_POSITION_OFFSET) == base
                    || header.equals(ByteBuffer.allocate(SegmentHeader.LENGTH));
            if (!isSegment) {
                throw new UnsupportedFormatException("not a file of Persist: file=" + name + ", directory="
                        + storage.description() + "; it is left untouched, move it elsewhere first");
            }
        }
    }
}
