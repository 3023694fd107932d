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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AsynchronousFileChannel}. On Linux it is a pool of threads that do positional reads and writes, as glibc's
 * {@code aio_*} is; here the pool has a thread for each operation in flight. A sync is {@code force(false)} in the
 * thread that has written. What a thread has to say needs no memory: on a full heap nobody waits for it in vain.
 */
final class AsyncAccess implements Access, CompletionHandler<Integer, Request> {

    /** Opens the file for operations that these threads do. */
    interface Opener {

        AsynchronousFileChannel open(ExecutorService threads) throws IOException;
    }

    private final ExecutorService threads;
    private final AsynchronousFileChannel channel;
    private final ByteBuffer[] blocks;
    private final boolean writes;

    // Under the monitor: those that have ended well, as a ring, and what has ended another one or its thread.
    private final Request[] ended;
    private int first;
    private int count;
    private @Nullable Throwable failure;

    private AsyncAccess(Opener opener, AccessSpec spec) throws IOException {
        this.writes = spec.writes();
        this.ended = new Request[spec.depth()];
        this.blocks = IntStream.range(0, spec.depth())
                .mapToObj(slot -> Noise.aligned(spec.seed() + slot, spec.block()))
                .toArray(ByteBuffer[]::new);
        this.threads = Executors.newFixedThreadPool(spec.depth(), this::thread);
        try {
            this.channel = opener.open(threads);
        } catch (IOException | RuntimeException e) {
            threads.shutdown();
            throw e;
        }
    }

    static AsyncAccess open(AccessSpec spec) throws IOException {
        return open(
                spec,
                threads -> AsynchronousFileChannel.open(
                        spec.file(),
                        Set.of(spec.writes() ? StandardOpenOption.WRITE : StandardOpenOption.READ),
                        threads));
    }

    static AsyncAccess open(AccessSpec spec, Opener opener) throws IOException {
        return new AsyncAccess(opener, spec);
    }

    /** A thread of the pool ends by an exception only, but for the end of the pool. */
    private Thread thread(Runnable task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (Throwable e) {
                        fails(e);
                    }
                },
                "device-aio");
        thread.setDaemon(true);
        return thread;
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
            ends(request);
        } catch (IOException | RuntimeException e) {
            fails(e);
        }
    }

    @Override
    public void failed(Throwable why, Request request) {
        fails(why);
    }

    private synchronized void ends(Request request) {
        ended[(first + count) % ended.length] = request;
        count++;
        notifyAll();
    }

    private synchronized void fails(Throwable why) {
        if (failure == null) {
            failure = why;
        }
        notifyAll();
    }

    /** Of those that have ended the first; when one has failed, all are over. */
    @Override
    public synchronized Request await() throws IOException {
        try {
            while (count == 0 && failure == null) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw new IOException(String.valueOf(failure.getMessage()), failure);
        }
        Request request = ended[first];
        first = (first + 1) % ended.length;
        count--;
        return request;
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
