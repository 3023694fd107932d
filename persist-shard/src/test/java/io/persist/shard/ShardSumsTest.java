package io.persist.shard;

import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the diffs of a key add up to. */
class ShardSumsTest {

    private final ShardRig rig = new ShardRig(ShardConfig.builder().inlineBatchBytes(0));
    private final Shard<String, String> shard = rig.shard();
    private final ShardWriter<String, String> writer = shard.writer();

    /** Sums are modulo 2 to the 64: what was too much may be taken away, also after it was merged. */
    @Test
    void shouldHaveSumsThatAreALongWhateverTheyWereBefore() throws Exception {
        ShardReader<String, String> reader = shard.reader();
        writer.compareAndAppend(List.of(update("a", 0, Long.MAX_VALUE), update("b", 0, Long.MIN_VALUE)), 0, 1);
        writer.compareAndAppend(List.of(update("a", 1, 1), update("b", 1, Long.MIN_VALUE)), 1, 2);
        assertThat(contents(reader, 1)).as("2 to the 63, and to the 64").isEqualTo(Map.of("a", Long.MIN_VALUE));
        for (int time = 2; time < 8; time++) {
            writer.compareAndAppend(List.of(update("c", time, 1)), time, time + 1);
        }
        reader.downgradeSince(Frontier.at(7));
        assertThat(shard.maintain().merges()).isEqualTo(1);
        assertThat(shard.state().batches().get(0).updates()).isEqualTo(2);
        writer.compareAndAppend(List.of(update("a", 8, -1), update("b", 8, Long.MAX_VALUE)), 8, 9);
        writer.compareAndAppend(List.of(update("b", 9, Long.MAX_VALUE), update("b", 9, 3)), 9, 10);
        assertThat(contents(reader, 9)).isEqualTo(Map.of("a", Long.MAX_VALUE, "b", 1L, "c", 6L));
    }
}
