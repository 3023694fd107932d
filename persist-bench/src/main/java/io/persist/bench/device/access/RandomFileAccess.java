package io.persist.bench.device.access;

import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;

/** A {@link RandomAccessFile}: seek, then read or write from an array on the heap; a sync is its channel's force. */
final class RandomFileAccess extends OneByOne {

    private final RandomAccessFile file;
    private final byte[] block;
    private final ByteBuffer view;
    private final boolean writes;

    private RandomFileAccess(RandomAccessFile file, AccessSpec spec) {
        this.file = file;
        this.block = Noise.bytes(spec.seed(), spec.block());
        this.view = ByteBuffer.wrap(block);
        this.writes = spec.writes();
    }

    /** @param mode rw, rwd or rws */
    static RandomFileAccess open(AccessSpec spec, String mode) throws IOException {
        return new RandomFileAccess(new RandomAccessFile(spec.file().toFile(), spec.writes() ? mode : "r"), spec);
    }

    @Override
    void run(Request request) throws IOException {
        file.seek(request.offset());
        if (!writes) {
            file.readFully(block);
            return;
        }
        Noise.stamp(view, request.number());
        file.write(block);
        if (request.isSynced()) {
            file.getChannel().force(false);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
