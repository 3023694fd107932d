package io.persist.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * A key: 1 to {@value #MAX_LENGTH} bytes, in the order of unsigned bytes; a key comes before all longer keys that begin
 * with it. Mutable, to be used again and again.
 *
 * <p>At least 8 zero bytes follow it in the array, so that 8 bytes can be read wherever one of it begins.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none after the constructor.
 */
public final class KeyBuffer implements Comparable<KeyBuffer> {

    /** The longest key, in bytes. */
    public static final int MAX_LENGTH = 1024;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private final byte[] bytes = new byte[MAX_LENGTH + Long.BYTES];
    private int length;

    /**
     * Copies {@code sourceLength} bytes from {@code offset} on.
     *
     * @throws IllegalArgumentException if that is no key's length
     */
    public KeyBuffer set(byte[] source, int offset, int sourceLength) {
        check(sourceLength);
        System.arraycopy(source, offset, bytes, 0, sourceLength);
        return length(sourceLength);
    }

    /** The same, from an absolute {@code index}; the source's position and limit are neither used nor moved. */
    public KeyBuffer set(ByteBuffer source, int index, int sourceLength) {
        check(sourceLength);
        source.get(index, bytes, 0, sourceLength);
        return length(sourceLength);
    }

    /** The same, from an {@code offset} of a buffer of Agrona. */
    public KeyBuffer set(DirectBuffer source, int offset, int sourceLength) {
        check(sourceLength);
        source.getBytes(offset, bytes, 0, sourceLength);
        return length(sourceLength);
    }

    private static void check(int length) {
        if (length < 1 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("key.length=" + length + ", min=1, max=" + MAX_LENGTH);
        }
    }

    /** Becomes a copy of {@code other}. */
    public KeyBuffer copyFrom(KeyBuffer other) {
        System.arraycopy(other.bytes, 0, bytes, 0, other.length);
        return length(other.length);
    }

    /** The array that the key begins; do not change it. */
    public byte[] bytes() {
        return bytes;
    }

    /** 0 before the first {@code set}. */
    public int length() {
        return length;
    }

    /** Whether the key's bytes are those at {@code index} of {@code array}. */
    public boolean isAt(byte[] array, int index) {
        return Arrays.equals(bytes, 0, length, array, index, index + length);
    }

    @Override
    public int compareTo(KeyBuffer other) {
        return Arrays.compareUnsigned(bytes, 0, length, other.bytes, 0, other.length);
    }

    /** Makes the first {@code newLength} bytes of the array the key. */
    KeyBuffer length(int newLength) {
        LONG.set(bytes, newLength, 0L);
        length = newLength;
        return this;
    }

    /** The 4 bytes at {@code index}, of which those after the key are 0, as an unsigned number. */
    long head(int index) {
        return (int) INT.get(bytes, index) & 0xFFFF_FFFFL;
    }

    void putHead(int index, int head) {
        INT.set(bytes, index, head);
    }

    /** The 8 bytes at {@code index}, which lies in the key. */
    long word(int index) {
        return (long) LONG.get(bytes, index);
    }

    /** How many bytes the two keys begin with alike. */
    int commonLength(KeyBuffer other) {
        int shorter = Math.min(length, other.length);
        int mismatch = Arrays.mismatch(bytes, 0, shorter, other.bytes, 0, shorter);
        return mismatch < 0 ? shorter : mismatch;
    }

    /** Becomes the shortest key that is greater than {@code left} and not greater than {@code right}. */
    void setBetween(KeyBuffer left, KeyBuffer right) {
        int common = left.commonLength(right);
        System.arraycopy(right.bytes, 0, bytes, 0, common + 1);
        length(common + 1);
    }

    /** The same, of all such keys of that length the least. */
    void setRightAfter(KeyBuffer left, KeyBuffer right) {
        setBetween(left, right);
        int last = length - 1;
        bytes[last] =
                last < left.length ? (byte) (left.bytes[last] + 1) : 0; // no overflow: the byte in right is greater
    }
}
