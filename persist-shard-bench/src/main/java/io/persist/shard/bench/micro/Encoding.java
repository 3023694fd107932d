package io.persist.shard.bench.micro;

import io.persist.shard.batch.PartBuilder;
import io.persist.shard.batch.PartStore;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.model.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The bytes of all records, batch after batch: sorted, summed, written with their checksum. */
final class Encoding implements Benchmark.Body {

    private final PartStore parts;
    private final List<List<Update<byte[], byte[]>>> batches = new ArrayList<>();

    Encoding(Place place, DataSet data) {
        this.parts = new PartStore(place.blob(), "s0", Duration.ZERO);
        for (int batch = 0; batch < data.batches(); batch++) {
            List<Update<byte[], byte[]>> updates = new ArrayList<>();
            data.batch(batch).forEach(updates::add);
            batches.add(updates);
        }
    }

    @Override
    public long run(Benchmark.Sink sink) {
        long startNs = System.nanoTime();
        long bytes = 0;
        for (List<Update<byte[], byte[]>> updates : batches) {
            PartBuilder part = parts.newPart("w0", Integer.MAX_VALUE);
            for (Update<byte[], byte[]> update : updates) {
                part.add(update.key(), update.value(), update.time(), update.diff());
            }
            bytes += parts.inline(part.sorted()).bytes();
        }
        long tookNs = System.nanoTime() - startNs;
        if (bytes == 0) {
            throw new IllegalStateException("there are no bytes");
        }
        sink.took(tookNs);
        return tookNs;
    }

    @Override
    public void close() {}
}
