package io.persist.shard.bytes;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Bytes that are written one after the other, the least one of a number last. One thread. */
public final class ByteSink {

    private byte[] bytes = new byte[256];
    private int length;

    private ByteBuffer room(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), (int)
                    Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length)));
        }
        length += count;
        return ByteBuffer.wrap(bytes, length - count, count);
    }

    /** A byte. */
    public ByteSink put(int value) {
        room(1).put((byte) value);
        return this;
    }

    /** Four bytes. */
    public ByteSink putInt(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    /** Eight bytes. */
    public ByteSink putLong(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /** Bytes with their length before them. */
    public ByteSink putBytes(byte[] value) {
        putInt(value.length);
        room(value.length).put(value);
        return this;
    }

    /** Text as UTF-8, with its length; {@link IllegalArgumentException} if it has a lone surrogate. */
    public ByteSink putText(String value) {
        return putBytes(Utf8.of(value));
    }

    /** A copy of all bytes, without a checksum. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** All bytes, and their CRC32C behind them. */
    public byte[] sealed() {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        putInt((int) crc.getValue());
        return Arrays.copyOf(bytes, length);
    }
}
