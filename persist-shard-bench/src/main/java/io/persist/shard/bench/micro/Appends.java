package io.persist.shard.bench.micro;

import io.persist.bench.host.WorkThread;
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
    private final boolean isHeard;

    private Appends(Place place, DataSet data, boolean isHeard) {
        this.place = place;
        this.data = data;
        this.isHeard = isHeard;
    }

    /** Each write alone. */
    static Benchmark.Body writes(Place place, DataSet data) {
        return new Appends(place, data, false);
    }

    /** Each write until a listener on another thread was told of it. */
    static Benchmark.Body heard(Place place, DataSet data) {
        return new Appends(place, data, true);
    }

    @Override
    public long run(Benchmark.Sink sink) throws InterruptedException {
        String id = ShardClient.newId();
        long tookNs;
        try (ShardClient client = place.client()) {
            long startNs = System.nanoTime();
            Shard<byte[], byte[]> shard = client.shard(id, Codec.bytes(), Codec.bytes());
            tookNs = isHeard ? writeHeard(shard, sink, startNs) : write(shard, sink, startNs);
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

    private long writeHeard(Shard<byte[], byte[]> shard, Benchmark.Sink sink, long startNs)
            throws InterruptedException {
        BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        try (ShardReader<byte[], byte[]> reader = shard.reader();
                ShardListener<byte[], byte[]> listener = reader.listen(0);
                ShardWriter<byte[], byte[]> writer = shard.writer()) {
            WorkThread<?> told = WorkThread.start("listener", () -> listen(listener, seen));
            try {
                for (int batch = 0; batch < data.batches(); batch++) {
                    long beganNs = System.nanoTime();
                    append(writer, batch);
                    sink.took(await(seen, data.lower(batch + 1), told) - beganNs);
                }
                return System.nanoTime() - startNs;
            } finally {
                told.end(); // the listener is for one thread at a time
            }
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
    private static long await(BlockingQueue<Seen> seen, long upper, WorkThread<?> told) throws InterruptedException {
        while (true) {
            Seen next = seen.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (next != null && !next.frontier().isBelow(Frontier.at(upper))) {
                return next.atNs();
            }
            if (next == null && told.isEnded() && seen.isEmpty()) {
                told.await(); // throws what has ended it
                throw new IllegalStateException("the listener has ended before all was written");
            }
        }
    }

    @Override
    public void close() {}
}
