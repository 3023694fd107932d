package io.persist.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that were read, in an array that the next read uses again. They are lent as a view that costs nothing, or given
 * away as copies. They are never memory of a file: nothing that a caller keeps can be unmapped or cut.
 *
 * <p>The view is emptied when the bytes are taken back, so that most calls on a view that was kept throw.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none per view, but when the array is another one.
 */
public final class LentBytes {

    private static final byte[] NOTHING = {};

    private byte[] array = NOTHING;
    private ByteBuffer view = readOnly(NOTHING);
    private int from;
    private int to;

    /** Lends the bytes of {@code source} from {@code start} to {@code end}, in place of those before. */
    @SuppressWarnings("ReferenceEquality") // the view is one of this very array
    public void lend(byte[] source, int start, int end) {
        view.limit(0);
        if (array != source) {
            view = readOnly(source);
            array = source;
        }
        from = start;
        to = end;
    }

    /** Takes the bytes back: the view is empty until others are lent. */
    public void takeBack() {
        view.limit(0);
        from = 0;
        to = 0;
    }

    /** The one view, of all the bytes whatever was done with it before; read-only, little-endian. */
    public ByteBuffer view() {
        return view.limit(to).position(from).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The bytes in an array of their own. */
    public byte[] bytes() {
        return Arrays.copyOfRange(array, from, to);
    }

    /** The bytes in a buffer of their own; read-only, little-endian. */
    public ByteBuffer copy() {
        return readOnly(bytes());
    }

    private static ByteBuffer readOnly(byte[] bytes) {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
