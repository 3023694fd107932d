package io.persist.store;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.format.MappedCrc;
import io.persist.format.MissingPage;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyBuffer;
import io.persist.log.MappedSegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads values where they lie in the log. It keeps the segment of the last one mapped until it reads from another, so
 * that the value stays what it is until then.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> a view for each segment it comes to, of which it keeps some.
 */
final class ValueReader {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final MappedCrc crc = new MappedCrc();
    private final @Nullable MappedSegment[] owners;
    private final ByteBuffer[] views;
    private @Nullable MappedSegment held;
    private @Nullable MappedSegment left;
    private ByteBuffer view = NOTHING;

    /** A reader that keeps views of about so many segments, a power of 2. */
    ValueReader(int maxViews) {
        owners = new @Nullable MappedSegment[maxViews];
        views = new ByteBuffer[maxViews];
        Arrays.fill(views, NOTHING);
    }

    /**
     * Goes to {@code segment} and keeps it mapped, in place of the one before.
     *
     * @return false if it is unmapped already
     */
    @SuppressWarnings("ReferenceEquality") // the very segment, and not one like it
    boolean enter(MappedSegment segment) {
        if (segment == held) {
            return true;
        }
        if (!segment.hold()) {
            return false;
        }
        releaseLeft();
        left = held;
        held = segment;
        int slot = segment.number() & (views.length - 1);
        if (owners[slot] != segment) {
            owners[slot] = segment;
            views[slot] = segment.view();
        }
        view = views[slot];
        return true;
    }

    /** Lets go of the segment: what was read from it may not be touched any more. */
    void leave() {
        releaseLeft();
        if (held != null) {
            held.release();
            held = null;
            view = NOTHING;
        }
    }

    /** The one before is let go of only when the next value is read: if it is the last, unmapping takes its time. */
    private void releaseLeft() {
        if (left != null) {
            left.release();
            left = null;
        }
    }

    /**
     * The value of {@code key}, whose entry is at {@code position} of the segment that was entered last: a read-only
     * view, valid until the next call.
     *
     * @throws CorruptLogException if what is there is not that value any more
     * @throws LogIOException if the device or the file behind the mapping is gone
     */
    ByteBuffer read(KeyBuffer key, long position, int valueLength) {
        MappedSegment segment = held;
        if (segment == null) {
            throw new IllegalStateException("no segment was entered");
        }
        releaseLeft();
        try {
            return read(segment, key, position, valueLength);
        } catch (InternalError e) {
            throw cannotRead(position, e);
        }
    }

    private ByteBuffer read(MappedSegment segment, KeyBuffer key, long position, int valueLength) {
        view.clear(); // whoever read the last value may have moved its bounds
        int entry = (int) (position - segment.basePosition());
        int end = checkedEnd(segment, entry, key.length(), valueLength);
        boolean isEntry = end > 0
                && TransactionLayout.keyLength(view, entry) == key.length()
                && TransactionLayout.valueLength(view, entry) == valueLength
                && TransactionLayout.checksumOf(view, entry, end, crc) == TransactionLayout.checksum(view, entry)
                && key.isAt(view, entry + TransactionLayout.ENTRY_HEADER_LENGTH);
        if (!isEntry) {
            MissingPage.check();
            throw new CorruptLogException(
                    segment.name(),
                    position,
                    "the value of a key is damaged",
                    "the other keys can be read; put or remove this one, or restore the file");
        }
        return view.limit(end).position(end - valueLength);
    }

    /** The same of an entry whose value's length is not known. */
    ByteBuffer read(KeyBuffer key, long position) {
        MappedSegment segment = held;
        int entry = segment == null ? 0 : (int) (position - segment.basePosition());
        view.clear();
        boolean fits = segment != null && checkedEnd(segment, entry, 0, 0) > 0;
        int valueLength;
        try {
            valueLength = fits ? TransactionLayout.valueLength(view, entry) : -1;
        } catch (InternalError e) {
            throw cannotRead(position, e);
        }
        return read(key, position, valueLength);
    }

    /** The JVM's way to say that the device or the file behind a mapping is gone. */
    private static LogIOException cannotRead(long position, InternalError cause) {
        return new LogIOException("cannot read the log at position " + position + ": " + cause.getMessage(), cause);
    }

    /** The end of an entry of these lengths, or -1 if it does not fit the segment. */
    private static int checkedEnd(MappedSegment segment, int entry, int keyLength, int valueLength) {
        long end = (long) entry + TransactionLayout.ENTRY_HEADER_LENGTH + keyLength + valueLength;
        return entry < Frame.HEADER_LENGTH || valueLength < 0 || end > segment.length() ? -1 : (int) end;
    }
}
