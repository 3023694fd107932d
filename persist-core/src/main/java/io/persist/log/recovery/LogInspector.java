package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.event.OpeningProgress;
import io.persist.file.BootId;
import io.persist.file.FileAction;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.LogContent;
import io.persist.log.control.WriterPresence;
import io.persist.log.segment.LogFiles;
import io.persist.monitor.WriterState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NavigableSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a log without its writer's lock and without changing it. The tools use it. Meanwhile a writer may append to
 * the log and retire segments.
 *
 * <p><b>Threads:</b> any; each call is for itself.
 */
public final class LogInspector {

    /**
     * A log at one moment.
     *
     * @param writer its last writer
     * @param pid the writer's process id, 0 if it is not known
     * @param writerVersion the writer's version of Persist
     * @param findings of the scan
     * @param trailing what follows the good part
     */
    public record Inspection(
            WriterState writer, long pid, PersistVersion writerVersion, ScanFindings findings, TrailingData trailing) {}

    /** Retention that is faster than so many scans in a row is not retention. */
    private static final int MAX_ATTEMPTS = 100;

    /** Tells the base position of a segment which is opened after another one: so a long scan shows how far it is. */
    private static final class Watched implements ForwardingStorage {

        private final Storage storage;
        private final LongConsumer watcher;
        private long told = -1;

        Watched(Storage storage, LongConsumer watcher) {
            this.storage = storage;
            this.watcher = watcher;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            LogFileName.basePosition(name).ifPresent(this::tell);
            return storage.open(name, access);
        }

        private void tell(long base) {
            if (base != told) {
                told = base;
                watcher.accept(base);
            }
        }
    }

    private final Storage storage;
    private final LongConsumer progress;

    /** An inspector of the log in {@code storage}. */
    public LogInspector(Storage storage) {
        this(storage, base -> {});
    }

    /** The same; {@code progress} is told the base position of each segment before it is scanned. */
    public LogInspector(Storage storage, LongConsumer progress) {
        this.storage = storage;
        this.progress = progress;
    }

    /**
     * Scans the log.
     *
     * @throws LogIOException if there is no log, or it cannot be read
     * @throws CorruptLogException if no segment is left of it
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    public Inspection inspect(LogScan.Start start) {
        Inspection found = look(start);
        if (found.findings().areSegmentsGone()) {
            throw found.findings().corruption();
        }
        return found;
    }

    /** The same, also of a log of which no segment is left, as that says. */
    Inspection look(LogScan.Start start) {
        try {
            for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
                Inspection found = attempt(start);
                if (found != null) {
                    return found;
                }
            }
            throw new LogIOException("retention is faster than this scan; try again", null);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** Whether it is the log of a store, as far as a segment's header can be read that says so. */
    public boolean holdsTransactions() {
        return FileAction.orFail("cannot read the log", () -> {
            SegmentHeader header = LogIdentity.firstHeader(storage);
            return header != null && header.content() == LogContent.TRANSACTIONS;
        });
    }

    /**
     * Throws if this version may only read the log.
     *
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    public void checkWritable() {
        try {
            SegmentHeader newest = LogIdentity.newestHeader(storage);
            if (newest != null) {
                newest.checkWritable();
            }
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    private void checkLog(LogFiles files, ScanFindings findings) {
        if (files.basePositions().isEmpty() && !findings.areSegmentsGone()) {
            throw new LogIOException(
                    "not a log: no segments, directory=" + storage.description()
                            + "; name the directory that a logger writes to",
                    null);
        }
    }

    /** Null if retention took a segment away before or while it was scanned. */
    private @Nullable Inspection attempt(LogScan.Start start) throws IOException {
        // First how far the log goes, then where: so no writer can be ahead of the list of files.
        ControlBlock block = controlNow();
        LogFiles files = LogFiles.list(storage);
        try {
            BootId boot = storage.bootId();
            Storage watched = new Watched(storage, progress);
            WriterState writer = writer(block, storage);
            LogIdentity identity = LogIdentity.of(storage, files.basePositions(), block);
            LogScan scan = new LogScan(watched, files, identity, block, boot, OpeningProgress.unsaid());
            ScanFindings findings = (isWritten(block) ? scan.ofLiveWriter() : scan).run(start);
            checkLog(files, findings);
            TrailingData trailing = findings.row().decision() == RecoveryTable.Decision.END
                    ? TrailingData.NONE
                    : TrailingData.of(storage, files.basePositions(), findings, scan.logId());
            if (isOvertaken(files, findings)) {
                return null;
            }
            long pid = block == null ? 0 : block.pid();
            PersistVersion version = block == null ? PersistVersion.UNKNOWN : block.writtenBy();
            return new Inspection(writer, pid, version, findings, trailing);
        } catch (FileNotFoundException e) {
            if (LogFiles.list(storage).equals(files)) {
                throw e;
            }
            return null;
        }
    }

    /** Whether a writer is known to run that has recovered the log: all that it has flushed must be there. */
    private boolean isWritten(@Nullable ControlBlock block) throws IOException {
        return block != null
                && block.openedEpoch() == block.holder().epoch()
                && WriterPresence.of(storage, block) == Presence.ALIVE;
    }

    /** The control block as it is now; null if there is none, or one that no sense can be made of. */
    private @Nullable ControlBlock controlNow() throws IOException {
        if (!storage.list().contains(LogFileName.CONTROL)) {
            return null;
        }
        byte[] bytes = new byte[ControlBlock.LENGTH];
        try (StorageFile file = storage.open(LogFileName.CONTROL, Storage.Access.READ)) {
            if (file.readFully(0, bytes, 0, bytes.length) < bytes.length) {
                return null; // a writer makes no sense of a part of it, either
            }
        }
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        ControlBlock block = new ControlBlock(copy.put(bytes).clear());
        return block.isReadable(storage.description()) ? block : null;
    }

    /** A segment that was given another life during the scan looks damaged; it is not the log's any more. */
    private boolean isOvertaken(LogFiles files, ScanFindings findings) throws IOException {
        Long base = files.basePositions().floor(findings.tail());
        if (base == null || findings.row().decision() == RecoveryTable.Decision.END) {
            return false;
        }
        NavigableSet<Long> now = LogFiles.basePositions(storage);
        return !now.isEmpty() && (now.first() > base || isVacatedAround(findings.tail(), base));
    }

    /** Whether compaction took away what was at {@code position}, which lies in the segment at {@code base}. */
    private boolean isVacatedAround(long position, long base) throws IOException {
        try {
            SegmentHeader header = LogFiles.header(storage, base);
            return header.isVacatedAt(position) && position < header.endPosition();
        } catch (CorruptLogException damaged) {
            return false;
        }
    }

    /** What the control block tells of the log's last writer; null is a block that cannot be read. */
    public static WriterState writer(@Nullable ControlBlock block, Storage storage) throws IOException {
        if (block == null) {
            return WriterState.UNKNOWN;
        }
        if (block.isClean()) {
            return WriterState.CLOSED;
        }
        if (block.state() == ControlBlock.STATE_FAILED) {
            return WriterState.FAILED;
        }
        if (block.state() != ControlBlock.STATE_OPEN) {
            return WriterState.UNKNOWN;
        }
        return switch (WriterPresence.of(storage, block)) {
            case ALIVE -> WriterState.LIVE;
            case UNKNOWN -> WriterState.UNSEEN;
            case GONE -> WriterState.KILLED;
        };
    }
}
