package io.persist.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Stores frames into a buffer: all of a frame but its length, whose store publishes it.
 *
 * <p>The buffer may be mapped from a file that somebody cuts. The JVM makes an {@code InternalError} of a copy that
 * meets a missing page, but in the code that computes checksums it dies of {@code SIGBUS}. So a payload goes through an
 * array, long ones piece by piece: from there it is copied to its place, and the checksum is one of the array.
 * Therefore what is stored is also what was summed up, if the caller changes the source meanwhile. The array is in the
 * nearest cache, and its checksum is made while the copy is still on its way to memory. A buffer on the heap needs no
 * detour.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor.
 */
public final class FrameWriter {

    private static final int PIECE_LENGTH = 8192;
    private static final int PAYLOAD_PIECE_LENGTH = PIECE_LENGTH - Frame.HEADER_LENGTH;

    /** What of a header the checksum covers. */
    private static final int COVERED_LENGTH = Frame.HEADER_LENGTH - Frame.SEQUENCE_OFFSET;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private ByteBuffer buffer;
    private boolean isOnHeap;
    private final CRC32C crc = new CRC32C();

    /** What the checksum covers of the header, and behind it of the payload as much as has room. */
    private final byte[] piece = new byte[PIECE_LENGTH];

    private long sequence;
    private long state;
    private int mix;

    /** Stores into {@code buffer}, all of which its limit has to allow. */
    public FrameWriter(ByteBuffer buffer) {
        this.buffer = buffer;
        this.isOnHeap = buffer.hasArray();
    }

    /** Stores into {@code next} from now on, as in the constructor. */
    public void moveTo(ByteBuffer next) {
        buffer = next;
        isOnHeap = next.hasArray();
    }

    /** What the header of the frame to be stored next says. */
    public void header(long newSequence, int unsynced, byte type, byte flags) {
        sequence = newSequence;
        state = Frame.stateWord(unsynced, type, flags);
    }

    /** Where that frame, of {@code length} bytes without the padding, belongs: in a segment with {@code salt}. */
    public void place(long salt, long position, int length) {
        mix = FrameChecksum.mix(salt, position, length);
    }

    /** Stores the frame at {@code index}: its payload are {@code length} bytes of {@code source}. */
    public void put(int index, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length); // before anything is stored
        clearPadding(index, length);
        if (isOnHeap) {
            buffer.put(index + Frame.HEADER_LENGTH, source, offset, length);
            endOnHeap(index, length);
            return;
        }
        begin();
        int done = 0;
        do {
            int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
            System.arraycopy(source, offset + done, piece, Frame.HEADER_LENGTH, next);
            putPiece(index, done, next);
            done += next;
        } while (done < length);
        end(index);
    }

    /** The same of the {@code length} bytes from {@code offset} on of {@code source}, whose position stays. */
    public void put(int index, ByteBuffer source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.limit());
        clearPadding(index, length);
        if (isOnHeap) {
            buffer.put(index + Frame.HEADER_LENGTH, source, offset, length);
            endOnHeap(index, length);
            return;
        }
        begin();
        int done = 0;
        do {
            int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
            source.get(offset + done, piece, Frame.HEADER_LENGTH, next);
            putPiece(index, done, next);
            done += next;
        } while (done < length);
        end(index);
    }

    private void clearPadding(int index, int length) {
        Frame.clearPadding(buffer, index, Frame.aligned(Frame.HEADER_LENGTH + length));
    }

    /** Puts what the checksum covers of the header before the payload's first piece. */
    private void begin() {
        LONG.set(piece, Frame.SEQUENCE_OFFSET, sequence);
        LONG.set(piece, Frame.UNSYNCED_OFFSET, state);
        crc.reset();
    }

    /** Stores {@code length} bytes of payload, which has {@code done} already: the checksum is made meanwhile. */
    private void putPiece(int index, int done, int length) {
        buffer.put(index + Frame.HEADER_LENGTH + done, piece, Frame.HEADER_LENGTH, length);
        int covered = done == 0 ? COVERED_LENGTH : 0;
        crc.update(piece, Frame.HEADER_LENGTH - covered, covered + length);
    }

    private void end(int index) {
        Frame.putHeader(buffer, index, sequence, state);
        Frame.putChecksum(buffer, index, checksum());
    }

    private void endOnHeap(int index, int length) {
        Frame.putHeader(buffer, index, sequence, state);
        crc.reset();
        crc.update(buffer.array(), buffer.arrayOffset() + index + Frame.SEQUENCE_OFFSET, COVERED_LENGTH + length);
        Frame.putChecksum(buffer, index, checksum());
    }

    private int checksum() {
        return (int) crc.getValue() ^ mix;
    }
}
