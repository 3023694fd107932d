package io.persist.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Stores frames into a buffer: all of a frame but its length, whose store publishes it.
 *
 * <p>The buffer may be mapped from a file that another program cuts. If a copy meets a missing page, the JVM throws an
 * {@code InternalError}; if the code that computes checksums does, the JVM dies of {@code SIGBUS}. So a payload goes
 * through an array, long ones piece by piece: from there it is copied to its place, and the checksum is one of the
 * array. So the checksum fits what is stored even if the caller changes the source meanwhile. The array is in the
 * nearest cache, and its checksum is made while the copy is still on its way to memory. A buffer on the heap needs no
 * detour.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor.
 */
public final class FrameWriter {

    private static final int PIECE_LENGTH = 8192;
    private static final int PAYLOAD_PIECE_LENGTH = PIECE_LENGTH - Frame.HEADER_LENGTH;

    /** Up to this length header and payload are one copy; measured. */
    private static final int SHORT_PAYLOAD_LENGTH = 512;

    /** What of a header the checksum covers. */
    private static final int COVERED_LENGTH = Frame.HEADER_LENGTH - Frame.SEQUENCE_OFFSET;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private ByteBuffer buffer;
    private boolean isOnHeap;
    private final CRC32C crc = new CRC32C();

    /** What the checksum covers of the header, and behind it of the payload as much as has room. */
    private final byte[] piece = new byte[PIECE_LENGTH];

    private long salt;
    private long start;

    /** Stores into {@code buffer}; {@link #moveTo} says where that belongs. */
    public FrameWriter(ByteBuffer buffer) {
        this.buffer = buffer;
        this.isOnHeap = buffer.hasArray();
    }

    /**
     * Stores into {@code next} from now on, all of which its limit has to allow: into a segment with {@code newSalt},
     * where index 0 belongs to the position {@code newStart}.
     */
    public void moveTo(ByteBuffer next, long newSalt, long newStart) {
        buffer = next;
        isOnHeap = next.hasArray();
        salt = newSalt;
        start = newStart;
    }

    /**
     * Stores the frame at {@code index}: its payload are {@code length} bytes of {@code source}.
     *
     * @param sequence the record's number
     * @param state what {@link Frame#stateWord} joins
     */
    public void put(int index, long sequence, long state, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length); // before anything is stored
        if (isOnHeap) {
            clearPaddingOnHeap(index, length);
            buffer.put(index + Frame.HEADER_LENGTH, source, offset, length);
            endOnHeap(index, sequence, state, length);
            return;
        }
        int first = Math.min(length, PAYLOAD_PIECE_LENGTH);
        begin(sequence, state, first);
        System.arraycopy(source, offset, piece, Frame.HEADER_LENGTH, first);
        putFirst(index, sequence, state, first);
        for (int done = first; done < length; done += PAYLOAD_PIECE_LENGTH) {
            int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
            clearPadding(next);
            System.arraycopy(source, offset + done, piece, Frame.HEADER_LENGTH, next);
            putNext(index + done, next);
        }
        Frame.putChecksum(buffer, index, checksum(index, length));
    }

    /** The same of the {@code length} bytes from {@code offset} on of {@code source}, whose position stays. */
    public void put(int index, long sequence, long state, ByteBuffer source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.limit());
        if (isOnHeap) {
            clearPaddingOnHeap(index, length);
            buffer.put(index + Frame.HEADER_LENGTH, source, offset, length);
            endOnHeap(index, sequence, state, length);
            return;
        }
        int first = Math.min(length, PAYLOAD_PIECE_LENGTH);
        begin(sequence, state, first);
        source.get(offset, piece, Frame.HEADER_LENGTH, first);
        putFirst(index, sequence, state, first);
        for (int done = first; done < length; done += PAYLOAD_PIECE_LENGTH) {
            int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
            clearPadding(next);
            source.get(offset + done, piece, Frame.HEADER_LENGTH, next);
            putNext(index + done, next);
        }
        Frame.putChecksum(buffer, index, checksum(index, length));
    }

    /** Stores the length of that frame, which publishes it if the buffer is mapped. */
    public void publish(int index, int length) {
        if (isOnHeap) {
            Frame.putLength(buffer, index, length);
        } else {
            Frame.publishRelease(buffer, index, length);
        }
    }

    /**
     * Stores zeros over what there is, between the two indexes, of a frame that will not be published. In a buffer on
     * the heap it stays: nobody looks behind what is published there.
     */
    public void clear(int from, int end) {
        if (isOnHeap) {
            return;
        }
        Arrays.fill(piece, (byte) 0);
        int alignedEnd = Frame.aligned(end);
        for (int at = from; at < alignedEnd; at += PIECE_LENGTH) {
            buffer.put(at, piece, 0, Math.min(PIECE_LENGTH, alignedEnd - at));
        }
    }

    /** Makes the array ready for the first {@code length} bytes of a payload: what the checksum covers before them. */
    private void begin(long sequence, long state, int length) {
        clearPadding(length); // first: without a payload it is the state
        LONG.set(piece, Frame.SEQUENCE_OFFSET, sequence);
        LONG.set(piece, Frame.UNSYNCED_OFFSET, state);
        crc.reset();
    }

    /** Zeros where the padding of {@code length} bytes will be; what of them is payload is put afterwards. */
    private void clearPadding(int length) {
        LONG.set(piece, Frame.HEADER_LENGTH + Frame.aligned(length) - Frame.ALIGNMENT, 0L);
    }

    /**
     * Stores the header and the first piece of a payload. Of a short frame they are one copy; of a longer one the
     * processor would wait for what was stored to the array by other steps than it is loaded by.
     */
    private void putFirst(int index, long sequence, long state, int length) {
        if (length <= SHORT_PAYLOAD_LENGTH) {
            int stored = COVERED_LENGTH + Frame.aligned(length);
            buffer.put(index + Frame.SEQUENCE_OFFSET, piece, Frame.SEQUENCE_OFFSET, stored);
        } else {
            buffer.put(index + Frame.HEADER_LENGTH, piece, Frame.HEADER_LENGTH, Frame.aligned(length));
            Frame.putHeader(buffer, index, sequence, state);
        }
        crc.update(piece, Frame.SEQUENCE_OFFSET, COVERED_LENGTH + length);
    }

    /** Stores a later piece; only the last one has padding. */
    private void putNext(int index, int length) {
        buffer.put(index + Frame.HEADER_LENGTH, piece, Frame.HEADER_LENGTH, Frame.aligned(length));
        crc.update(piece, Frame.HEADER_LENGTH, length);
    }

    private void clearPaddingOnHeap(int index, int length) {
        Frame.clearPadding(buffer, index, Frame.aligned(Frame.HEADER_LENGTH + length));
    }

    private void endOnHeap(int index, long sequence, long state, int length) {
        Frame.putHeader(buffer, index, sequence, state);
        crc.reset();
        crc.update(buffer.array(), buffer.arrayOffset() + index + Frame.SEQUENCE_OFFSET, COVERED_LENGTH + length);
        Frame.putChecksum(buffer, index, checksum(index, length));
    }

    private int checksum(int index, int length) {
        return (int) crc.getValue() ^ FrameChecksum.mix(salt, start + index, Frame.HEADER_LENGTH + length);
    }
}
