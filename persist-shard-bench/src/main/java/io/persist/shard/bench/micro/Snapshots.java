package io.persist.shard.bench.micro;

import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardReader;
import io.persist.shard.ShardWriter;
import io.persist.shard.Snapshot;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.model.Codec;
import java.time.Duration;

/** All records are written once; then each time a new reader reads all of them as of the last time, and goes. */
final class Snapshots implements Benchmark.Body {

    private final Place place;
    private final DataSet data;
    private final String id = ShardClient.newId();
    private final ShardClient client;
    private final Shard<byte[], byte[]> shard;

    Snapshots(Place place, DataSet data) {
        this.place = place;
        this.data = data;
        this.client = place.client();
        try {
            shard = client.shard(id, Codec.bytes(), Codec.bytes());
            try (ShardWriter<byte[], byte[]> writer = shard.writer()) {
                for (int batch = 0; batch < data.batches(); batch++) {
                    writer.compareAndAppend(data.batch(batch), data.lower(batch), data.lower(batch + 1));
                }
            }
        } catch (RuntimeException | Error failed) {
            client.close();
            throw failed;
        }
    }

    @Override
    public long run(Benchmark.Sink sink) throws InterruptedException {
        long startNs = System.nanoTime();
        long count = 0;
        try (ShardReader<byte[], byte[]> reader = shard.reader();
                Snapshot<byte[], byte[]> snapshot = reader.snapshot(data.records() - 1, Duration.ZERO)) {
            while (snapshot.hasNext()) {
                count += snapshot.next().diff();
            }
        }
        long tookNs = System.nanoTime() - startNs;
        if (count != data.records()) {
            throw new IllegalStateException("a snapshot has " + count + " records in place of " + data.records());
        }
        sink.took(tookNs);
        return tookNs;
    }

    @Override
    public void close() {
        client.close();
        place.bury(id);
    }
}
