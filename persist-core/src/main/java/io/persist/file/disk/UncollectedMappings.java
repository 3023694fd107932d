package io.persist.file.disk;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Mappings that are not needed any more and that only the garbage collector can end. Each of them keeps address space,
 * and if its file is deleted the space on the disk. A program that allocates little gives the collector nothing to do:
 * so it is asked to run when more bytes wait than {@link #LIMIT}, and again when as many more have come.
 *
 * <p><b>Threads:</b> any.
 */
final class UncollectedMappings {

    /** How many bytes may wait before the collector is asked to run: a GiB. */
    static final long LIMIT = 1L << 30;

    private final ReferenceQueue<ByteBuffer> collected = new ReferenceQueue<>();
    private final Map<Reference<? extends ByteBuffer>, Long> waiting = new HashMap<>();
    private final Runnable collector;
    private long bytes;
    private long next = LIMIT;

    /** {@code collector} asks the garbage collector to run. */
    UncollectedMappings(Runnable collector) {
        this.collector = collector;
    }

    /** Nobody needs {@code mapping} any more, which is of {@code length} bytes. */
    void add(ByteBuffer mapping, long length) {
        if (isTooMuch(mapping, length)) {
            collector.run();
        }
    }

    private synchronized boolean isTooMuch(ByteBuffer mapping, long length) {
        forgetCollected();
        waiting.put(new PhantomReference<>(mapping, collected), length);
        bytes += length;
        boolean isTooMuch = bytes > next;
        next = isTooMuch ? bytes + LIMIT : Math.max(LIMIT, Math.min(next, bytes + LIMIT));
        return isTooMuch;
    }

    private void forgetCollected() {
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            Long length = waiting.remove(gone);
            bytes -= length == null ? 0 : length;
        }
    }

    /** Bytes that wait. */
    synchronized long bytes() {
        forgetCollected();
        return bytes;
    }
}
