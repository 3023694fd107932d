package io.persist.memory;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C over bytes that may be mapped from a file, which another program may cut.
 *
 * <p>If code accesses a page that the file does not have any more, the JVM throws an {@code InternalError}, also in the
 * middle of a copy; but in the code that computes checksums the JVM dies of {@code SIGBUS}. So mapped bytes are copied
 * to an array, piece by piece, and the checksum is one of the array. Touching each page before is not enough: compiled
 * code of JDK 17 throws the error some time after the access, and goes on until then. For the same reason this may
 * return a wrong result in place of the error.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor.
 */
public final class MappedCrc {

    private static final int PIECE_LENGTH = 4096;

    private final CRC32C crc = new CRC32C();
    private final byte[] piece;

    /** For all that this class does. */
    public MappedCrc() {
        this.piece = new byte[PIECE_LENGTH];
    }

    private MappedCrc(byte[] piece) {
        this.piece = piece;
    }

    /**
     * One for {@link #ofCopy}, and for {@link #of} bytes of an array: it takes no memory for pieces, and refuses {@link
     * #of} mapped bytes by an {@link IndexOutOfBoundsException}.
     */
    public static MappedCrc ofCopies() {
        return new MappedCrc(new byte[0]);
    }

    /**
     * Copies {@code length} bytes from {@code from} on to {@code target} from {@code to} on, and returns the checksum
     * of the copy from {@code skipped} bytes on, which are 0 to {@code length}: so what was verified is what the caller
     * has, whatever happens to the file meanwhile.
     */
    public int ofCopy(ByteBuffer buffer, int from, byte[] target, int to, int length, int skipped) {
        crc.reset();
        int done = Math.min(PIECE_LENGTH, length);
        buffer.get(from, target, to, done);
        crc.update(target, to + skipped, done - skipped);
        while (done < length) {
            int piece = Math.min(PIECE_LENGTH, length - done);
            buffer.get(from + done, target, to + done, piece);
            crc.update(target, to + done, piece); // while the cache has it
            done += piece;
        }
        return (int) crc.getValue();
    }

    /** The checksum of the bytes of {@code buffer} from {@code from} to {@code to}, which its limit has to allow. */
    public int of(ByteBuffer buffer, int from, int to) {
        crc.reset();
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + from, to - from);
        } else {
            updateWithCopies(buffer, from, to);
        }
        return (int) crc.getValue();
    }

    /** The same of bytes that are of no file; the position and the limit of {@code buffer} change. */
    public int ofOwn(ByteBuffer buffer, int from, int to) {
        crc.reset();
        crc.update(buffer.limit(to).position(from));
        return (int) crc.getValue();
    }

    private void updateWithCopies(ByteBuffer buffer, int from, int to) {
        int next = from;
        while (next < to) {
            int length = Math.min(PIECE_LENGTH, to - next);
            buffer.get(next, piece, 0, length);
            crc.update(piece, 0, length);
            next += length;
        }
    }
}
