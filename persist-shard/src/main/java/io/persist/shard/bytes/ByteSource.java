package io.persist.shard.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.persist.shard.error.DamagedShardException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads what a {@link ByteSink} has written; the checksum is verified first. One thread. */
public final class ByteSource {

    private final ByteBuffer buffer;
    private final String what;

    /**
     * The bytes before the checksum at the end of {@code bytes}.
     *
     * @param what it is, for messages
     * @throws DamagedShardException if the checksum is another one
     */
    public ByteSource(byte[] bytes, String what) {
        this(bytes, bytes.length, what);
    }

    /** The same of the first {@code count} bytes of an array. */
    public ByteSource(byte[] bytes, int count, String what) {
        this.what = what;
        int length = count - Integer.BYTES;
        if (length < 0) {
            throw damaged("it is cut to " + count + " bytes");
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        if ((int) crc.getValue() != ByteBuffer.wrap(bytes).getInt(length)) {
            throw damaged("the checksum is wrong");
        }
        buffer = ByteBuffer.wrap(bytes, 0, length);
    }

    private ByteSource(ByteBuffer buffer, String what) {
        this.buffer = buffer;
        this.what = what;
    }

    /** The same of bytes that never left this process: nobody looks at the checksum. */
    public static ByteSource own(byte[] bytes, int count, String what) {
        return new ByteSource(ByteBuffer.wrap(bytes, 0, count - Integer.BYTES), what);
    }

    /** The exception that says so. */
    public DamagedShardException damaged(String why) {
        return damaged(what, why);
    }

    /** The same of {@code what}. */
    public static DamagedShardException damaged(String what, String why) {
        return new DamagedShardException(what + " is damaged: " + why + "; restore it from a copy", null);
    }

    private void need(int count) {
        if (count < 0 || buffer.remaining() < count) {
            throw damaged("a length of " + count + " bytes, and " + buffer.remaining() + " are left");
        }
    }

    /** A byte. */
    public int next() {
        need(1);
        return buffer.get() & 0xff;
    }

    /** Four bytes. */
    public int nextInt() {
        need(Integer.BYTES);
        return buffer.getInt();
    }

    /** Eight bytes. */
    public long nextLong() {
        need(Long.BYTES);
        return buffer.getLong();
    }

    /** A number of things, each of which takes a byte at least. */
    public int nextCount() {
        int count = nextInt();
        need(count);
        return count;
    }

    /** Bytes with their length before them. */
    public byte[] nextBytes() {
        byte[] bytes = new byte[nextCount()];
        buffer.get(bytes);
        return bytes;
    }

    /** Goes on behind bytes with their length before them. */
    public void skipBytes() {
        int count = nextCount();
        buffer.position(buffer.position() + count);
    }

    /** How many bytes lie before the next one. */
    public int position() {
        return buffer.position();
    }

    /** Text. */
    public String nextText() {
        return new String(nextBytes(), UTF_8);
    }

    /** Whether there is more. */
    public boolean hasNext() {
        return buffer.hasRemaining();
    }
}
