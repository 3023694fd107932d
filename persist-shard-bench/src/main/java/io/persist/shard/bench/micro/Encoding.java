package io.persist.shard.bench.micro;

import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.Rows;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.model.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The bytes of all records, batch after batch: sorted, summed, written with their checksum. */
final class Encoding implements Benchmark.Body {

    private final PartStore parts;
    private final List<List<Row>> batches = new ArrayList<>();

    Encoding(Place place, DataSet data) {
        this.parts = new PartStore(place.blob(), "s0", Duration.ZERO);
        for (int batch = 0; batch < data.batches(); batch++) {
            List<Row> rows = new ArrayList<>();
            for (Update<byte[], byte[]> update : data.batch(batch)) {
                rows.add(new Row(update.key(), update.value(), update.time(), update.diff()));
            }
            batches.add(rows);
        }
    }

    @Override
    public long run(Benchmark.Sink sink) {
        long startNs = System.nanoTime();
        long bytes = 0;
        for (List<Row> rows : batches) {
            bytes += parts.inline(Rows.summed(rows)).bytes();
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
