package io.persist.store.value;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.LentBytes;
import io.persist.memory.MappedCrc;
import io.persist.memory.MissingPage;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from the log. An entry is copied out of its segment once, and the copy is verified: so no caller ever
 * has memory of a file, and each caller has exactly what was verified. An entry comes from the mapping if its segment
 * is warm, see {@link MappedSegment#isWarm}; else exactly its bytes are read from the file. The segment of the last
 * value stays mapped until a value of another segment is read, because values that are read one after the other often
 * lie together.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> values that are longer than {@link ReusedBuffer#MAX_KEPT}.
 */
public final class ValueReader {

    /** How many of the highest bits of {@link #phase} are 0 for a copy that is timed. */
    private static final int TIMED_BITS = 2;

    /** 2^32 by the golden ratio: its multiples lie evenly, and so does each second, third or fourth of them. */
    private static final int PHASE_STEP = 0x9E37_79B9;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final MappedCrc crc = MappedCrc.ofCopies();
    private final SegmentHold hold;
    private final ReusedBuffer buffer = new ReusedBuffer();
    private final LentBytes value = new LentBytes();

    /**
     * Goes on with each copy out of a mapping. A quarter of them is timed: the clock takes a tenth of such a get. It is
     * not each fourth one: requests may have four gets, of which one and the same would be timed then.
     */
    private int phase;

    /** One that is for whichever thread has it. */
    public ValueReader() {
        this(new SegmentHold(null));
    }

    /** One whose {@code hold} others know. */
    public ValueReader(SegmentHold hold) {
        this.hold = hold;
    }

    /**
     * Goes to {@code segment} and keeps it mapped, in place of the one before.
     *
     * @return false if it is unmapped already
     */
    public boolean enter(MappedSegment segment) {
        return hold.enter(segment);
    }

    /** Lets go of the segment, and takes the last value back. */
    public void leave() {
        value.takeBack();
        letGo();
    }

    /** Lets go of the segment. The last value stays: it is a copy, and another thread may be reading it. */
    public void letGo() {
        hold.leave();
    }

    /** A value that is not in the log: {@code length} bytes of {@code source} from {@code from} on. */
    public LentBytes copyOf(byte[] source, int from, int length) {
        value.takeBack();
        byte[] copy = buffer.ofLength(length).array();
        System.arraycopy(source, from, copy, 0, length);
        value.lend(copy, 0, length);
        return value;
    }

    /** Takes the last value back: there is none for the key that was asked for now. */
    public void takeBack() {
        value.takeBack();
    }

    /**
     * The value of {@code key}, whose entry is at {@code position} of the segment that was entered last; lent until the
     * next call.
     *
     * @throws CorruptLogException if what is there is not that value any more
     * @throws LogIOException if the device or the file behind the mapping is gone
     */
    public LentBytes read(KeyBuffer key, long position, int valueLength) {
        MappedSegment segment = hold.segment();
        if (segment == null) {
            throw new IllegalStateException("no segment was entered");
        }
        hold.releaseLeft();
        value.takeBack();
        try {
            return read(segment, key, position, valueLength);
        } catch (InternalError e) {
            throw cannotRead(position, e);
        }
    }

    /**
     * The value of {@code key} whose entry was read to {@code index} of {@code memory}, which has an array. It is lent
     * where it is; null if what is there is not that entry.
     */
    public @Nullable LentBytes lend(ByteBuffer memory, int index, KeyBuffer key, int valueLength) {
        value.takeBack();
        int keyEnd = index + TransactionLayout.ENTRY_HEADER_LENGTH + key.length();
        int end = keyEnd + valueLength;
        boolean fits = valueLength >= 0 && end >= keyEnd && end <= memory.capacity();
        boolean isEntry = fits
                && TransactionLayout.checksum(memory, index) == TransactionLayout.checksumOf(memory, index, end, crc)
                && TransactionLayout.keyLength(memory, index) == key.length()
                && TransactionLayout.valueLength(memory, index) == valueLength
                && key.isAt(memory.array(), index + TransactionLayout.ENTRY_HEADER_LENGTH);
        if (!isEntry) {
            return null;
        }
        value.lend(memory.array(), keyEnd, end);
        return value;
    }

    private LentBytes read(MappedSegment segment, KeyBuffer key, long position, int valueLength) {
        int entry = (int) (position - segment.basePosition());
        int keyEnd = TransactionLayout.ENTRY_HEADER_LENGTH + key.length();
        int end = keyEnd + valueLength;
        ByteBuffer copy = NOTHING;
        boolean isEntry = fits(segment, entry, key.length(), valueLength);
        if (isEntry) {
            copy = buffer.ofLength(end);
            int checksum = copyOf(segment, entry, copy, end);
            isEntry = TransactionLayout.checksum(copy, 0) == checksum
                    && TransactionLayout.keyLength(copy, 0) == key.length()
                    && TransactionLayout.valueLength(copy, 0) == valueLength
                    && key.isAt(copy.array(), TransactionLayout.ENTRY_HEADER_LENGTH);
        }
        if (!isEntry) {
            MissingPage.check();
            throw new CorruptLogException(
                    segment.name(),
                    position,
                    "the value of a key is damaged",
                    "other keys can be read; put or remove this key, or restore the file");
        }
        value.lend(copy.array(), keyEnd, end);
        return value;
    }

    /** Copies {@code length} bytes of the entry; returns the checksum that they should have. */
    private int copyOf(MappedSegment segment, int entry, ByteBuffer copy, int length) {
        if (!segment.isWarm() && segment.read(entry, copy.array(), 0, length)) {
            return TransactionLayout.checksumOf(copy, 0, length, crc);
        }
        phase += PHASE_STEP;
        if (phase >>> Integer.SIZE - TIMED_BITS != 0) {
            return TransactionLayout.checksumOfCopy(segment.view(), entry, copy.array(), 0, length, crc);
        }
        long startNs = segment.now();
        int checksum = TransactionLayout.checksumOfCopy(segment.view(), entry, copy.array(), 0, length, crc);
        segment.tookByMapping(segment.now() - startNs, length);
        return checksum;
    }

    /** The same of an entry whose value's length is not known. */
    public LentBytes read(KeyBuffer key, long position) {
        value.takeBack();
        MappedSegment segment = hold.segment();
        int entry = segment == null ? 0 : (int) (position - segment.basePosition());
        int valueLength;
        try {
            valueLength = segment != null && fits(segment, entry, 0, 0) ? valueLength(segment, entry) : -1;
        } catch (InternalError e) {
            throw cannotRead(position, e);
        }
        return read(key, position, valueLength);
    }

    private int valueLength(MappedSegment segment, int entry) {
        ByteBuffer header = buffer.ofLength(TransactionLayout.ENTRY_HEADER_LENGTH);
        boolean isCopied =
                !segment.isWarm() && segment.read(entry, header.array(), 0, TransactionLayout.ENTRY_HEADER_LENGTH);
        return TransactionLayout.valueLength(isCopied ? header : segment.view(), isCopied ? 0 : entry);
    }

    /** The JVM's way to say that the device or the file behind a mapping is gone. */
    private static LogIOException cannotRead(long position, InternalError cause) {
        return new LogIOException("cannot read the log at position " + position + ": " + cause.getMessage(), cause);
    }

    /** Whether an entry of these lengths at {@code entry} ends in the segment. */
    private static boolean fits(MappedSegment segment, int entry, int keyLength, int valueLength) {
        long end = (long) entry + TransactionLayout.ENTRY_HEADER_LENGTH + keyLength + valueLength;
        return entry >= Frame.HEADER_LENGTH && valueLength >= 0 && end <= segment.length();
    }
}
