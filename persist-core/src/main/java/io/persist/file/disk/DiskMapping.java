package io.persist.file.disk;

import io.persist.file.Mapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/** A mapping of a real file. */
final class DiskMapping implements Mapping {

    private final Unmapper.Mapped mapped;
    private final ByteBuffer buffer;
    private final AtomicBoolean closed = new AtomicBoolean();

    DiskMapping(Unmapper.Mapped mapped) {
        this.mapped = mapped;
        this.buffer = mapped.buffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void force(int offset, int length) throws IOException {
        try {
            mapped.buffer().force(offset, length);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            mapped.unmap().run();
        }
    }
}
