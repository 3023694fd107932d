package io.persist.shard.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.bench.place.Traffic.Counter;
import io.persist.shard.location.Blob;
import io.persist.shard.location.mem.MemBlob;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountedBlobTest {

    private final Traffic traffic = new Traffic();
    private final MemBlob place = new MemBlob();
    private final Blob writing = new CountedBlob(place, traffic);
    private final Blob deleting = new CountedBlob(place, traffic);

    @Test
    void shouldKnowHowLongTheObjectsAreThatItHasWritten() {
        writing.set("a", new byte[3]);
        writing.create("b", new byte[5]);
        writing.create("c", new byte[7]);
        place.set("other", new byte[11]);
        assertThat(traffic.blobBytes()).isEqualTo(15);
        deleting.delete("a");
        deleting.deleteAll(List.of("a", "b", "other", "never"));
        assertThat(traffic.blobBytes()).isEqualTo(7);
        assertThat(traffic.get(Counter.BLOB_DELETES)).isEqualTo(2);
        assertThat(traffic.get(Counter.BLOB_DELETE_BYTES)).isEqualTo(8);
    }
}
