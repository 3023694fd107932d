package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.BatchBuilder;
import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.ShardWriter;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import org.junit.jupiter.api.Test;

class LoopReaderTest {

    /** A reader that stood still has a latency for each batch that it missed: most of them late, and not one in all. */
    @Test
    void shouldTakeALatencyForEachBatch() throws InterruptedException {
        DataSet data = new DataSet(95, 64, 10);
        Schedule schedule = new Schedule(data, 100, 0);
        try (ShardClient client = ShardClient.open("mem://", "mem://")) {
            Shard<byte[], byte[]> shard = client.shard("s1", Codec.bytes(), Codec.bytes());
            try (LoopReader reader = new LoopReader(0, shard, schedule, LoopReader.FOR_EVER);
                    ShardWriter<byte[], byte[]> writer = shard.writer()) {
                BatchBuilder<byte[], byte[]> all = writer.batch(Frontier.at(0));
                for (int batch = 0; batch < data.batches(); batch++) {
                    data.batch(batch).forEach(all::add);
                }
                writer.appendBatch(all.finish(Frontier.at(data.records())));
                schedule.start();
                reader.read();

                assertThat(reader.latency().copy().getTotalCount()).isEqualTo(data.batches());
            }
        }
    }

    /** Who only reads has an end, whatever has become of those who write. */
    @Test
    void shouldNotWaitForEverForOthersWhoWrite() {
        Schedule schedule = new Schedule(new DataSet(95, 64, 10), 1, 0);
        try (ShardClient client = ShardClient.open("mem://", "mem://")) {
            Shard<byte[], byte[]> shard = client.shard("s1", Codec.bytes(), Codec.bytes());
            try (LoopReader reader = new LoopReader(0, shard, schedule, 1)) {
                schedule.start();

                assertThatThrownBy(reader::read)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("reader 0 has read 0 of 95 records, and nothing comes any more");
            }
        }
    }
}
