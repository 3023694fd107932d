package io.persist.backup;

import io.persist.archive.SegmentCheck;
import io.persist.archive.source.SourceStorage;
import io.persist.backup.BackupFile.State;
import io.persist.backup.held.HeldFiles;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.PartialStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import io.persist.log.thread.Pace;
import io.persist.memory.MissingPage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** Copies the segments of a log up to a position into a backup, each after every record of it was verified. */
final class SegmentCopy implements AutoCloseable {

    private static final int PIECE_LENGTH = 64 << 10;

    private final Storage log;
    private final BackupSink sink;
    private final List<BackupFile> files = new ArrayList<>();
    private final NavigableMap<Long, SegmentView> held = new TreeMap<>();
    private final SegmentCheck check;
    private final LongConsumer progress;
    private long end;
    private long synced;

    SegmentCopy(Storage log, BackupSink sink, Pace pace, LongConsumer progress) throws IOException {
        this.log = log;
        this.sink = sink;
        this.check = new SegmentCheck(log, pace);
        this.progress = progress;
    }

    /** The copies, oldest first. */
    List<BackupFile> files() {
        return files;
    }

    /** The headers of the segments that are held. */
    List<SegmentHeader> headers() {
        return held.values().stream().map(SegmentView::header).toList();
    }

    /**
     * Holds all segments that are there: what compaction takes away from now on is still to be read. What it has moved
     * out of those that it had taken away before lies before any end of the log that is looked for after this.
     *
     * @throws RetiredException if one was taken away since they were listed
     */
    void hold() throws IOException {
        for (long base : LogFiles.list(log).basePositions()) {
            held.put(base, open(base));
        }
    }

    /**
     * Says where the copy ends, and holds what the writer has begun before that since {@link #hold}.
     *
     * @param end where the log ends
     * @param synced a segment that ends before it is settled
     * @throws CorruptLogException if a header is damaged, or they do not follow
     * @throws RetiredException if one was taken away that was needed
     */
    void endAt(long end, long synced) throws IOException {
        this.end = end;
        this.synced = synced;
        NavigableMap<Long, SegmentView> later = held.tailMap(end, true); // prepared ahead
        later.values().forEach(SegmentView::close);
        later.clear();
        NavigableSet<Long> bases = LogFiles.list(log).basePositions();
        for (long base : bases.headSet(end, false)) {
            if (!held.containsKey(base)) {
                SegmentView added = open(base);
                held.put(base, added);
                if (added.intact().header().isVacated()) { // its moves may lie behind the end
                    throw gone(LogFileName.segment(base));
                }
            }
        }
        try {
            held.values()
                    .forEach(segment -> check.requireItFollows(segment.intact().header()));
        } catch (CorruptLogException e) {
            if (bases.isEmpty() || bases.first() > held.firstKey()) { // the next one was retired as well
                throw gone(e.file());
            }
            throw e;
        }
    }

    private SegmentView open(long base) throws IOException {
        try {
            return SegmentView.open(log, base);
        } catch (IOException e) { // its file may have begun its next life
            if (isThere(LogFileName.segment(base))) {
                throw e;
            }
            throw gone(LogFileName.segment(base));
        }
    }

    private boolean isThere(String name) throws IOException {
        return log.list().contains(name);
    }

    /**
     * Copies them.
     *
     * @throws CorruptLogException if one is damaged
     * @throws RetiredException if the file of one was taken for another one
     */
    void copy() throws IOException {
        for (SegmentView segment : held.values()) {
            progress.accept(segment.basePosition());
            try {
                BackupFile copied = copy(segment, segment.header());
                MissingPage.check();
                requireItWasNotUsedAgain(segment.header());
                files.add(copied);
            } catch (IOException | CorruptLogException e) {
                requireItWasNotUsedAgain(segment.header());
                throw e;
            } catch (InternalError e) {
                throw SourceStorage.unreadable(log, segment.basePosition(), e);
            }
        }
    }

    private BackupFile copy(SegmentView segment, SegmentHeader header) throws IOException {
        if (header.endPosition() > end) {
            int used = (int) (end - header.basePosition());
            check.verifyTo(segment, used);
            return put(segment, used, State.OPEN);
        }
        FrameWalk seal = segment.seal();
        BackupFile old = seal == null ? null : unchanged(segment, seal);
        if (seal != null && old != null) {
            check.pass(seal);
            return old;
        }
        check.verifyToSeal(segment);
        // What follows is no part of the log: an earlier life of the file may have left it.
        int used = seal == null ? segment.length() : seal.end();
        return put(segment, used, header.endPosition() <= synced ? State.SETTLED : State.OPEN);
    }

    /**
     * The copy of an earlier run, if it was made of the same life of the file, and ends in the same seal. Only
     * compaction makes another one of a settled segment.
     */
    private @Nullable BackupFile unchanged(SegmentView segment, FrameWalk seal) throws IOException {
        BackupManifest previous = sink.previous();
        Optional<BackupFile> old = previous == null ? Optional.empty() : previous.file(segment.name());
        if (old.isEmpty() || old.get().state() != State.SETTLED) {
            return null;
        }
        if (isThere(old.get(), segment, seal.end())) {
            return old.get();
        }
        boolean isWhole = sink.isWhole(old.get()); // else it has gone bad, and is copied again
        if (isWhole && !segment.header().isVacated()) {
            throw isAnother(segment);
        }
        return null;
    }

    /** Whether the backup has this copy, which begins and ends as the segment does that has {@code used} bytes. */
    private boolean isThere(BackupFile old, SegmentView segment, int used) throws IOException {
        try (StorageFile copy = sink.find(old)) {
            int last = Math.max(SegmentHeader.LENGTH, used - Frame.SEAL_LENGTH);
            return copy != null // the header as it is: a later version may have reserved bytes in use
                    && isSame(segment.bytes(), copy, 0, SegmentHeader.LENGTH)
                    && isSame(segment.bytes(), copy, last, used - last);
        }
    }

    private static boolean isSame(ByteBuffer segment, StorageFile copy, int offset, int length) throws IOException {
        byte[] expected = new byte[length];
        byte[] found = new byte[length];
        segment.get(offset, expected);
        return copy.readFully(offset, found, 0, length) == length && Arrays.equals(found, expected);
    }

    /** Writes what the segment has by now, in bytes, unless the backup has just that. */
    private BackupFile put(SegmentView segment, int used, State state) throws IOException {
        BackupFile same = same(segment, used);
        return same == null
                ? sink.put(segment.name(), state, out -> write(segment.bytes(), used, out))
                : new BackupFile(same.name(), same.length(), same.checksum(), state);
    }

    /**
     * The copy of an earlier run if nothing has come since, else null. Of a segment that was sealed, or in which the
     * backup ends, the backup has zeros behind that. A log that is still the same has the same bytes before it, so the
     * checksum of the copy tells.
     *
     * @throws IOException if the log has other bytes there
     */
    private @Nullable BackupFile same(SegmentView segment, int used) throws IOException {
        BackupManifest previous = sink.previous();
        Optional<BackupFile> old = previous == null ? Optional.empty() : previous.file(segment.name());
        if (previous == null || old.isEmpty()) {
            return null;
        }
        int copied = (int) Math.min(previous.endPosition() - segment.basePosition(), used);
        CRC32C crc = new CRC32C();
        write(segment.bytes(), copied, new CheckedOutputStream(OutputStream.nullOutputStream(), crc));
        boolean isSame = (int) crc.getValue() == old.get().checksum();
        if (!isSame && !LogFiles.header(log, segment.basePosition()).isVacated()) {
            throw isAnother(segment);
        }
        return isSame && copied == used && isThere(old.get(), segment, used) ? old.get() : null;
    }

    private static IOException isAnother(SegmentView segment) {
        return new IOException("the log has another " + segment.name() + " than the backup that is there, so it is an"
                + " older copy that has gone on, or has lost records; " + BackupRun.ELSEWHERE);
    }

    /** What comes behind the end is zeros in the copy, whatever a writer has stored there by now. */
    private static void write(ByteBuffer segment, int used, OutputStream out) throws IOException {
        byte[] piece = new byte[PIECE_LENGTH];
        for (int offset = 0; offset < segment.capacity(); offset += piece.length) {
            int length = Math.min(piece.length, segment.capacity() - offset);
            int copied = Math.max(0, Math.min(length, used - offset));
            segment.get(offset, piece, 0, copied);
            Arrays.fill(piece, copied, length, (byte) 0);
            out.write(piece, 0, length);
        }
    }

    /**
     * A writer that retires a segment renames its file before it writes to it again; one that vacates it does not. One
     * that opens the log gives what was prepared before, and is still empty, another file.
     */
    private void requireItWasNotUsedAgain(SegmentHeader header) throws IOException {
        String name = LogFileName.segment(header.basePosition());
        SegmentHeader now;
        try {
            now = LogFiles.header(log, header.basePosition());
        } catch (FileNotFoundException e) {
            throw gone(name);
        }
        if (!now.equals(header) && !(now.isVacated() && now.logId() == header.logId())) {
            throw gone(name);
        }
    }

    /** @throws RetiredException if the file of one that is held was taken for another one */
    void requireNoneWasUsedAgain() throws IOException {
        for (SegmentView segment : held.values()) {
            requireItWasNotUsedAgain(segment.header());
        }
    }

    /** Adds to {@code files} what is held; returns them as they are copied, with zeros behind the end. */
    Storage addTo(HeldFiles files) {
        held.values().forEach(segment -> files.add(segment.name(), segment.bytes()));
        long base = held.lastKey();
        return new PartialStorage(files, name -> true, LogFileName.segment(base), end - base);
    }

    private static RetiredException gone(String name) {
        return new RetiredException("the segment was taken away while it was copied: file=" + name + "; try again");
    }

    @Override
    public void close() {
        held.values().forEach(SegmentView::close);
    }
}
