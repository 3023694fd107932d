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
 * meets a missing page, but in the code that computes checksums it dies of {@code SIGBUS}. So a frame is made in an
 * array, where the checksum is computed, and then copied to its place, long ones piece by piece. Therefore what is
 * stored is also what was summed up, if the caller changes the source meanwhile. A buffer on the heap needs no detour.
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

    /** A frame's header, and behind it of its payload as much as has room. */
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
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        if (aligned <= PIECE_LENGTH && !isOnHeap) {
            LONG.set(piece, aligned - Frame.ALIGNMENT, 0L);
            System.arraycopy(source, offset, piece, Frame.HEADER_LENGTH, length);
            putPiece(index, length, aligned);
            return;
        }
        Frame.clearPadding(buffer, index, aligned);
        if (isOnHeap) {
            buffer.put(index + Frame.HEADER_LENGTH, source, offset, length);
            putHeader(index, length);
            return;
        }
        begin(0);
        for (int done = 0; done < length; ) {
            int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
            System.arraycopy(source, offset + done, piece, Frame.HEADER_LENGTH, next);
            crc.update(piece, Frame.HEADER_LENGTH, next);
            buffer.put(index + Frame.HEADER_LENGTH + done, piece, Frame.HEADER_LENGTH, next);
            done += next;
        }
        end(index);
    }

    /** The same of the {@code length} bytes from {@code offset} on of {@code source}, whose position stays. */
    public void put(int index, ByteBuffer source, int offset, int length) {
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        if (aligned <= PIECE_LENGTH && !isOnHeap) {
            LONG.set(piece, aligned - Frame.ALIGNMENT, 0L);
            source.get(offset, piece, Frame.HEADER_LENGTH, length);
            putPiece(index, length, aligned);
            return;
        }
        Frame.clearPadding(buffer, index, aligned);
        if (isOnHeap) {
            buffer.put(index + Frame.HEADER_LENGTH, source, offset, length);
            putHeader(index, length);
            return;
        }
        begin(0);
        for (int done = 0; done < length; ) {
            int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
            source.get(offset + done, piece, Frame.HEADER_LENGTH, next);
            crc.update(piece, Frame.HEADER_LENGTH, next);
            buffer.put(index + Frame.HEADER_LENGTH + done, piece, Frame.HEADER_LENGTH, next);
            done += next;
        }
        end(index);
    }

    /** Stores the frame that is in the piece as a whole. */
    private void putPiece(int index, int payloadLength, int aligned) {
        begin(payloadLength);
        LONG.set(piece, Frame.LENGTH_OFFSET, (long) checksum() << Integer.SIZE);
        buffer.put(index, piece, 0, aligned);
    }

    /** Stores the header of the frame at {@code index}, in which a payload of {@code length} bytes is already. */
    public void putHeader(int index, int length) {
        begin(0);
        int payload = index + Frame.HEADER_LENGTH;
        if (isOnHeap) {
            crc.update(buffer.array(), buffer.arrayOffset() + payload, length);
        } else {
            for (int done = 0; done < length; ) {
                int next = Math.min(length - done, PAYLOAD_PIECE_LENGTH);
                buffer.get(payload + done, piece, Frame.HEADER_LENGTH, next);
                crc.update(piece, Frame.HEADER_LENGTH, next);
                done += next;
            }
        }
        end(index);
    }

    /** Begins the checksum with the header, and so many bytes behind it. */
    private void begin(int payloadLength) {
        LONG.set(
                piece, Frame.SEQUENCE_OFFSET, sequence); // behind the padding's zeros: of an empty record they lie here
        LONG.set(piece, Frame.UNSYNCED_OFFSET, state);
        crc.reset();
        crc.update(piece, Frame.SEQUENCE_OFFSET, COVERED_LENGTH + payloadLength);
    }

    private void end(int index) {
        LONG.set(piece, Frame.LENGTH_OFFSET, (long) checksum() << Integer.SIZE);
        buffer.put(index, piece, 0, Frame.HEADER_LENGTH);
    }

    private int checksum() {
        return (int) crc.getValue() ^ mix;
    }
}
