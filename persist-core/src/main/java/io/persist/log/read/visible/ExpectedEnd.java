package io.persist.log.read.visible;

import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.recovery.RecoveryTable;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a log will end that no writer has recovered yet: what a scan finds, as recovery will. It is made once in each
 * epoch, unless it is forgotten.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class ExpectedEnd {

    private final Storage storage;
    private @Nullable ScanFindings found;
    private long foundEpoch; // of the control block before that scan

    /** Of the log in {@code storage}, which is not scanned yet. */
    ExpectedEnd(Storage storage) {
        this.storage = storage;
    }

    /** Scans the log, if that was not done in this {@code epoch}; returns whether it has. */
    boolean scanOnce(long epoch) throws IOException {
        if (found != null && foundEpoch == epoch) {
            return false;
        }
        found = LogFiles.basePositions(storage).isEmpty()
                ? ScanFindings.NOTHING
                : new LogInspector(storage).inspect(LogScan.Start.TRUSTED).findings();
        foundEpoch = epoch; // last: a scan that fails is none
        return true;
    }

    /** What was found counts no more. */
    void forget() {
        found = null;
    }

    /** Whether a frame begins by now where the log was found to end: a writer goes on there. */
    boolean isPassed() throws IOException {
        if (found == null) {
            return false;
        }
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Long base = bases.floor(found.tail());
        if (base == null) {
            return !bases.isEmpty(); // it has gone on so far that its segments were taken away
        }
        try (SegmentView segment = SegmentView.open(storage, base)) {
            return segment.frameAt(Math.max(found.tail(), base + SegmentHeader.LENGTH)) != null;
        } catch (FileNotFoundException retired) {
            return true;
        }
    }

    /** Where recovery will have the log end; no bound if it will refuse it, and say what is damaged. */
    long position() {
        ScanFindings findings = findings();
        return isCorrupt(findings) || findings.tail() == 0 ? Long.MAX_VALUE : findings.tail();
    }

    /** Whether what is at {@code position} should be a record, and is none. */
    boolean isDamage(long position) {
        ScanFindings findings = findings();
        return position < findings.tail() || isCorrupt(findings) && position == findings.tail();
    }

    /** Where the last record begins, 0 if there is none. */
    long lastPosition() {
        return findings().lastPosition();
    }

    private static boolean isCorrupt(ScanFindings findings) {
        return findings.row().decision() == RecoveryTable.Decision.CORRUPT;
    }

    /** Of the scan that {@link #scanOnce} has made or found. */
    private ScanFindings findings() {
        ScanFindings findings = found;
        if (findings == null) {
            throw new IllegalStateException("the log was not scanned");
        }
        return findings;
    }
}
