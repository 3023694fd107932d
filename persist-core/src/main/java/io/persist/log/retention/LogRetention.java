package io.persist.log.retention;

import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.event.OpeningProgress;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.control.WriterHold;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.recovery.RecoveryTable;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.DirtyPages;
import io.persist.log.segment.LogFiles;
import io.persist.monitor.WriterState;
import java.io.IOException;

/** Retention of a log that no writer has open. A writer retires segments itself: see {@code Log.retire}. */
public final class LogRetention {

    private final Storage storage;
    private final LogInspector inspector;

    /** Retention of the log in {@code storage}. */
    public LogRetention(Storage storage) {
        this.storage = storage;
        this.inspector = new LogInspector(storage);
    }

    /**
     * What {@code rule} would take away now: a dry run, which needs no lock.
     *
     * @throws CorruptLogException if acknowledged records are damaged
     * @throws UnsupportedFormatException if it is the log of a store, or a newer version wrote it
     * @throws LogIOException if there is no log, or it cannot be read
     */
    public RetentionPlan plan(RetentionRule rule) {
        refuseStore();
        return plan(rule, inspector.inspect(LogScan.Start.TRUSTED));
    }

    /** What a store needs is known to its index only, however old it is. */
    private void refuseStore() {
        if (inspector.holdsTransactions()) {
            throw new UnsupportedFormatException("log of transactions: directory=" + storage.description()
                    + "; retention would take away values that live, a store gives space back by its compaction");
        }
    }

    private RetentionPlan plan(RetentionRule rule, LogInspector.Inspection log) {
        inspector.checkWritable();
        ScanFindings findings = log.findings();
        if (findings.row().decision() == RecoveryTable.Decision.CORRUPT) {
            throw findings.corruption();
        }
        return FileAction.orFail(
                "cannot plan retention", () -> retention().plan(rule, findings.lastPosition(), findings.tail()));
    }

    /**
     * Deletes the segments that {@code rule} names.
     *
     * @return what was deleted, and what the rule names too but is held, also by a cursor that was made meanwhile
     * @throws LogLockedException if there is a writer
     * @throws CorruptLogException if acknowledged records are damaged; nothing was deleted
     * @throws UnsupportedFormatException if it is the log of a store, or a newer version wrote it; nothing was deleted
     * @throws LogIOException if a file cannot be deleted, or the last writer met an I/O error
     */
    @SuppressWarnings("try") // the hold is there to be had
    public RetentionPlan apply(RetentionRule rule) {
        refuseStore();
        try (WriterHold hold = WriterHold.takeMarked(storage, ", or let the writer retire")) {
            LogInspector.Inspection log = inspector.inspect(LogScan.Start.TRUSTED);
            if (log.writer() == WriterState.FAILED) {
                throw new LogIOException(
                        "the last writer met an I/O error: directory=" + storage.description()
                                + "; open and close the log first, which recovers it",
                        null);
            }
            RetentionPlan plan = plan(rule, log);
            if (log.writer() != WriterState.CLOSED) {
                syncRemaining(plan, log.findings(), hold);
            }
            return retention().apply(plan, Retirement.DELETE, log.findings().lastPosition(), spare -> {});
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot retire a segment: " + e.getMessage(), e);
        }
    }

    /** Nothing is used again, so the length of new segments does not matter. */
    private Retention retention() throws IOException {
        long logId = LogIdentity.idOf(storage); // 0: then no segment can be read, and none goes
        return new Retention(storage, 0, logId, new LogNeeds(new OpenTailers(), new CursorDirectory(storage)));
    }

    /** What remains must be able to tell the log's numbers, also after a power cut. */
    private void syncRemaining(RetentionPlan plan, ScanFindings findings, WriterHold hold) throws IOException {
        if (plan.retired().isEmpty()) {
            return;
        }
        long first = LogTailers.endOf(plan);
        long unsynced = Math.max(first, findings.proof().synced());
        DirtyPages.writeAgain(storage, unsynced, findings.tail(), OpeningProgress.unsaid());
        for (long base : LogFiles.basePositions(storage).tailSet(first, true)) {
            try (StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.WRITE)) {
                sync(file, hold);
            }
        }
    }

    private static void sync(StorageFile file, WriterHold hold) throws IOException {
        try {
            file.sync();
        } catch (IOException | InternalError e) {
            hold.noteFailure(); // the next writer is not told any more that these pages are not on the device
            throw e;
        }
    }
}
