package io.persist.log.write;

import io.persist.log.WriteMode;
import io.persist.log.segment.Segment;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import java.nio.ByteBuffer;

/**
 * {@link WriteMode#MAPPED}: frames are stored directly into the mapped file, and are FLUSHED as soon as they are
 * published.
 */
public final class MappedWindow extends WriteWindow {

    private final LogPositions positions;
    private final Syncer syncer;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    /** Makes a window without a segment; {@link #enter} gives it one. */
    public MappedWindow(LogPositions positions, Syncer syncer) {
        this.positions = positions;
        this.syncer = syncer;
    }

    @Override
    void enter(Segment next, int offset) {
        super.enter(next, offset);
        bytes = next.mappedBytes();
    }

    @Override
    ByteBuffer buffer() {
        return bytes;
    }

    @Override
    int shift() {
        return 0;
    }

    @Override
    int limit() {
        return bytes.capacity();
    }

    @Override
    void makeAddressable(int offset, int length) {
        // All of the segment is addressable.
    }

    @Override
    void flush(int offset) {
        // The page cache has it.
    }

    @Override
    void sync(int offset) {
        syncer.syncTo(positions.published());
    }
}
