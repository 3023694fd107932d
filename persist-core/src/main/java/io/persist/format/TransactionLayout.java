package io.persist.format;

import io.persist.memory.MappedCrc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A transaction as stored: the payload of one record, so that it is on the log whole or not at all. All integers are
 * little-endian.
 *
 * <pre>
 *   0      1       2          4       8
 *   +------+-------+----------+-------+-------+-------+ …
 *   | type | flags | reserved | count | entry | entry | …
 *   +------+-------+----------+-------+-------+-------+ …
 * </pre>
 *
 * An entry, at a multiple of 8:
 *
 * <pre>
 *   0          4            6      7       8              12         16         24
 *   +----------+------------+------+-------+--------------+----------+----------+-- … --+--- … ---+-----+
 *   | checksum | key length | type | flags | value length | reserved | previous | key   | value   | pad |
 *   +----------+------------+------+-------+--------------+----------+----------+-- … --+--- … ---+-----+
 * </pre>
 *
 * <ul>
 *   <li>{@code checksum}: CRC32C from {@code key length} to the end of the value. The record has a checksum of its own;
 *       this one lets a single value be verified without reading the rest of its transaction.
 *   <li>{@code previous}: the position of the entry that this one replaces, if the store records old values; 0 if there
 *       is none or it does not. With {@link #FLAG_PREVIOUS_HERE} it is the offset of an entry in this payload.
 * </ul>
 *
 * Part of the file format. Never change; add.
 */
public final class TransactionLayout {

    public static final int TYPE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int RESERVED_OFFSET = 2;
    public static final int COUNT_OFFSET = 4;
    public static final int HEADER_LENGTH = 8;

    /** Changes that a user committed. */
    public static final byte TYPE_CHANGES = 1;

    /** Values that compaction moved; each is what it was, at another place. */
    public static final byte TYPE_MOVES = 2;

    public static final int ENTRY_CHECKSUM_OFFSET = 0;
    public static final int ENTRY_KEY_LENGTH_OFFSET = 4;
    public static final int ENTRY_TYPE_OFFSET = 6;
    public static final int ENTRY_FLAGS_OFFSET = 7;
    public static final int ENTRY_VALUE_LENGTH_OFFSET = 8;
    public static final int ENTRY_RESERVED_OFFSET = 12;
    public static final int ENTRY_PREVIOUS_OFFSET = 16;
    public static final int ENTRY_HEADER_LENGTH = 24;
    public static final int ALIGNMENT = 8;

    /** The key has this value from now on. */
    public static final byte ENTRY_PUT = 1;

    /** The key is gone from now on; the value's length is 0. */
    public static final byte ENTRY_REMOVE = 2;

    /** All keys from this one on are gone, and below the value, which is a key or of length 0: then there is no end. */
    public static final byte ENTRY_REMOVE_RANGE = 3;

    /** Flag: {@code previous} is an offset in this payload. */
    public static final byte FLAG_PREVIOUS_HERE = 1;

    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private TransactionLayout() {}

    /** The bytes that an entry takes, padding included; negative if that is more than an int holds. */
    public static int entryLength(int keyLength, int valueLength) {
        return (int) longEntryLength(keyLength, valueLength);
    }

    /** The same, of lengths with which it may be longer than any buffer. */
    public static long longEntryLength(int keyLength, int valueLength) {
        return ((long) ENTRY_HEADER_LENGTH + keyLength + valueLength + (ALIGNMENT - 1)) & -ALIGNMENT;
    }

    /** Writes the header of a transaction with {@code count} entries. */
    public static void putHeader(ByteBuffer buffer, int index, byte type, int count) {
        LONG.set(buffer, index, (type & 0xFFL) | (long) count << 32);
    }

    /** The type of the transaction whose header is at {@code index}. */
    public static byte type(ByteBuffer buffer, int index) {
        return buffer.get(index + TYPE_OFFSET);
    }

    /** The number of entries of the transaction whose header is at {@code index}. */
    public static int count(ByteBuffer buffer, int index) {
        return (int) INT.get(buffer, index + COUNT_OFFSET);
    }

    /** Writes an entry's header but the checksum. */
    public static void putEntryHeader(ByteBuffer buffer, int index, int keyLength, int valueLength, byte type) {
        LONG.set(buffer, index, (keyLength & 0xFFFFL) << 32 | (type & 0xFFL) << 48);
        LONG.set(buffer, index + ENTRY_VALUE_LENGTH_OFFSET, valueLength & 0xFFFF_FFFFL);
        LONG.set(buffer, index + ENTRY_PREVIOUS_OFFSET, 0L);
    }

    /** Stores the checksum of the entry at {@code index}. */
    public static void putChecksum(ByteBuffer buffer, int index, int checksum) {
        INT.set(buffer, index + ENTRY_CHECKSUM_OFFSET, checksum);
    }

    /** Stores where the value lay that the entry at {@code index} replaces, and the entry's flags. */
    public static void putPrevious(ByteBuffer buffer, int index, long previous, byte flags) {
        buffer.put(index + ENTRY_FLAGS_OFFSET, flags);
        LONG.set(buffer, index + ENTRY_PREVIOUS_OFFSET, previous);
    }

    /** The stored checksum of the entry at {@code index}. */
    public static int checksum(ByteBuffer buffer, int index) {
        return (int) INT.get(buffer, index + ENTRY_CHECKSUM_OFFSET);
    }

    /** The checksum that the entry from {@code index} to {@code end}, the end of its value, should have. */
    public static int checksumOf(ByteBuffer buffer, int index, int end, MappedCrc crc) {
        return crc.of(buffer, index + ENTRY_KEY_LENGTH_OFFSET, end);
    }

    /**
     * The same of a copy of the entry, which it makes: {@code length} bytes, up to the end of the value, in {@code
     * target} from {@code to} on.
     */
    public static int checksumOfCopy(ByteBuffer buffer, int index, byte[] target, int to, int length, MappedCrc crc) {
        return crc.ofCopy(buffer, index, target, to, length, ENTRY_KEY_LENGTH_OFFSET);
    }

    /** The length of the key of the entry at {@code index}, as stored: 0 to 65535. */
    public static int keyLength(ByteBuffer buffer, int index) {
        return (short) SHORT.get(buffer, index + ENTRY_KEY_LENGTH_OFFSET) & 0xFFFF;
    }

    /** Where the key of the entry at {@code index} begins. */
    public static int keyIndex(int index) {
        return index + ENTRY_HEADER_LENGTH;
    }

    /** Where the key of the entry at {@code index} ends, and its value begins. */
    public static int keyEnd(ByteBuffer buffer, int index) {
        return keyIndex(index) + keyLength(buffer, index);
    }

    /** Where the entry begins that comes after the one at {@code index}. */
    public static int next(ByteBuffer buffer, int index) {
        return index + entryLength(keyLength(buffer, index), valueLength(buffer, index));
    }

    /** Whether the entry at {@code index} gives its key a value. */
    public static boolean isPut(ByteBuffer buffer, int index) {
        return entryType(buffer, index) == ENTRY_PUT;
    }

    /** The type of the entry at {@code index}. */
    public static byte entryType(ByteBuffer buffer, int index) {
        return buffer.get(index + ENTRY_TYPE_OFFSET);
    }

    /** The flags of the entry at {@code index}. */
    public static byte entryFlags(ByteBuffer buffer, int index) {
        return buffer.get(index + ENTRY_FLAGS_OFFSET);
    }

    /** The length of the value of the entry at {@code index}, as stored: negative if it is damaged. */
    public static int valueLength(ByteBuffer buffer, int index) {
        return (int) INT.get(buffer, index + ENTRY_VALUE_LENGTH_OFFSET);
    }

    /** The position of the value that the entry at {@code index} replaces, as stored. */
    public static long previous(ByteBuffer buffer, int index) {
        return (long) LONG.get(buffer, index + ENTRY_PREVIOUS_OFFSET);
    }
}
