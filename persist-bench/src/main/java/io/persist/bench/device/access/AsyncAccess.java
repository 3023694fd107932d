package io.persist.bench.device.access;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AsynchronousFileChannel}. On Linux it is a pool of threads that do positional reads and writes, as glibc's
 * {@code aio_*} is; here the pool has a thread for each operation in flight. A sync is {@code force(false)} in the
 * thread that has written.
 */
final class AsyncAccess implements Access, CompletionHandler<Integer, Request> {

    /** What one of the threads has ended, well or not. */
    private record End(Request request, @Nullable Throwable failure) {}

    private final AsynchronousFileChannel channel;
    private final ExecutorService threads;
    private final BlockingQueue<End> ended = new LinkedBlockingQueue<>();
    private final ByteBuffer[] blocks;
    private final boolean writes;

    private AsyncAccess(AsynchronousFileChannel channel, ExecutorService threads, AccessSpec spec) {
        this.channel = channel;
        this.threads = threads;
        this.writes = spec.writes();
        this.blocks = IntStream.range(0, spec.depth())
                .mapToObj(slot -> Noise.aligned(spec.seed() + slot, spec.block()))
                .toArray(ByteBuffer[]::new);
    }

    static AsyncAccess open(AccessSpec spec) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(spec.depth(), task -> {
            Thread thread = new Thread(task, "device-aio");
            thread.setDaemon(true);
            return thread;
        });
        try {
            return new AsyncAccess(
                    AsynchronousFileChannel.open(
                            spec.file(),
                            Set.of(spec.writes() ? StandardOpenOption.WRITE : StandardOpenOption.READ),
                            threads),
                    threads,
                    spec);
        } catch (IOException | RuntimeException e) {
            threads.shutdown();
            throw e;
        }
    }

    @Override
    public void begin(Request request) {
        ByteBuffer block = blocks[request.slot()].clear();
        if (writes) {
            Noise.stamp(block, request.number());
            channel.write(block, request.offset(), request, this);
        } else {
            channel.read(block, request.offset(), request, this);
        }
    }

    @Override
    public void completed(Integer bytes, Request request) {
        try {
            if (bytes != blocks[request.slot()].capacity()) {
                throw new IOException("only " + bytes + " bytes at " + request.offset());
            }
            if (request.isSynced()) {
                channel.force(false);
            }
            ended.add(new End(request, null));
        } catch (IOException | RuntimeException e) {
            failed(e, request);
        }
    }

    @Override
    public void failed(Throwable failure, Request request) {
        ended.add(new End(request, failure));
    }

    @Override
    public Request await() throws IOException {
        try {
            End end = ended.take();
            if (end.failure() != null) {
                throw new IOException(String.valueOf(end.failure().getMessage()), end.failure());
            }
            return end.request();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            threads.shutdown();
        }
    }
}
