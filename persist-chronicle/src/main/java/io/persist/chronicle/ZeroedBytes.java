package io.persist.chronicle;

import java.util.Arrays;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.OnHeapBytes;
import net.openhft.chronicle.bytes.render.Decimaliser;
import net.openhft.chronicle.core.io.ReferenceOwner;

/**
 * Chronicle's bytes on the heap, which grow. Chronicle's {@code clear} moves the positions only; here {@link #renew}
 * makes them as new: an object that leaves out some bytes gets zeros there, and none that an earlier object has
 * written, wherever that was. What goes around the bytes, into their store or its array, is not seen here.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class ZeroedBytes extends OnHeapBytes {

    private static final int INITIAL_LENGTH = 256;

    private final Decimaliser firstDecimaliser = decimaliser();
    private final boolean isFirstZeroAppended = fpAppend0();

    /** Behind the last byte that was written since {@link #renew}; objects may go back, and write at any offset. */
    private long usedEnd;

    private ZeroedBytes(BytesStore<?, byte[]> array) {
        super(array, true);
    }

    /** Empty ones; one after the other may be used by several threads, if they are handed over safely. */
    static ZeroedBytes make() {
        BytesStore<?, byte[]> array = BytesStore.wrap(new byte[INITIAL_LENGTH]);
        try {
            ZeroedBytes bytes = new ZeroedBytes(array);
            bytes.singleThreadedCheckDisabled(true);
            return bytes;
        } finally {
            array.release(ReferenceOwner.INIT); // the bytes hold it
        }
    }

    /** Before most writes, wherever they go. */
    @Override
    protected void writeCheckOffset(long offset, long count) {
        super.writeCheckOffset(offset, count);
        usedEnd = Math.max(usedEnd, offset + count);
    }

    /** Each change of the position: some writes at the position, and those before the bytes, have no other check. */
    @Override
    protected void uncheckedWritePosition(long position) {
        super.uncheckedWritePosition(position);
        usedEnd = Math.max(usedEnd, position);
    }

    @Override
    public void move(long from, long to, long length) {
        super.move(from, to, length);
        usedEnd = Math.max(usedEnd, to + length);
    }

    /** Forgets what was written, and how objects have set them. */
    Bytes<byte[]> renew() {
        byte[] array = bytesStore.underlyingObject();
        Arrays.fill(array, 0, (int) Math.min(array.length, usedEnd), (byte) 0);
        clear();
        usedEnd = 0;
        lenient(false);
        decimaliser(firstDecimaliser);
        fpAppend0(isFirstZeroAppended);
        return this;
    }

    /** Whether an object has released them: then no other one can use them. */
    boolean isReleased() {
        return refCount() == 0;
    }
}
