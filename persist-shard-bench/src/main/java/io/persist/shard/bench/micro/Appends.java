package io.persist.shard.bench.micro;

import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardEvent;
import io.persist.shard.ShardListener;
import io.persist.shard.ShardReader;
import io.persist.shard.ShardWriter;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A new shard, and all batches into it one after the other. Its creation counts for the mean, as it does there; what
 * becomes of the shard behind that does not.
 */
final class Appends implements Benchmark.Body {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_MS = 100;

    /** How far a listener was, and when. */
    private record Seen(Frontier frontier, long atNs) {}

    private final Place place;
    private final DataSet data;

    /** The thread that listens; null if nobody does. */
    private final @Nullable ExecutorService listening;

    private Appends(Place place, DataSet data, @Nullable ExecutorService listening) {
        this.place = place;
        this.data = data;
        this.listening = listening;
    }

    /** Each write alone. */
    static Benchmark.Body writes(Place place, DataSet data) {
        return new Appends(place, data, null);
    }

    /** Each write until a listener on another thread was told of it. */
    static Benchmark.Body heard(Place place, DataSet data) {
        return new Appends(place, data, Executors.newSingleThreadExecutor(task -> new Thread(task, "listener")));
    }

    @Override
    public long run(Benchmark.Sink sink) throws InterruptedException {
        String id = ShardClient.newId();
        long tookNs;
        try (ShardClient client = place.client()) {
            long startNs = System.nanoTime();
            Shard<byte[], byte[]> shard = client.shard(id, Codec.bytes(), Codec.bytes());
            tookNs = listening == null ? write(shard, sink, startNs) : write(shard, sink, startNs, listening);
        }
        place.bury(id);
        return tookNs;
    }

    private long write(Shard<byte[], byte[]> shard, Benchmark.Sink sink, long startNs) {
        try (ShardWriter<byte[], byte[]> writer = shard.writer()) {
            for (int batch = 0; batch < data.batches(); batch++) {
                long beganNs = System.nanoTime();
                append(writer, batch);
                sink.took(System.nanoTime() - beganNs);
            }
            return System.nanoTime() - startNs;
        }
    }

    private void append(ShardWriter<byte[], byte[]> writer, int batch) {
        AppendResult result = writer.compareAndAppend(data.batch(batch), data.lower(batch), data.lower(batch + 1));
        if (!result.isAppended()) {
            throw new IllegalStateException("somebody else writes this shard: upper=" + result.upper());
        }
    }

    private long write(Shard<byte[], byte[]> shard, Benchmark.Sink sink, long startNs, ExecutorService pool)
            throws InterruptedException {
        BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        try (ShardReader<byte[], byte[]> reader = shard.reader();
                ShardListener<byte[], byte[]> listener = reader.listen(0);
                ShardWriter<byte[], byte[]> writer = shard.writer()) {
            Future<?> told = pool.submit(() -> listen(listener, seen));
            try {
                for (int batch = 0; batch < data.batches(); batch++) {
                    long beganNs = System.nanoTime();
                    append(writer, batch);
                    sink.took(await(seen, data.lower(batch + 1), told) - beganNs);
                }
                return System.nanoTime() - startNs;
            } finally {
                told.cancel(true);
                end(told, pool);
            }
        }
    }

    /** The listener is used by one thread at a time: this one goes on when the other one has let it go. */
    private static void end(Future<?> told, ExecutorService pool) throws InterruptedException {
        try {
            pool.submit(() -> told.isDone()).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private @Nullable Void listen(ShardListener<byte[], byte[]> listener, BlockingQueue<Seen> seen)
            throws InterruptedException {
        while (listener.frontier().isBelow(Frontier.at(data.records()))) {
            if (listener.poll(PATIENCE) instanceof ShardEvent.Progress<byte[], byte[]> progress) {
                seen.add(new Seen(progress.frontier(), System.nanoTime()));
            }
        }
        return null;
    }

    /** When the listener was told of all times below {@code upper}. */
    private static long await(BlockingQueue<Seen> seen, long upper, Future<?> told) throws InterruptedException {
        while (true) {
            Seen next = seen.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (next != null && !next.frontier().isBelow(Frontier.at(upper))) {
                return next.atNs();
            }
            if (next == null && told.isDone() && seen.isEmpty()) {
                throw ended(told);
            }
        }
    }

    private static IllegalStateException ended(Future<?> told) throws InterruptedException {
        try {
            told.get();
            return new IllegalStateException("the listener has ended before all was written");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        }
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.shutdownNow();
        }
    }
}
