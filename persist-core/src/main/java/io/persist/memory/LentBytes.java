package io.persist.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that were read, in memory that the next read uses again. They are lent as a view that costs nothing, or given
 * away as copies. They are never memory of a file: nothing that a caller keeps can be unmapped or cut.
 *
 * <p>The view is emptied when the bytes are taken back, so that most calls on a view that was kept throw.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none per view, but when the memory is another one.
 */
public final class LentBytes {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer memory = NOTHING;
    private ByteBuffer view = readOnly(NOTHING);
    private int from;
    private int to;

    /** Lends the bytes of {@code source} from {@code start} to {@code end}, in place of those before. */
    @SuppressWarnings("ReferenceEquality") // the view is one of this very array
    public void lend(byte[] source, int start, int end) {
        if (!memory.hasArray() || memory.array() != source) {
            lend(ByteBuffer.wrap(source), start, end);
        } else {
            lend(memory, start, end);
        }
    }

    /** The same of the bytes of a buffer from index to index, which its limit always allows. */
    @SuppressWarnings("ReferenceEquality") // the view is one of this very buffer
    public void lend(ByteBuffer source, int start, int end) {
        view.limit(0);
        if (memory != source) {
            view = readOnly(source);
            memory = source;
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
        byte[] bytes = new byte[to - from];
        memory.get(from, bytes);
        return bytes;
    }

    /** The bytes in a buffer of their own; read-only, little-endian. */
    public ByteBuffer copy() {
        return readOnly(ByteBuffer.wrap(bytes()));
    }

    /** The {@link #view} of {@code lent}; null if that is null. */
    public static @Nullable ByteBuffer viewOf(@Nullable LentBytes lent) {
        return lent == null ? null : lent.view();
    }

    /** The {@link #bytes} of {@code lent}; null if that is null. */
    public static byte @Nullable [] bytesOf(@Nullable LentBytes lent) {
        return lent == null ? null : lent.bytes();
    }

    /** The {@link #copy} of {@code lent}; null if that is null. */
    public static @Nullable ByteBuffer copyOf(@Nullable LentBytes lent) {
        return lent == null ? null : lent.copy();
    }

    private static ByteBuffer readOnly(ByteBuffer bytes) {
        return bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
