package io.persist.peers.engine;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;

/** Reads a bare file by a mapping: a frame is there as soon as its length is. */
final class BareReader implements MessageReader {

    static final VarHandle LENGTH = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final BareFile file;
    private final MappedByteBuffer mapped;
    private int offset;

    /** @param file with as much room as it will ever have, or no one writes it */
    BareReader(BareFile file) throws IOException {
        this.file = file;
        this.mapped = file.map(MapMode.READ_ONLY);
    }

    @Override
    public int poll(Handler handler, int limit) {
        int messageLength = file.messageLength();
        int last = file.length() - file.frameLength();
        int count = 0;
        int at = offset;
        while (count < limit && at <= last && (int) LENGTH.getAcquire(mapped, at) == messageLength) {
            handler.onMessage(mapped, at + BareFile.HEADER_LENGTH, messageLength);
            at += file.frameLength();
            count++;
        }
        offset = at;
        return count;
    }

    @Override
    public void close() {
        BareFile.unmap(mapped);
    }
}
