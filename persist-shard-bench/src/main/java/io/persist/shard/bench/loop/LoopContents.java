package io.persist.shard.bench.loop;

import io.persist.shard.Shard;
import io.persist.shard.ShardReader;
import io.persist.shard.Snapshot;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.model.Update;
import java.io.IOException;
import java.time.Duration;

/** The contents in the end, if keys come again: each key is there as often as it was written. */
final class LoopContents {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private LoopContents() {}

    /**
     * Reads all of it, as a stream.
     *
     * @return how many keys there are
     * @throws IOException if it is not what was written
     */
    static long check(Shard<byte[], byte[]> shard, DataSet data) throws IOException, InterruptedException {
        long next = 0;
        try (ShardReader<byte[], byte[]> reader = shard.reader();
                Snapshot<byte[], byte[]> snapshot = reader.snapshot(data.records() - 1, PATIENCE)) {
            while (snapshot.hasNext()) {
                Update<byte[], byte[]> row = snapshot.next();
                long number = DataSet.numberOf(row.key());
                if (number != next || row.diff() != data.countOf(number)) {
                    throw new IOException("the contents have key " + number + " " + row.diff()
                            + " times in place of key " + next + " " + data.countOf(next) + " times");
                }
                next++;
            }
        }
        if (next != data.distinctKeys()) {
            throw new IOException("the contents have " + next + " keys in place of " + data.distinctKeys());
        }
        return next;
    }
}
