package io.persist.backup;

import io.persist.archive.CheckedSegment;
import io.persist.backup.BackupFile.State;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.MissingPage;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Copies the segments of a log up to a position into a backup, each after every record of it was verified. */
final class SegmentCopy implements AutoCloseable {

    private static final int PIECE_LENGTH = 64 << 10;

    private final Storage log;
    private final BackupSink sink;
    private final long end;
    private final long synced;
    private final List<BackupFile> files = new ArrayList<>();
    private final List<SegmentHeader> headers = new ArrayList<>();
    private final List<Mapping> held = new ArrayList<>();
    private long nextSequence;

    /**
     * A copy of what lies before {@code end}, where the log ends.
     *
     * @param synced a segment that ends before it is settled
     */
    SegmentCopy(Storage log, BackupSink sink, long end, long synced) {
        this.log = log;
        this.sink = sink;
        this.end = end;
        this.synced = synced;
    }

    /** The copies, oldest first. */
    List<BackupFile> files() {
        return files;
    }

    /** The headers of the segments that are held. */
    List<SegmentHeader> headers() {
        return headers;
    }

    /**
     * Holds the segments of these bases, which follow each other: what compaction takes away from now on is still to be
     * read. So this is done at once, before the first one is copied.
     *
     * @throws CorruptLogException if a header is damaged, or they do not follow
     * @throws RetiredException if one was taken away since they were listed
     */
    void hold(NavigableSet<Long> bases) throws IOException {
        for (long base : bases) {
            String name = SegmentName.of(base);
            try (StorageFile file = log.open(name, Storage.Access.READ)) {
                SegmentHeader header = header(file, base);
                requireItFollows(header);
                if (header.isVacated() && header.endPosition() > end) { // since its end was looked for
                    throw gone(name);
                }
                held.add(file.map(header.segmentLength()));
                headers.add(header);
            } catch (IOException | CorruptLogException e) { // its file may have begun its next life
                if (isThere(name)) {
                    throw e;
                }
                throw gone(name);
            }
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
        for (int i = 0; i < headers.size(); i++) {
            SegmentHeader header = headers.get(i);
            String name = SegmentName.of(header.basePosition());
            try {
                BackupFile copied = copy(held.get(i).buffer(), name, header);
                MissingPage.check();
                requireItWasNotUsedAgain(header);
                files.add(copied);
            } catch (IOException | CorruptLogException e) {
                if (isThere(name)) {
                    throw e;
                }
                throw gone(name);
            }
        }
    }

    private BackupFile copy(ByteBuffer segment, String name, SegmentHeader header) throws IOException {
        if (header.endPosition() > end) {
            int used = (int) (end - header.basePosition());
            checkTail(segment, name, header, used);
            return sink.put(name, State.OPEN, out -> write(segment, used, out));
        }
        BackupFile old = unchanged(segment, name, header);
        if (old != null) {
            nextSequence = Frame.sequence(segment, sealOffset(segment));
            return old;
        }
        nextSequence = CheckedSegment.of(segment, name, header, nextSequence).nextSequence();
        State state = header.endPosition() <= synced ? State.SETTLED : State.OPEN;
        return sink.put(name, state, out -> write(segment, segment.capacity(), out));
    }

    /** The copy of an earlier run, if it was made of the same life of the file, and ends in the same seal. */
    private @Nullable BackupFile unchanged(ByteBuffer segment, String name, SegmentHeader header) throws IOException {
        BackupManifest previous = sink.previous();
        Optional<BackupFile> old = previous == null ? Optional.empty() : previous.file(name);
        int seal = sealOffset(segment);
        if (old.isEmpty() || old.get().state() != State.SETTLED || seal < SegmentHeader.LENGTH) {
            return null;
        }
        FrameScanner frames = new FrameScanner(segment, header.salt(), header.basePosition());
        boolean isSealed = frames.verdict(seal) == FrameVerdict.VALID && Frame.type(segment, seal) == Frame.TYPE_SEAL;
        byte[] sealed = new byte[Frame.SEAL_LENGTH];
        segment.get(seal, sealed);
        return isSealed && sink.has(old.get(), header.encode(), seal, sealed) ? old.get() : null;
    }

    private static int sealOffset(ByteBuffer segment) {
        int end = new FrameScanner(segment, 0, 0).endOfData(SegmentHeader.LENGTH);
        return Frame.aligned(end) - Frame.SEAL_LENGTH;
    }

    /** Every record up to the end has to be whole. */
    private void checkTail(ByteBuffer segment, String name, SegmentHeader header, int used) {
        FrameScanner frames = new FrameScanner(segment, header.salt(), header.basePosition());
        int offset = SegmentHeader.LENGTH;
        while (offset < used) {
            FrameVerdict verdict = frames.verdict(offset);
            long sequence = Frame.sequence(segment, offset);
            if (verdict != FrameVerdict.VALID || nextSequence != 0 && !header.goesOn(nextSequence, sequence)) {
                throw new CorruptLogException(
                        name, header.basePosition() + offset, "no whole record (" + verdict + ")");
            }
            nextSequence = sequence + 1;
            offset = frames.next(offset);
        }
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

    private void requireItFollows(SegmentHeader header) {
        if (headers.isEmpty()) {
            return;
        }
        SegmentHeader before = headers.get(headers.size() - 1);
        long base = header.basePosition();
        if (before.endPosition() != base) {
            throw new CorruptLogException(
                    SegmentName.of(before.endPosition()), before.endPosition(), "the segment is missing");
        }
        if (before.logId() != header.logId() || before.content() != header.content()) {
            throw new CorruptLogException(SegmentName.of(base), base, "the segment belongs to another log");
        }
    }

    /** A writer that retires a segment renames its file before it writes to it again; one that vacates it does not. */
    private void requireItWasNotUsedAgain(SegmentHeader header) throws IOException {
        String name = SegmentName.of(header.basePosition());
        try (StorageFile file = log.open(name, Storage.Access.READ)) {
            SegmentHeader now = header(file, header.basePosition());
            if (!now.equals(header) && !(now.isVacated() && now.logId() == header.logId())) {
                throw gone(name);
            }
        }
    }

    private static RetiredException gone(String name) {
        return new RetiredException("the segment was taken away while it was copied: file=" + name + "; try again");
    }

    private static SegmentHeader header(StorageFile file, long base) throws IOException {
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        int read = file.read(0, bytes, 0, bytes.length);
        return SegmentHeader.decode(ByteBuffer.wrap(bytes, 0, read).slice(), SegmentName.of(base), file.length(), base);
    }

    @Override
    public void close() {
        held.forEach(Mapping::close);
    }
}
