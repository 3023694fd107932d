package io.persist.shard;

import static io.persist.shard.ShardRig.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ObjectPieces;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of a reading that does not come to its end. */
class ShardReaderEndsTest {

    private static final int UPDATES = 2_000;

    private final ShardRig rig =
            new ShardRig(ShardConfig.builder().partBytes(1 << 10).inlineBatchBytes(0));

    private static void append(Shard<String, String> shard, long time) {
        ShardWriter<String, String> writer = shard.writer();
        BatchBuilder<String, String> builder = writer.batch(Frontier.at(time));
        for (int i = 0; i < UPDATES; i++) {
            builder.add(String.format("k%04d", i), "", time, 1);
        }
        writer.appendBatch(builder.finish(Frontier.at(time + 1)));
    }

    private record OpenPieces(byte[] bytes, AtomicInteger open) implements ObjectPieces {

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public int read(long from, byte[] target, int at, int length) {
            int some = (int) Math.min(length, bytes.length - from);
            System.arraycopy(bytes, (int) from, target, at, some);
            return some;
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    /** Of a place that has pieces each run is an open file. */
    @Test
    void shouldLetGoOfObjectsWhenAListenerIsClosedAmidItsContents() throws Exception {
        AtomicInteger open = new AtomicInteger();
        Blob pieces = new ForwardingBlob(rig.blob) {
            @Override
            public boolean hasPieces() {
                return true;
            }

            @Override
            public ObjectPieces open(String name) {
                open.incrementAndGet();
                return new OpenPieces(rig.blob.get(name), open);
            }

            @Override
            public void close() {}
        };
        Shard<String, String> shard =
                ShardClient.open(pieces, rig.consensus, rig.config).shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
        append(shard, 0);
        ShardListener<String, String> listener = shard.reader().subscribe(0);
        assertThat(listener.poll(NOW)).isInstanceOf(ShardEvent.Updates.class);
        assertThat(open.get()).isPositive();
        listener.close();
        assertThat(open.get()).isZero();
    }

    /** Its objects are collected as if nobody read them, and that is no damage. */
    @Test
    void shouldTellReadersWhoseObjectsAreGoneThatTheirLeaseIsOver() throws Exception {
        Shard<String, String> shard = rig.shard();
        append(shard, 0);
        Shard<String, String> slow = rig.shard();
        ShardReader<String, String> reader = slow.reader();
        Snapshot<String, String> amid = reader.snapshot(0, NOW);
        ShardListener<String, String> listener = reader.listen(0);
        append(shard, 1);
        Snapshot<String, String> early = reader.snapshot(0, NOW);
        assertThat(listener.poll(NOW)).isInstanceOf(ShardEvent.Updates.class);
        rig.blob.list("", (name, length) -> rig.blob.delete(name)); // as upkeep of another process may
        assertThatThrownBy(amid::toList).as("so far it is damage").isInstanceOf(DamagedShardException.class);
        assertThatThrownBy(() -> listen(listener)).isInstanceOf(DamagedShardException.class);
        assertThatThrownBy(() -> reader.snapshot(0, NOW)).isInstanceOf(DamagedShardException.class);
        rig.clock.advanceMs(1_500);
        assertThat(shard.expire()).isEqualTo(2);
        assertThatThrownBy(() -> reader.snapshot(0, NOW)).isInstanceOf(LeaseExpiredException.class);
        assertThatThrownBy(amid::toList)
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageContaining("open a new handle");
        assertThatThrownBy(early::toList).isInstanceOf(LeaseExpiredException.class);
        assertThatThrownBy(() -> listen(listener)).isInstanceOf(LeaseExpiredException.class);
    }

    private static void listen(ShardListener<String, String> listener) throws InterruptedException {
        while (listener.poll(NOW) != null) {}
    }
}
