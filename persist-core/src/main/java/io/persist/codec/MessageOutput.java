package io.persist.codec;

import io.persist.memory.CheckedCopy;
import io.persist.memory.GuardBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * Where an {@link Encoder} writes a message: an array that grows, and is used again and again. It is a stream for
 * formats that write to one, and {@link #extend} is for those that know their length.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once the array has the length of the longest message.
 */
public final class MessageOutput extends OutputStream {

    private static final int INITIAL_LENGTH = 256;

    /** Every JVM can allocate an array of this length. */
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private final CheckedCopy copy = new CheckedCopy();
    private byte[] bytes = new byte[INITIAL_LENGTH];
    private final Function<byte[], ByteBuffer> views;
    private ByteBuffer view;
    private int length;

    /** Whether the view is lent, to be written to until the next call. */
    private boolean isLent;

    static ByteBuffer viewOf(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Makes one that is empty. */
    public MessageOutput() {
        this(MessageOutput::viewOf);
    }

    /** One whose views {@code views} makes, as if there were no memory for them. */
    MessageOutput(Function<byte[], ByteBuffer> views) {
        this.views = views;
        this.view = views.apply(bytes);
    }

    /**
     * Forgets what is there and writes {@code message}, which is then in {@link #array} from its start.
     *
     * @return its length, bytes
     * @throws UncheckedIOException if {@code encoder} throws an {@link IOException}
     * @throws IllegalStateException if it has filled a buffer beyond the message's end: some bytes would be lost
     */
    public <T> int encode(T message, Encoder<? super T> encoder) {
        isLent = false; // whatever was done with it before an encoder failed
        truncate(0);
        try {
            encoder.encode(message, this);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot encode the message: " + e.getMessage(), e);
        }
        takeBack();
        return length;
    }

    /** The message, and anything after it; another array once a message does not fit. */
    public byte[] array() {
        return bytes;
    }

    /** Bytes written so far. */
    public int length() {
        return length;
    }

    /**
     * Makes the message longer by {@code count} bytes, which are 0.
     *
     * @return these bytes, from the buffer's position to its limit, little-endian; its indexes count from the start of
     *     the message. The next call that writes, or asks for bytes, empties it: the message may be in another array
     *     then. To write a length that is known later, {@link #overwrite} it. The memory beyond the limit is no part of
     *     the message: do not call {@link ByteBuffer#clear}, and have an {@code UnsafeBuffer} wrap {@code buffer,
     *     buffer.position(), count} and not all of it. If bytes behind the message are written, the next call throws an
     *     {@link IllegalStateException}, and {@link #encode} at last
     */
    public ByteBuffer extend(int count) {
        int start = grow(count);
        Arrays.fill(bytes, start, length, (byte) 0); // what is left unwritten shows nothing of an earlier message
        return overwrite(start, count);
    }

    /**
     * Bytes that were written before, to be overwritten, such as a length that stands in front of the bytes it counts.
     *
     * @param index where they begin in the message
     * @return {@code count} bytes, as {@link #extend} returns them
     * @throws IndexOutOfBoundsException if the message does not have them
     */
    public ByteBuffer overwrite(int index, int count) {
        Objects.checkFromIndexSize(index, count, length);
        takeBack();
        GuardBytes.put(bytes, length);
        isLent = true;
        return view.order(ByteOrder.LITTLE_ENDIAN).limit(index + count).position(index);
    }

    /** Makes the message shorter, for formats that only know a bound of their length. */
    public void truncate(int newLength) {
        Objects.checkIndex(newLength, length + 1);
        takeBack();
        length = newLength;
    }

    /** Empties the view, in the same array too: who keeps it learns that with every message, not only a long one. */
    private void takeBack() {
        int limit = view.limit();
        view.limit(0);
        if (!isLent) {
            return;
        }
        isLent = false;
        if (limit > length || !GuardBytes.areIntact(bytes, length)) {
            throw new IllegalStateException("the message was filled beyond its end: limit=" + limit + ", length="
                    + length + "; extend it by as many bytes as it gets, do not call clear() or limit() to get more,"
                    + " and if another buffer wraps this one's memory, have it wrap these bytes only:"
                    + " wrap(buffer, buffer.position(), count)");
        }
    }

    @Override
    public void write(int value) {
        int start = grow(1);
        bytes[start] = (byte) value;
    }

    @Override
    public void write(byte[] source) {
        write(source, 0, source.length);
    }

    @Override
    public void write(byte[] source, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, source.length);
        int start = grow(count);
        System.arraycopy(source, offset, bytes, start, count);
    }

    /** Writes what remains of {@code source}, whose position stays as it is. */
    public void write(ByteBuffer source) {
        int count = source.remaining();
        int start = grow(count);
        copy.copy(source, source.position(), bytes, start, count);
    }

    /** Writes {@code count} bytes of {@code source} from {@code offset} on, such as an SBE encoder has written. */
    public void write(DirectBuffer source, int offset, int count) {
        source.boundsCheck(offset, count);
        int start = grow(count);
        copy.copy(source, offset, bytes, start, count);
    }

    /** Makes the message longer; returns where the new bytes begin, which hold anything. */
    private int grow(int count) {
        int start = length;
        if (count < 0 || count > MAX_LENGTH - start) {
            throw new IllegalArgumentException(
                    "message is too long: length=" + ((long) start + count) + ", min=0, max=" + MAX_LENGTH);
        }
        takeBack();
        if (start + count > bytes.length) {
            long capacity = Math.max(2L * bytes.length, (long) start + count);
            byte[] longer = Arrays.copyOf(bytes, (int) Math.min(MAX_LENGTH, capacity));
            view = views.apply(longer); // before anything is changed: there may be no memory for it
            bytes = longer;
        }
        length = start + count;
        return start;
    }
}
