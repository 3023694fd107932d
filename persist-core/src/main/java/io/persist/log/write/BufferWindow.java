package io.persist.log.write;

import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.Frame;
import io.persist.log.FileMode;
import io.persist.log.WriteMode;
import io.persist.log.segment.Segment;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@link WriteMode#FILE}: frames are gathered in an array and written at once. Writing publishes them, so tailers are
 * bounded by the flushed position instead of the frame's length.
 *
 * <p>When everything before the buffer is synced already, a sync is one O_DSYNC write: one system call, and nothing but
 * the blocks of the new frames goes to the device.
 */
public final class BufferWindow extends WriteWindow {

    private final LogPositions positions;
    private final Syncer syncer;
    private final WriteThrough through;
    private byte[] array;
    private ByteBuffer buffer;

    /** The segment's offset of the array's first byte; everything before it is flushed. */
    private int shift;

    /** Whether a write has failed, of which the log may not have been told. */
    private boolean isHalfDone;

    /** Makes a write buffer of {@code length} bytes, which is written to the file as {@code mode} says. */
    public BufferWindow(LogPositions positions, Syncer syncer, FileMode mode, int length) {
        this.positions = positions;
        this.syncer = syncer;
        this.through = through(mode);
        this.array = new byte[length];
        this.buffer = wrap(array);
    }

    private static WriteThrough through(FileMode mode) {
        return switch (mode) {
            case RW -> WriteThrough.NONE;
            case RWS -> WriteThrough.ALL;
            case RWD -> WriteThrough.DATA;
        };
    }

    @Override
    void enter(Segment next, int offset) {
        super.enter(next, offset);
        shift = offset;
    }

    @Override
    ByteBuffer buffer() {
        return buffer;
    }

    @Override
    int shift() {
        return shift;
    }

    @Override
    int limit() {
        return array.length;
    }

    @Override
    void makeAddressable(int offset, int length) {
        if (offset - shift + length <= array.length) {
            return;
        }
        // Before anything is changed: there may be no memory for it.
        byte[] longer = length > array.length ? new byte[Frame.aligned(length)] : array;
        ByteBuffer wrapped = length > array.length ? wrap(longer) : buffer;
        flush(offset);
        array = longer;
        buffer = wrapped;
    }

    @Override
    void flush(int offset) {
        if (offset > shift) {
            write(offset, through);
        }
    }

    @Override
    void sync(int offset) {
        boolean allBeforeIsSynced = positions.synced() >= segment().basePosition() + shift;
        if (offset > shift) {
            write(offset, allBeforeIsSynced && through == WriteThrough.NONE ? WriteThrough.DATA : through);
        }
        syncer.syncTo(segment().basePosition() + offset);
    }

    private void write(int offset, WriteThrough how) {
        Segment segment = segment();
        int length = offset - shift;
        long end = segment.basePosition() + offset;
        try {
            if (isHalfDone) {
                throw new IllegalStateException("an earlier write has failed");
            }
            if (how == WriteThrough.NONE) {
                segment.file().write(shift, array, 0, length, how);
                positions.flushed(end);
            } else {
                syncer.writeThrough(segment, shift, array, length, how);
                syncer.syncTo(end); // there is something to do if not all before the write was synced
            }
        } catch (IOException | RuntimeException | Error e) {
            // Whatever failed, it is not known what of it is in the file.
            isHalfDone = true; // first of all: there may be no stack to say more
            throw positions.fail("write to segment", segment.basePosition(), e);
        }
        shift = offset;
    }

    private static ByteBuffer wrap(byte[] array) {
        return ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }
}
