package io.persist.log;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.BootId;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.format.Frame;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log in order, while it is being written or not, in the writer's process or another one. It needs
 * no lock and no right to write, and never holds up the writer.
 *
 * <p>Two ways to use it: {@link #next()} moves to the next record and leaves it open to look at; {@link #poll} hands records
 * to a handler. Both return at once when there is nothing new.
 *
 * <p>A tailer sees each record as soon as it is published, which may be before it is synced: a power cut can take back
 * what a tailer saw. It never sees a record that differs from what was appended: each one's checksum is verified.
 *
 * <p><b>Threads:</b> one at a time, {@link #close} included. <b>Allocation:</b> none per record, some per segment.
 */
public final class Tailer implements AutoCloseable {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Storage storage;
    private final ReadMode mode;
    private final int bufferLength;
    private final Visibility visibility;
    private final Consumer<Tailer> onClose;

    private @Nullable SegmentReader segment;
    private long segmentBase;
    private long nextPosition;
    private long expectedSequence;
    private long position;
    private long sequence;
    private byte flags;
    private ByteBuffer payload = NOTHING;
    private boolean closed;

    /** The base of the segment that is being read; retention leaves it and what follows alone. */
    private volatile long neededPosition;

    Tailer(Storage storage, LogConfig config, Consumer<Tailer> onClose) throws IOException {
        this.storage = storage;
        this.mode = config.readMode();
        this.bufferLength = config.readBufferLength();
        this.onClose = onClose;
        this.visibility = new Visibility(storage, BootId.current());
        LogFiles files = LogFiles.list(storage);
        moveTo(files.basePositions().isEmpty() ? 0 : files.basePositions().first(), SegmentHeader.LENGTH, 0);
    }

    /**
     * A tailer at the start of the log that {@code config} names, for a process that does not write it. Of the configuration
     * it uses the directory, the read mode and the read buffer's length.
     *
     * @throws LogIOException if the directory cannot be read
     */
    public static Tailer open(LogConfig config) {
        try {
            return open(config, DirectoryStorage.open(config.directory()));
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The same on a storage of the caller's. */
    public static Tailer open(LogConfig config, Storage storage) {
        try {
            return new Tailer(storage, config, tailer -> {});
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** Goes to the oldest record that is still there. */
    public void toStart() {
        NavigableSet<Long> bases = bases();
        moveTo(bases.isEmpty() ? 0 : bases.first(), SegmentHeader.LENGTH, 0);
    }

    /** Goes behind the newest record: the next one will be the first that is appended from now on. */
    public void toEnd() {
        long hint = visibility.hint();
        Long base = bases().floor(hint);
        if (base != null && hint > nextPosition && startsRecord(base, hint)) {
            moveTo(base, hint - base, 0);
        }
        while (next()) {
            // From the hint on there are few.
        }
    }

    /**
     * Goes to the record that begins at {@code target}, or to the end of the log if that is there.
     *
     * @throws RetiredException if the position is below the log's first one
     * @throws IllegalArgumentException if no record begins there
     */
    public void toPosition(long target) {
        Long base = bases().floor(target);
        if (base == null) {
            throw new RetiredException("position is gone: position=" + target + "; go on from the log's first record");
        }
        if (startsRecord(base, target)) {
            moveTo(base, target - base, 0);
            return;
        }
        moveTo(base, SegmentHeader.LENGTH, 0);
        while (nextPosition < target && next()) {
            // Up to the target: it may be where the next record will begin.
        }
        if (nextPosition != target) {
            toStart();
            throw new IllegalArgumentException("no record begins here: position=" + target);
        }
    }

    /**
     * Goes to the record number {@code target}; the number after the last one is the end of the log. The time grows with
     * the logarithm of the log's length.
     *
     * @throws RetiredException if retention has taken the record away
     * @throws IllegalArgumentException if it has not been written yet
     */
    public void toSequence(long target) {
        checkOpen();
        if (target < 1) {
            throw new IllegalArgumentException("sequence=" + target + ", min=1");
        }
        try {
            long found = new SequenceSearch(storage).positionOf(target);
            long base = Objects.requireNonNull(bases().floor(found));
            moveTo(base, found - base, target);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private NavigableSet<Long> bases() {
        checkOpen();
        try {
            visibility.refresh();
            return LogFiles.list(storage).basePositions();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private boolean startsRecord(long base, long target) {
        int offset = (int) Math.min(target - base, Integer.MAX_VALUE);
        if (offset < SegmentHeader.LENGTH || offset % Frame.ALIGNMENT != 0) {
            return false;
        }
        try (ScannedSegment scanned = ScannedSegment.open(storage, base)) {
            return scanned.damage() == null
                    && offset < scanned.scanner().end()
                    && scanned.scanner().verdict(offset) == FrameVerdict.VALID;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void moveTo(long base, long offset, long expected) {
        if (segment != null && (base != segmentBase || closed)) {
            segment.close();
            segment = null;
        }
        segmentBase = base;
        neededPosition = base;
        nextPosition = base + offset;
        expectedSequence = expected;
        payload = NOTHING;
    }

    /**
     * Moves to the next record.
     *
     * @return whether there is one; false says that it has not been published yet
     * @throws CorruptLogException if the next record is damaged; the tailer stays before it
     * @throws RetiredException if retention has overtaken the tailer
     */
    public boolean next() {
        checkOpen();
        try {
            return advance();
        } catch (IOException | InternalError e) {
            throw failed(e);
        }
    }

    private boolean advance() throws IOException {
        while (true) {
            SegmentReader reader = segment;
            if (reader == null) {
                reader = openSegment();
                if (reader == null) {
                    return false;
                }
            }
            if (nextPosition >= visibility.limit()) {
                return false;
            }
            int offset = (int) (nextPosition - segmentBase);
            int length = reader.frameLength(offset);
            if (length == 0) {
                checkNotReused(reader);
                return false;
            }
            int index = verified(reader, offset, length);
            if (Frame.type(reader.buffer(), index) == Frame.TYPE_RECORD) {
                take(reader, index, length);
                return true;
            }
            seal(reader, index);
        }
    }

    private @Nullable SegmentReader openSegment() throws IOException {
        segment = SegmentReader.open(storage, segmentBase, mode, bufferLength);
        if (segment == null) {
            NavigableSet<Long> bases = LogFiles.list(storage).basePositions();
            if (!bases.isEmpty() && bases.first() > segmentBase) {
                throw retired();
            }
        }
        return segment;
    }

    /** The index of the frame in the reader's buffer, after every check. */
    private int verified(SegmentReader reader, int offset, int length) throws IOException {
        if (length < Frame.HEADER_LENGTH || length > reader.header().segmentLength() - offset) {
            throw damaged(reader, "impossible record length " + length);
        }
        int index = reader.load(offset, length);
        ByteBuffer buffer = reader.buffer();
        if (reader.checksum(index, length, nextPosition) != Frame.checksum(buffer, index)) {
            throw damaged(reader, "wrong checksum");
        }
        long found = Frame.sequence(buffer, index);
        if (expectedSequence != 0 && found != expectedSequence) {
            throw damaged(reader, "sequence number " + found + " in place of " + expectedSequence);
        }
        byte type = Frame.type(buffer, index);
        if (type != Frame.TYPE_RECORD && type != Frame.TYPE_SEAL) {
            throw new UnsupportedFormatException("unsupported frame: type=" + type + ", position=" + nextPosition
                    + "; read it with the version of Persist that wrote it");
        }
        return index;
    }

    private void take(SegmentReader reader, int index, int length) {
        position = nextPosition;
        sequence = Frame.sequence(reader.buffer(), index);
        flags = Frame.flags(reader.buffer(), index);
        payload = reader.payload();
        payload.limit(index + length).position(index + Frame.HEADER_LENGTH);
        nextPosition = position + Frame.aligned(length);
        expectedSequence = sequence + 1;
    }

    private void seal(SegmentReader reader, int index) {
        long sealed = Frame.sequence(reader.buffer(), index);
        moveTo(reader.header().endPosition(), SegmentHeader.LENGTH, sealed);
    }

    /** Retention gave the file another life: what is mapped here is not the log any more. */
    private void checkNotReused(SegmentReader reader) throws IOException {
        if (reader.saltNow() != reader.header().salt()) {
            throw retired();
        }
    }

    private RuntimeException damaged(SegmentReader reader, String what) throws IOException {
        return reader.isRetired() ? retired() : new CorruptLogException(reader.name(), nextPosition, what);
    }

    private RetiredException retired() {
        return new RetiredException("retention has overtaken this tailer: position=" + nextPosition
                + "; go on from the log's first record");
    }

    private LogIOException failed(Throwable cause) {
        return new LogIOException("cannot read the log at position " + nextPosition + ": " + cause.getMessage(), cause);
    }

    /**
     * Hands up to {@code limit} records to {@code handler}.
     *
     * @return how many there were; 0 says that none has been published since
     * @throws CorruptLogException if a record is damaged; those before it have been handed over
     * @throws RetiredException if retention has overtaken the tailer; with a recycled segment, records that this very call
     *     handed over may have been overwritten under the handler
     */
    public int poll(RecordHandler handler, int limit) {
        int count = 0;
        while (count < limit && next()) {
            count++;
            handler.onRecord(position, sequence, payload);
        }
        SegmentReader reader = segment;
        if (count > 0 && reader != null && mode == ReadMode.MAPPED) {
            try {
                checkNotReused(reader);
            } catch (IOException e) {
                throw failed(e);
            }
        }
        return count;
    }

    /** Where the current record begins. */
    public long position() {
        return position;
    }

    /** Where the next record begins, or will begin. */
    public long nextPosition() {
        return nextPosition;
    }

    /** The current record's number, 1 for the first of the log. */
    public long sequence() {
        return sequence;
    }

    /** Whether the writer called commit between the record before the current one and this one. */
    public boolean startsCommit() {
        return (flags & Frame.FLAG_STARTS_COMMIT) != 0;
    }

    /** The current record, from position to limit; little-endian, read-only, valid until the tailer is used again. */
    public ByteBuffer payload() {
        return payload;
    }

    long neededPosition() {
        return neededPosition;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("tailer is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            moveTo(segmentBase, 0, 0);
            visibility.close();
            onClose.accept(this);
        }
    }
}
