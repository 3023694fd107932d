package io.persist.bench.device.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Request;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the file system cannot be made to do. */
@Timeout(60)
class AsyncAccessTest {

    private static final int BLOCK = 4096;

    /** Does what a thread does that finds no memory: dies, and calls no handler; or ends in the handler. */
    private static final class DyingChannel extends AsynchronousFileChannel {

        private final ExecutorService threads;
        private final OutOfMemoryError full;

        DyingChannel(ExecutorService threads, OutOfMemoryError full) {
            this.threads = threads;
            this.full = full;
        }

        @Override
        public <A> void write(
                ByteBuffer from, long position, A request, CompletionHandler<Integer, ? super A> handler) {
            threads.execute(() -> {
                if (position == 0) {
                    throw full;
                }
                handler.completed(from.remaining(), request);
            });
        }

        @Override
        public void force(boolean metadata) {
            throw full;
        }

        @Override
        public <A> void read(ByteBuffer to, long position, A request, CompletionHandler<Integer, ? super A> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Integer> read(ByteBuffer to, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Integer> write(ByteBuffer from, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <A> void lock(
                long position, long size, boolean shared, A own, CompletionHandler<FileLock, ? super A> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<FileLock> lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AsynchronousFileChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldEndWhenAThreadHasDied() throws Exception {
        for (boolean isInTheHandler : new boolean[] {false, true}) {
            OutOfMemoryError full = new OutOfMemoryError("of a test");
            AccessSpec spec = new AccessSpec(Path.of("none"), 4 * BLOCK, BLOCK, 2, Operation.WRITE, 1);
            try (AsyncAccess access = AsyncAccess.open(spec, threads -> new DyingChannel(threads, full))) {
                Request good = new Request(0);
                good.set(BLOCK, 1, false);
                access.begin(good);
                assertThat(access.await()).isSameAs(good);

                Request dying = new Request(1);
                dying.set(isInTheHandler ? 2 * BLOCK : 0, 2, isInTheHandler);
                access.begin(dying);
                assertThatThrownBy(access::await).isSameAs(full);
            }
        }
    }
}
