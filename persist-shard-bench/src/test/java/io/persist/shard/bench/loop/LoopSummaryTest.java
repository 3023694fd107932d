package io.persist.shard.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.Shard;
import io.persist.shard.ShardClient;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.bench.place.PlaceFlags;
import io.persist.shard.model.Codec;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopSummaryTest {

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    /** What comes behind the last record is no part of the time that the records took. */
    @Test
    void shouldTakeTheTimeUntilTheLastRecordIsInTheShard() throws Exception {
        Schedule schedule = new Schedule(new DataSet(250, 64, 100), 1, 0);
        try (Place place = new PlaceFlags("mem").one().open();
                ShardClient client = place.client()) {
            Shard<byte[], byte[]> shard = client.shard("s1", Codec.bytes(), Codec.bytes());
            try (OpenLoop loop = new OpenLoop(place, shard, schedule, 1, 1, true)) {
                loop.run(TimeUnit.MINUTES.toNanos(1), NOWHERE, null, () -> false);
                LoopSummary summary = LoopSummary.of(loop, schedule, place.traffic());

                long writtenNs = loop.writers().get(0).writtenNs();
                assertThat(summary.elapsedNs()).isEqualTo(writtenNs).isLessThan(schedule.endNs());
                assertThat(summary.runNs()).isGreaterThanOrEqualTo(schedule.endNs());
                assertThat(summary.measured("mem", Map.of(), LoopSummary.Bare.of(null, null))
                                .elapsedNs())
                        .isEqualTo(writtenNs);
            }
        }
    }
}
