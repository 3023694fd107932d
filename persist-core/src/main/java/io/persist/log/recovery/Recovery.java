package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.event.OpeningProgress;
import io.persist.event.RecoveryEvent;
import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.RecoveryReport;
import io.persist.log.RecoveryReport.Checked;
import io.persist.log.RecoveryReport.Cut;
import io.persist.log.RecoveryReport.Kept;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RecoveryReport.Reason;
import io.persist.log.control.ControlFile;
import io.persist.log.control.WriterHold;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.segment.DirtyPages;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentFactory;
import io.persist.log.segment.SegmentView;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes a log appendable after a close or a crash: gathers the facts, looks them up in the {@link RecoveryTable}, acts,
 * and reports what it did. Running it again changes nothing.
 */
public final class Recovery {

    /**
     * A log that can be appended to.
     *
     * @param end where it ends
     * @param synced up to where the log is known to be synced
     * @param basePositions of the segments: those up to the tail, and those prepared ahead
     */
    public record Recovered(
            ControlFile control,
            long logId,
            LogEnd end,
            long synced,
            NavigableSet<Long> basePositions,
            RecoveryReport report) {}

    private final Storage storage;
    private final LogConfig config;
    private final LogContent content;
    private final BootId boot;
    private final WriterHold hold;
    private final OpeningProgress progress;
    private final long startNs = System.nanoTime();

    /** Whether the log may have been changed: then a writer that was overtaken must find out, also if this fails. */
    private boolean hasChanged;

    /** A recovery of the log that is held by {@code hold}, which it marks; {@code progress} is told how far it is. */
    public Recovery(
            Storage storage,
            LogConfig config,
            LogContent content,
            BootId boot,
            WriterHold hold,
            OpeningProgress progress) {
        this.storage = storage;
        this.config = config;
        this.content = content;
        this.boot = boot;
        this.hold = hold;
        this.progress = progress;
    }

    /**
     * Recovers the log, or makes an empty one if there is none. Nothing is changed if it throws for damage or for the
     * format.
     *
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote the log, or its records are of
     *     another kind
     * @throws IOException if the operating system refuses something
     */
    public Recovered run() throws IOException {
        RecoveryEvent event = RecoveryEvent.begin();
        try {
            LogFiles files = LogFiles.list(storage);
            ControlFile control = hold.markFound();
            Recovered recovered = files.basePositions().isEmpty() ? begin(files, control) : recover(files, control);
            record(event, recovered.report());
            return recovered;
        } catch (IOException | RuntimeException | Error e) {
            if (!hasChanged) {
                hold.unmark();
            }
            RecoveryEvent.refused(event, storage.description(), e);
            throw e;
        }
    }

    private void record(@Nullable RecoveryEvent event, RecoveryReport report) {
        String left = report.start().name();
        RecoveryEvent.end(
                event,
                storage.description(),
                left,
                report.reason().row(),
                report.checked().records(),
                report.cut().bytes(),
                report.kept().missingBytes());
    }

    /** The scan of a log that was closed has not looked at what is prepared behind its end. */
    private void checkVersions(LogFiles files, long tail) throws IOException {
        for (long base : files.basePositions().tailSet(tail)) {
            SegmentView.open(storage, base).close();
        }
    }

    /** It is clear that the log may be changed: what an interrupted run was making or had retired goes first. */
    private void beginChanges(LogFiles files) throws IOException {
        hold.checkHeld(); // the scan may have taken long
        for (String leftover : files.leftovers()) {
            try {
                storage.delete(leftover);
            } catch (IOException e) {
                // A writer that was overtaken may have made it, and found out, and taken it away itself meanwhile.
                if (storage.list().contains(leftover)) {
                    throw e;
                }
            }
        }
        hasChanged = true;
    }

    /** A log begins with one segment. */
    private Recovered begin(LogFiles files, @Nullable ControlFile found) throws IOException {
        scan(scanOf(files, found == null ? null : found.block()));
        beginChanges(files);
        long logId = SegmentFactory.newLogId();
        new SegmentFactory(storage, config, content, logId).create(0);
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        ControlFile control = renew();
        long tail = SegmentHeader.LENGTH;
        RecoveryTable.Row row = RecoveryTable.end();
        RecoveryReport report = new RecoveryReport(
                storage.description(),
                Left.NEW,
                new Reason(row.label(), row.meaning(), ""),
                new Kept(0, tail, tail, 0, 0, 0),
                new Checked(tail, 0),
                Cut.NOTHING,
                elapsedNs());
        return new Recovered(control, logId, new LogEnd(tail, 0, 0), 0, bases, report);
    }

    /** A new control block, in place of what there may be. */
    private ControlFile renew() throws IOException {
        hold.unmark();
        ControlFile control = ControlFile.create(storage);
        hold.mark(control);
        return control;
    }

    private static ScanFindings scan(LogScan scan) throws IOException {
        ScanFindings findings = scan.run(LogScan.Start.TRUSTED);
        MissingPage.check(); // before anything is cut
        if (findings.row().decision() == Decision.CORRUPT) {
            throw findings.corruption();
        }
        return findings;
    }

    private LogScan scanOf(LogFiles files, @Nullable ControlBlock block) throws IOException {
        LogIdentity identity = LogIdentity.of(storage, files.basePositions(), block);
        return new LogScan(storage, files, identity, block, boot, progress);
    }

    private Recovered recover(LogFiles files, @Nullable ControlFile found) throws IOException {
        ControlBlock block = found == null ? null : found.block();
        LogScan scan = scanOf(files, block);
        scan.identity().checkWritable(storage, files.basePositions(), content);
        ScanFindings findings = scan(scan);
        if (findings.areNumbersUsedUp()) { // readers would find nothing behind
            throw new IOException("the numbers of the log are used up: lastSequence=" + findings.lastSequence()
                    + ", directory=" + storage.description() + "; begin a new log");
        }
        Left left = findings.left(block, boot);
        checkVersions(files, findings.tail());
        beginChanges(files);
        TailCut cut = new TailCut(storage, files, hold, progress);
        TrailingData trailing = TrailingData.NONE;
        if (findings.row().decision() == Decision.TRUNCATE) {
            trailing = TrailingData.of(storage, files.basePositions(), findings, scan.logId());
            cut.cut(findings);
        }
        Long logId = scan.logId();
        long id = logId == null ? SegmentFactory.newLogId() : logId;
        long tail = ensureTailSegment(findings.tail(), id);
        dropUnusable(tail, id, cut, findings);
        long synced = Math.min(findings.proof().synced(), tail);
        // Of a log without a control block nobody knows whether it has failed, or a repair or an opening of it has.
        if (block == null || block.state() == ControlBlock.STATE_FAILED) { // also if this may be another boot
            DirtyPages.writeAgainAndSync(storage, synced, tail, progress);
            synced = tail;
        } else if (!block.isClean()) { // of a writer that was killed in a sync nobody knows whether that has failed
            DirtyPages.writeAgain(storage, synced, tail, progress);
        }
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        ControlFile control;
        if (found == null) {
            control = renew(); // syncs the directory too
        } else {
            control = found;
            // A writer that was killed may have named a segment and not synced the directory yet.
            storage.syncDirectory();
        }
        Cut lost = new Cut(trailing.bytes(), trailing.records(), cut.setAside());
        RecoveryReport report = report(left, findings, tail, synced, lost);
        LogEnd end = new LogEnd(tail, findings.lastSequence(), findings.lastPosition());
        return new Recovered(control, id, end, synced, bases, report);
    }

    private RecoveryReport report(Left left, ScanFindings found, long tail, long synced, Cut cut) {
        RecoveryTable.Row row = found.row();
        String damage = row.decision() == Decision.END ? "" : found.stop().damage();
        long flushed = found.proof().flushed();
        return new RecoveryReport(
                storage.description(),
                left,
                new Reason(row.label(), row.meaning(), damage),
                new Kept(found.firstPosition(), found.tail(), tail, found.lastSequence(), synced, flushed),
                new Checked(found.checked().fromPosition(), found.checked().records()),
                cut,
                elapsedNs());
    }

    /** The tail lies in a segment, behind its header; makes the segment if there is none. */
    private long ensureTailSegment(long tail, long logId) throws IOException {
        Long base = LogFiles.basePositions(storage).floor(tail);
        if (base != null && tail > base) {
            try (SegmentView segment = SegmentView.open(storage, base)) {
                if (segment.damage() == null && tail < segment.header().endPosition()) {
                    return tail;
                }
            }
        }
        new SegmentFactory(storage, config, content, logId).create(tail);
        return tail + SegmentHeader.LENGTH;
    }

    /**
     * Segments prepared ahead are used if they continue the log and have the length that is wanted now; others go. The
     * scan found nothing of a record in them, or all of them were cut.
     */
    private void dropUnusable(long tail, long logId, TailCut cut, ScanFindings findings) throws IOException {
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        Long base = bases.floor(tail);
        long expected = -1;
        for (long next : base == null ? bases : bases.tailSet(base, true)) {
            boolean usable;
            try (SegmentView segment = SegmentView.open(storage, next)) {
                CorruptLogException damage = segment.damage();
                if (damage != null && base != null && next == base) {
                    throw damage; // the tail's own segment, which was good when it was scanned
                }
                usable = damage == null
                        && segment.header().logId() == logId
                        && (expected < 0
                                || expected == next
                                        && segment.header().segmentLength() == config.segmentLength()
                                        && !segment.stored().hasFirstBytes());
                expected = usable ? segment.header().endPosition() : Long.MAX_VALUE;
            }
            if (!usable) {
                cut.removeSegment(next, findings);
            }
        }
    }

    private long elapsedNs() {
        return System.nanoTime() - startNs;
    }
}
