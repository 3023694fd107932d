package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.state.BatchPart;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Listeners have what was just written from memory, for as long as they read it. */
class RecentPartsTest {

    private static final int PART_BYTES = 64 << 10;
    private static final int MOST = 2;

    private final PartArrays arrays = new PartArrays(PART_BYTES, 10);
    private final RecentParts recent = new RecentParts(arrays, MOST);

    private byte[] kept(String name) {
        byte[] bytes = arrays.take(PART_BYTES);
        recent.keep(name, bytes);
        return bytes;
    }

    @Test
    void shouldKeepNothingWhileNobodyListens() {
        byte[] bytes = kept("a");
        assertThat(recent.take("a")).isNull();
        assertThat(arrays.take(PART_BYTES)).isSameAs(bytes);
    }

    @Test
    void shouldForgetTheEldestAndUseItsArrayAgain() {
        recent.listenerBegins();
        byte[] eldest = kept("a");
        kept("b");
        assertThat(recent.take("a")).isNotNull().satisfies(recent::giveBack);
        kept("c");
        assertThat(recent.take("a")).isNull();
        assertThat(recent.take("b")).isNotNull();
        assertThat(recent.take("c")).isNotNull();
        assertThat(arrays.take(PART_BYTES)).isSameAs(eldest);
    }

    /** There is a bound to their number, and none to the length of a row. */
    @Test
    void shouldNotKeepOneWithALongRow() {
        recent.listenerBegins();
        recent.keep("a", new byte[4 * PART_BYTES]);
        assertThat(recent.take("a")).isNull();
    }

    @Test
    void shouldNotUseAnArrayAgainThatIsRead() {
        recent.listenerBegins();
        byte[] eldest = kept("a");
        RecentParts.Recent one = recent.take("a");
        RecentParts.Recent two = recent.take("a");
        kept("b");
        kept("c");
        recent.giveBack(one);
        assertThat(arrays.take(PART_BYTES)).isNotSameAs(eldest);
        recent.giveBack(two);
        assertThat(arrays.take(PART_BYTES)).isSameAs(eldest);
    }

    @Test
    void shouldForgetAllWhenTheLastListenerEnds() {
        recent.listenerBegins();
        recent.listenerBegins();
        byte[] bytes = kept("a");
        recent.listenerEnds();
        assertThat(recent.take("a")).isNotNull().satisfies(recent::giveBack);
        recent.listenerEnds();
        assertThat(recent.take("a")).isNull();
        assertThat(arrays.take(PART_BYTES)).isSameAs(bytes);
    }

    /** Batches are read from memory, merges are not kept in it; both have the same rows as the objects. */
    @Test
    void shouldReadWhatWasJustWrittenWithoutTheBlob() {
        List<String> read = new ArrayList<>();
        ForwardingBlob blob = new ForwardingBlob(new MemBlob()) {
            @Override
            public long read(String name, byte[] target) {
                read.add(name);
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        try (PartWriters writers = PartWriters.start(PART_BYTES)) {
            PartStore store = new PartStore(blob, "s1", Duration.ZERO, writers);
            store.listenerBegins();
            BatchPart batch = written(store, Writing.What.BATCH);
            BatchPart merge = written(store, Writing.What.MERGE);
            List<String> rows = texts(store.read(batch, time -> true));
            assertThat(read).isEmpty();
            assertThat(rows).hasSize(64).startsWith("k00 0 1");
            assertThat(texts(store.read(merge, time -> true))).isEqualTo(rows);
            assertThat(read).containsExactly(merge.object());
            store.listenerEnds();
            assertThat(texts(store.read(batch, time -> true))).isEqualTo(rows);
            assertThat(read).containsExactly(merge.object(), batch.object());
        }
    }

    private static BatchPart written(PartStore store, Writing.What what) {
        PartBuilder part = store.newPart("w1", PART_BYTES);
        for (int i = 0; !part.isWhole(); i++) {
            part.add(String.format("k%02d", i).getBytes(StandardCharsets.UTF_8), new byte[1_000], i, 1);
        }
        Writing writing = new Writing(what);
        BatchPart written = store.write("w1", part, writing);
        writing.await();
        return written;
    }

    private static List<String> texts(Rows rows) {
        List<String> texts = new ArrayList<>();
        for (Row row = rows.next(); row != null; row = rows.next()) {
            texts.add(new String(row.key(), StandardCharsets.UTF_8) + " " + row.time() + " " + row.diff());
        }
        return texts;
    }
}
