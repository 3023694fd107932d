package io.persist.peers.engine.bare;

import io.persist.peers.engine.MessageReader;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;

/** Reads a bare file by a mapping: a frame is there as soon as its length is. Where the file grows, so does that. */
final class BareReader implements MessageReader {

    static final VarHandle LENGTH = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long MOST_MAPPED = 1 << 30;

    private final int messageLength;
    private final int frameLength;
    private final FileChannel channel;

    /** What is mapped begins there in the file. */
    private long base;

    private MappedByteBuffer mapped;
    private int offset;

    BareReader(BareFile file) throws IOException {
        this.messageLength = file.messageLength();
        this.frameLength = file.frameLength();
        this.channel = FileChannel.open(file.path(), StandardOpenOption.READ);
        this.mapped = map();
    }

    private MappedByteBuffer map() throws IOException {
        MappedByteBuffer next = channel.map(MapMode.READ_ONLY, base, Math.min(channel.size() - base, MOST_MAPPED));
        next.order(ByteOrder.LITTLE_ENDIAN);
        return next;
    }

    @Override
    public int poll(Handler handler, int limit) throws IOException {
        if (offset + frameLength > mapped.capacity() && !goOn()) {
            return 0;
        }
        int last = mapped.capacity() - frameLength;
        int count = 0;
        int at = offset;
        while (count < limit && at <= last && (int) LENGTH.getAcquire(mapped, at) == messageLength) {
            handler.onMessage(mapped, at + BareFile.HEADER_LENGTH, messageLength);
            at += frameLength;
            count++;
        }
        offset = at;
        return count;
    }

    /** Maps what comes next, if the file has it. */
    private boolean goOn() throws IOException {
        if (channel.size() - (base + offset) < frameLength) {
            return false;
        }
        BareFile.unmap(mapped);
        base += offset;
        offset = 0;
        mapped = map();
        return true;
    }

    @Override
    public void close() throws IOException {
        BareFile.unmap(mapped);
        channel.close();
    }
}
