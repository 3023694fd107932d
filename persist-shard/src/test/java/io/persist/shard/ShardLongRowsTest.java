package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory has a bound by bytes, too: keys and values may be long. */
class ShardLongRowsTest {

    private static final int MIB = 1 << 20;

    private static List<Update<String, byte[]>> rows(int count, int valueLength, long time) {
        List<Update<String, byte[]>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(new Update<>(String.format("k%06d", i), new byte[valueLength], time, 1));
        }
        return rows;
    }

    /** The numbers of updates of all events. */
    private static List<Integer> events(ShardListener<String, byte[]> listener, long upper) throws Exception {
        List<Integer> counts = new ArrayList<>();
        while (listener.frontier().isBelow(Frontier.at(upper))) {
            if (listener.poll(ShardRig.LONG) instanceof ShardEvent.Updates<String, byte[]> event) {
                counts.add(event.updates().size());
            }
        }
        return counts;
    }

    /** An event that does not fit the heap would never be given, as what was gathered of it stays. */
    @Test
    void shouldEndAnEventOfALittleMoreThanItsBytes() throws Exception {
        ShardRig rig = new ShardRig();
        Shard<String, byte[]> shard = rig.client().shard(ShardRig.ID, Codec.utf8(), Codec.bytes());
        ShardReader<String, byte[]> reader = shard.reader();
        ShardWriter<String, byte[]> writer = shard.writer();
        writer.compareAndAppend(rows(1, 1, 0), 0, 1);
        writer.compareAndAppend(rows(3, 2 * MIB, 1), 1, 2);
        writer.compareAndAppend(rows(7, 2 * MIB / 5, 2), 2, 3);
        writer.compareAndAppend(rows(1_500, 1, 3), 3, 4);

        assertThat(events(reader.listen(0), 4)).containsExactly(1, 1, 1, 3, 3, 1 + 1_023, 477);
        assertThat(events(reader.subscribe(1), 2)).containsExactly(2, 1, 1);
    }
}
