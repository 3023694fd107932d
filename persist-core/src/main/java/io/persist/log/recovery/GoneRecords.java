package io.persist.log.recovery;

import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.recovery.RecoveryTable.Facts;
import io.persist.log.recovery.ScanFindings.Checked;
import io.persist.log.recovery.ScanFindings.Proof;
import io.persist.log.recovery.ScanFindings.Stop;
import io.persist.log.segment.LogEnd;
import java.util.NavigableSet;

/**
 * Records that are gone with their segments: the control block knows that some were synced, and none is left. Retention
 * always leaves the segment of the last record, so files were deleted, moved, or left out of a copy. Such a log must
 * not look like one that has no record yet, whose numbers begin at 1.
 */
final class GoneRecords {

    private GoneRecords() {}

    /** What a scan has found, or that records are gone, if it has found neither a record nor damage. */
    static ScanFindings orElse(ScanFindings found, NavigableSet<Long> bases, ControlBlock control) {
        boolean isEmpty = found.lastSequence() == 0 && found.row().decision() != RecoveryTable.Decision.CORRUPT;
        long first = bases.isEmpty() ? Long.MAX_VALUE : bases.first();
        if (!isEmpty || !knowsRecordsBefore(first, control)) {
            return found;
        }
        long tail = found.firstPosition(); // and so no segment is left of a log that is repaired
        long known = Math.max(control.synced(), control.isClean() ? control.cleanTail() : 0);
        return new ScanFindings(
                tail,
                new Checked(tail, 0, 0),
                new LogEnd(tail, 0, 0),
                new Proof(known, control.synced(), found.proof().flushed()),
                new Stop(
                        RecoveryTable.lookUp(Facts.ofGoneRecords()),
                        LogFileName.CONTROL,
                        "no segment is left that has records",
                        tail));
    }

    /** A power cut leaves the block as it was earlier, when the records were others: but then some are found. */
    private static boolean knowsRecordsBefore(long first, ControlBlock control) {
        long record = Math.max(control.syncedHint(), control.isClean() ? control.cleanLast() : 0);
        long synced = control.synced();
        return record > 0 && record < first || synced > SegmentHeader.LENGTH && synced <= first;
    }
}
