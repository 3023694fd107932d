package io.persist.shard.batch;

import io.persist.shard.bytes.ByteSource;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.location.ObjectPieces;
import io.persist.shard.state.BatchPart;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one part that are wanted, with a piece of it in memory. The checksum is known at the end: a caller
 * that must not see a row of a damaged part has it {@linkplain #isWhole read} before. One thread.
 */
final class PartStream implements Rows {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int LENGTHS_BYTES = 2 * Integer.BYTES;

    private final ObjectPieces pieces;
    private final BatchPart part;
    private final String what;
    private final RowWindow window;
    private final LongPredicate wanted;
    private final byte[] header;

    /** Where the checksum begins. */
    private final int rowsEnd;

    private final CRC32C crc = new CRC32C();

    /** What was read of the part, in bytes, and is in the checksum. */
    private int read;

    private int left;
    private boolean isEnded;
    private boolean isClosed;

    /**
     * Rows of an object that is open; {@code window} has room for them.
     *
     * @param part what the state knows of it
     * @param header what it begins with
     * @param what it is, for messages
     * @param wanted tells by the time
     */
    PartStream(
            ObjectPieces pieces, BatchPart part, byte[] header, String what, RowWindow window, LongPredicate wanted) {
        this.pieces = pieces;
        this.part = part;
        this.what = what;
        this.window = window;
        this.wanted = wanted;
        this.header = header;
        this.rowsEnd = part.bytes() - PartBytes.CHECKSUM_BYTES;
        this.left = part.updates();
        rewind();
    }

    private void rewind() {
        window.clear();
        crc.reset();
        crc.update(header);
        read = header.length;
    }

    /** Whether the object begins with {@code header}, and is as long as the state says. */
    static boolean isOf(ObjectPieces pieces, BatchPart part, byte[] header) {
        byte[] found = new byte[header.length];
        return pieces.length() == part.bytes()
                && header.length + PartBytes.CHECKSUM_BYTES <= part.bytes()
                && pieces.read(0, found, 0, found.length) == found.length
                && Arrays.equals(found, header);
    }

    /** Reads all of it once; says whether the checksum is the right one. Nothing else was read before. */
    boolean isWhole() {
        while (read < rowsEnd) {
            window.clear();
            fill();
        }
        boolean isWhole = hasRightChecksum();
        rewind();
        return isWhole;
    }

    @Override
    public @Nullable Row next() {
        while (left > 0) {
            Row row = find();
            left--;
            if (wanted.test(row.time())) {
                window.give();
                return row;
            }
        }
        if (!isEnded) {
            end();
        }
        return null;
    }

    /** Looks whether each field is within the part before the row is made. */
    private Row find() {
        need(LENGTHS_BYTES);
        int keyLength = lengthAt(0);
        if (keyLength > RowWindow.BYTES - LENGTHS_BYTES) {
            return longRow(Row.length(keyLength, lengthBehindKey(keyLength)));
        }
        need(keyLength + LENGTHS_BYTES);
        long length = Row.length(keyLength, lengthAt(Integer.BYTES + keyLength));
        if (length > RowWindow.BYTES) {
            return longRow(length);
        }
        need((int) length);
        Row row = Row.at(window.bytes(), window.position());
        window.skip((int) length);
        return row;
    }

    private int lengthAt(int offset) {
        return checked((int) INT.get(window.bytes(), window.position() + offset));
    }

    /** That of the value, if the window has no room for the key. */
    private int lengthBehindKey(int keyLength) {
        byte[] length = new byte[Integer.BYTES];
        require((long) keyLength + LENGTHS_BYTES);
        read(read - window.remaining() + Integer.BYTES + keyLength, length, 0, length.length);
        return checked((int) INT.get(length, 0));
    }

    private int checked(int length) {
        if (length < 0) {
            throw damaged("a length below 0");
        }
        return length;
    }

    /** In an array of its own. All of the window is part of it, and nothing has changed if it fails. */
    private Row longRow(long length) {
        require(length);
        byte[] row = new byte[(int) length];
        int at = window.remaining();
        System.arraycopy(window.bytes(), window.position(), row, 0, at);
        read(read, row, at, row.length - at);
        Row made = Row.at(row, 0);
        crc.update(row, at, row.length - at);
        read += row.length - at;
        window.clear();
        return made;
    }

    /** Has so many bytes in the window. */
    private void need(int count) {
        if (window.remaining() < count) {
            require(count);
            fill();
        }
    }

    private void require(long count) {
        if (count > window.remaining() + (long) (rowsEnd - read)) {
            throw damaged("a row that is longer than what is left");
        }
    }

    /** If it fails nothing has changed but the place of what was there. */
    private void fill() {
        int some = Math.min(window.turn(), rowsEnd - read);
        read(read, window.bytes(), window.end(), some);
        crc.update(window.bytes(), window.end(), some);
        window.filled(some);
        read += some;
    }

    private void read(int from, byte[] target, int at, int count) {
        if (pieces.read(from, target, at, count) < count) {
            throw damaged("it is cut");
        }
    }

    private void end() {
        if (window.remaining() > 0 || read < rowsEnd) {
            throw damaged("there is more than its rows");
        }
        if (!hasRightChecksum()) {
            throw damaged("the checksum is wrong");
        }
        isEnded = true;
        close();
    }

    private boolean hasRightChecksum() {
        byte[] checksum = new byte[PartBytes.CHECKSUM_BYTES];
        return pieces.read(rowsEnd, checksum, 0, checksum.length) == checksum.length
                && (int) INT.get(checksum, 0) == part.checksum()
                && (int) crc.getValue() == part.checksum();
    }

    private DamagedShardException damaged(String why) {
        return ByteSource.damaged(what, why);
    }

    /** Lets go of the object. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            pieces.close();
        }
    }
}
