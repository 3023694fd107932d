package io.persist.tool.salvage;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.ScanFindings.Proof;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.monitor.WriterState;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Up to where the records of a log are missed if they do not verify. What was not acknowledged need not be there. But
 * of a record in a block that the disk cannot read nobody knows whether it was there: one that was committed, though
 * not synced, survives the end of its process.
 *
 * @param inspection of the log; null if it cannot be inspected
 */
record DueEnd(ReadableStorage log, @Nullable Inspection inspection) {

    /** Then everything that is not there is missed. */
    static final long NOT_KNOWN = Long.MAX_VALUE;

    /** Up to where records had been acknowledged. */
    long acknowledged() {
        return inspection == null ? NOT_KNOWN : inspection.findings().proof().acknowledged();
    }

    /** Up to where they are missed if none verifies at {@code position} or behind it. */
    long after(long position) throws IOException {
        long acknowledged = acknowledged();
        if (inspection == null
                || inspection.writer() == WriterState.CLOSED // then it is where the log ends
                || acknowledged > position
                || !isUnreadable(position)) {
            return acknowledged;
        }
        Proof proof = inspection.findings().proof();
        return proof.flushed() > 0 ? Math.max(acknowledged, proof.flushed()) : NOT_KNOWN;
    }

    /** Whether something cannot be read of the record that may begin there, or of the header of its segment. */
    private boolean isUnreadable(long position) throws IOException {
        Long base = LogFiles.basePositions(log).floor(position);
        if (base == null) {
            return false;
        }
        try (SegmentView segment = SegmentView.openCut(log, base)) {
            long header = base + SegmentHeader.LENGTH;
            if (segment.damage() != null || position < header) {
                return log.unreadable(base, header).isPresent();
            }
            if (log.unreadable(position, position + Frame.HEADER_LENGTH).isPresent()) {
                return true;
            }
            int offset = (int) Math.min(position - base, segment.length());
            if (offset + Frame.HEADER_LENGTH > segment.length()) {
                return false;
            }
            int length = Frame.length(segment.bytes(), offset); // 0 if nothing was published there
            return length > 0 && log.unreadable(position, position + length).isPresent();
        }
    }
}
