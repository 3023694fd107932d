package io.persist.index.memory;

import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that no index has. They are used again, without the garbage collector; until then that may free them.
 *
 * <p><b>Threads:</b> any.
 */
final class FreeChunks {

    private final Supplier<ByteBuffer> allocator;
    private final Deque<WeakReference<ByteBuffer>> free = new ArrayDeque<>();

    /** There are none yet; {@code allocator} makes one, or throws an {@link OutOfMemoryError}. */
    FreeChunks(Supplier<ByteBuffer> allocator) {
        this.allocator = allocator;
    }

    synchronized void add(ByteBuffer chunk) {
        free.addLast(new WeakReference<>(chunk));
    }

    /** A chunk of zeros. Throws an {@link OutOfMemoryError} if there is none, and the JVM has no memory. */
    ByteBuffer next() {
        ByteBuffer chunk = poll();
        if (chunk == null) {
            return allocator.get();
        }
        VarHandle.releaseFence(); // paired with the acquire fences of readers that come late
        NodeChunks.clear(chunk);
        return chunk;
    }

    private synchronized @Nullable ByteBuffer poll() {
        ByteBuffer chunk = null;
        while (chunk == null && !free.isEmpty()) {
            chunk = free.removeLast().get();
        }
        return chunk;
    }
}
