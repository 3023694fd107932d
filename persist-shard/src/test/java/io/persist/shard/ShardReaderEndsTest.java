package io.persist.shard;

import static io.persist.shard.ShardRig.NOW;
import static org.assertj.core.api.Assertions.assertThat;

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

    private static void append(Shard<String, String> shard) {
        ShardWriter<String, String> writer = shard.writer();
        BatchBuilder<String, String> builder = writer.batch(Frontier.MINIMUM);
        for (int i = 0; i < UPDATES; i++) {
            builder.add(String.format("k%04d", i), "", 0, 1);
        }
        writer.appendBatch(builder.finish(Frontier.at(1)));
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
        append(shard);
        ShardListener<String, String> listener = shard.reader().subscribe(0);
        assertThat(listener.poll(NOW)).isInstanceOf(ShardEvent.Updates.class);
        assertThat(open.get()).isPositive();
        listener.close();
        assertThat(open.get()).isZero();
    }
}
