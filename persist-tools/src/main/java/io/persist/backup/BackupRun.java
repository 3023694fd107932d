package io.persist.backup;

import io.persist.archive.StorageInput;
import io.persist.archive.source.SourceStorage;
import io.persist.backup.BackupFile.State;
import io.persist.backup.held.HeldCheckpoints;
import io.persist.backup.held.HeldFiles;
import io.persist.cursor.CursorName;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.NewControlBlock;
import io.persist.log.LogContent;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.thread.Pace;
import io.persist.store.engine.StoreOutlook;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * One attempt at a backup of a log or store, which may be written meanwhile. First what must not be ahead of the log is
 * taken: checkpoints are opened, the segments held, cursors copied; then is looked where the log ends, and everything
 * before that is copied, but for checkpoints that are damaged.
 */
final class BackupRun implements AutoCloseable {

    /** What was not read again of an earlier run does not fit: it is to be read. */
    static final class NotTrusted extends IOException {

        private static final long serialVersionUID = 1;

        NotTrusted(String fault) {
            super(fault);
        }
    }

    /** What to do about a log that is not the one of the backup, or not any more. */
    static final String ELSEWHERE = "give another directory, or remove that backup first if it is not needed any more";

    private final Storage log;
    private final Storage checkpoints;
    private final BackupSink sink;
    private final Pace pace;
    private final LongConsumer progress;
    private final List<BackupFile> files = new ArrayList<>();
    private final HeldCheckpoints held = new HeldCheckpoints();
    private List<String> leftOut = List.of();
    private boolean isUpToDate;

    /** A run that tells {@code pace} what it reads, and {@code progress} how far it is; {@code sink} has a pace too. */
    BackupRun(Storage log, Storage checkpoints, BackupSink sink, Pace pace, LongConsumer progress) {
        this.log = new SourceStorage(BackupOptions.paced(log, pace));
        this.checkpoints = new SourceStorage(BackupOptions.paced(checkpoints, pace));
        this.sink = sink;
        this.pace = pace;
        this.progress = progress;
    }

    /**
     * Copies everything and commits the backup, unless nothing has changed since the one that is there.
     *
     * @throws RetiredException if the writer took something away that was needed; try again
     * @throws CorruptLogException if the log is damaged; the backup that is there stays as it is
     */
    BackupManifest take() throws IOException {
        held.open(checkpoints); // before the log's end is looked for, and so not ahead of it
        try (SegmentCopy segments = new SegmentCopy(log, sink, pace, progress)) {
            segments.hold(); // before, too: what compaction has moved lies before the end then
            copyCursors(); // in between: none lies before the first segment that is held, and none beyond the end
            ScanFindings found = new LogInspector(log).inspect(Start.TRUSTED).findings();
            if (found.row().decision() == Decision.CORRUPT) {
                throw found.corruption();
            }
            segments.endAt(found.tail(), found.proof().synced());
            return take(segments, found);
        }
    }

    private BackupManifest take(SegmentCopy segments, ScanFindings found) throws IOException {
        if (segments.headers().isEmpty()) {
            throw new LogIOException("not a log: no segments, directory=" + log.description(), null);
        }
        long needed = firstOfAStore(segments.headers()); // before anything long is done
        SegmentHeader last = segments.headers().get(segments.headers().size() - 1);
        checkSameLog(last.logId(), found.tail());
        trustEarlierRun();
        leaveOutDamaged(needed);
        copyCheckpoints(needed);
        segments.copy();
        files.addAll(segments.files());
        byte[] control = control(last.logId(), found);
        files.add(sink.put(LogFileName.CONTROL, State.OPEN, out -> out.write(control)));
        files.sort(Comparator.comparing(BackupFile::name));
        BackupManifest manifest = new BackupManifest(
                last.logId(), last.content(), found.tail(), found.lastSequence(), List.copyOf(files));
        isUpToDate = sink.isUpToDate(manifest);
        if (!isUpToDate) {
            if (last.content() == LogContent.TRANSACTIONS) {
                requireItOpens(segments, needed, control);
            }
            sink.commit(manifest);
        }
        return manifest;
    }

    /** What the backup has is not to be replaced by less: only a log that has lost records, or a copy, has less. */
    private void checkSameLog(long logId, long end) throws IOException {
        BackupManifest previous = sink.previous();
        if (previous == null) {
            return;
        }
        if (previous.logId() != logId) {
            throw new IOException("a backup of another log is there; give each log a directory of its own");
        }
        if (previous.endPosition() > end) {
            throw new IOException("the log ends before the backup that is there, so it is an older copy or has lost"
                    + " records: log=" + end + ", backup=" + previous.endPosition() + "; " + ELSEWHERE);
        }
    }

    /** Whether nothing had changed since the backup that was there. */
    boolean isUpToDate() {
        return isUpToDate;
    }

    /** What was wrong with checkpoints of the store, without which the backup was made. */
    List<String> leftOut() {
        return leftOut;
    }

    private void trustEarlierRun() throws IOException {
        BackupManifest previous = sink.previous();
        if (previous == null) {
            return;
        }
        try (HeldCheckpoints copies = new HeldCheckpoints()) {
            for (BackupFile file : previous.files()) {
                OptionalLong position = CheckpointName.position(file.name());
                StorageFile copy = position.isPresent() ? sink.find(file) : null;
                if (copy != null) {
                    copies.add(position.getAsLong(), copy);
                }
            }
            held.trust(copies);
        }
    }

    /** What does not fit may be a copy that has gone bad, unless all of them were read. */
    private void requireTrusted(String fault) throws NotTrusted {
        if (held.isAnyTrusted() && !sink.readsAll()) {
            throw new NotTrusted(fault);
        }
    }

    /** The store has them to read nodes from, and one that goes bad is not to replace a good copy in the backup. */
    private void leaveOutDamaged(long needed) throws IOException {
        leftOut = held.dropDamaged(checkpoints, needed);
        if (held.isTrustInDoubt()) {
            requireTrusted(String.join(", ", leftOut));
        }
        if (held.newest() < needed) {
            throw new LogIOException(
                    "the store could not be read from this backup, which was not made: no checkpoint is left that is"
                            + " whole: " + String.join(", ", leftOut) + "; close the store and put good copies of them"
                            + " back, such as those of an earlier backup, then verify it",
                    null);
        }
    }

    private void copyCheckpoints(long needed) throws IOException {
        for (Map.Entry<Long, StorageFile> checkpoint : held.usefulFrom(needed).entrySet()) {
            String name = CheckpointName.of(checkpoint.getKey());
            BackupManifest previous = sink.previous();
            Optional<BackupFile> copied =
                    previous != null && held.isTrusted(checkpoint.getKey()) ? previous.file(name) : Optional.empty();
            StorageInput in = new StorageInput(checkpoint.getValue());
            files.add(copied.isPresent() ? copied.get() : sink.put(name, State.OPEN, in::transferTo));
        }
    }

    private void copyCursors() throws IOException {
        for (String name : log.list()) {
            if (CursorName.isFile(name)) {
                try (StorageFile file = log.open(name, Storage.Access.READ)) {
                    files.add(sink.put(name, State.OPEN, out -> new StorageInput(file).transferTo(out)));
                } catch (FileNotFoundException removed) {
                    continue; // somebody removed the cursor
                }
            }
        }
    }

    /**
     * The position from which on a store has all records, 0 for a log. Where segments are gone, a store needs a
     * checkpoint that lies beyond them: else compaction was faster.
     */
    private long firstOfAStore(List<SegmentHeader> segments) {
        if (segments.get(0).content() != LogContent.TRANSACTIONS) {
            return 0;
        }
        long needed = SegmentHeader.completeFrom(segments);
        if (held.newest() < needed) {
            throw new RetiredException("no checkpoint was found that lies beyond what compaction has taken away:"
                    + " newest checkpoint=" + held.newest() + ", position=" + needed
                    + "; name the directory of the store's checkpoints if it is not the log's,"
                    + " else try again, or verify the store");
        }
        return needed;
    }

    /** Tries the opening of the copied store by what is held of it: a copy may be whole and yet no store. */
    private void requireItOpens(SegmentCopy segments, long needed, byte[] control) throws IOException {
        HeldFiles copied = new HeldFiles(log);
        copied.add(LogFileName.CONTROL, control);
        held.usefulFrom(needed).forEach((position, file) -> copied.add(CheckpointName.of(position), file));
        Storage store = segments.addTo(copied);
        PersistException refusal;
        try {
            refusal = StoreOutlook.of(store, store).refusal();
        } catch (LogIOException e) {
            refusal = e;
        }
        if (refusal != null) {
            segments.requireNoneWasUsedAgain();
            requireTrusted(String.valueOf(refusal.getMessage()));
            throw new LogIOException(
                    "the store would not open from this backup, which was not made: " + refusal.getMessage(), refusal);
        }
    }

    /** Nothing but a clean end: a copy opens as a log does that was closed there. */
    static byte[] control(long logId, ScanFindings found) {
        ByteBuffer page = ByteBuffer.allocateDirect(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        page.put(NewControlBlock.encode()).clear();
        ControlBlock block = new ControlBlock(page);
        block.logId(logId);
        block.hint(found.lastPosition());
        block.committed(found.tail());
        block.flushed(found.tail());
        block.synced(found.tail());
        block.visible(found.tail());
        block.closed(found.tail(), found.lastPosition());
        byte[] bytes = new byte[ControlBlock.LENGTH];
        page.get(0, bytes);
        return bytes;
    }

    @Override
    public void close() {
        held.close();
    }
}
