package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
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
import io.persist.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What becomes of a reading that does not come to its end. */
class ShardReaderEndsTest {

    private static final int UPDATES = 2_000;

    private final ShardRig rig =
            new ShardRig(ShardConfig.builder().partBytes(1 << 10).inlineBatchBytes(0));

    private final FaultyConsensus consensus = new FaultyConsensus(rig.consensus);

    /** How many objects are open. */
    private final AtomicInteger open = new AtomicInteger();

    private final AtomicReference<Runnable> beforeRead = new AtomicReference<>(() -> {});

    private static void append(Shard<String, String> shard, long time) {
        ShardWriter<String, String> writer = shard.writer();
        BatchBuilder<String, String> builder = writer.batch(Frontier.at(time));
        for (int i = 0; i < UPDATES; i++) {
            builder.add(String.format("k%04d", i), "", time, 1);
        }
        writer.appendBatch(builder.finish(Frontier.at(time + 1)));
    }

    /** An object that is open. */
    private final class OpenPieces implements ObjectPieces {

        private final byte[] bytes;
        private boolean isClosed;

        OpenPieces(byte[] bytes) {
            this.bytes = bytes;
            open.incrementAndGet();
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public int read(long from, byte[] target, int at, int length) {
            beforeRead.get().run();
            if (isClosed) {
                throw new AssertionError("it is read when it is closed");
            }
            int some = (int) Math.min(length, bytes.length - from);
            System.arraycopy(bytes, (int) from, target, at, some);
            return some;
        }

        @Override
        public void close() {
            isClosed = true;
            open.decrementAndGet();
        }
    }

    /** Of a place that has pieces each run is an open file. */
    private ShardClient clientOfPieces() {
        Blob pieces = new ForwardingBlob(rig.blob) {
            @Override
            public boolean hasPieces() {
                return true;
            }

            @Override
            public ObjectPieces open(String name) {
                return new OpenPieces(rig.blob.get(name));
            }

            @Override
            public void close() {}
        };
        return ShardClient.open(pieces, consensus, rig.config);
    }

    private static ShardListener<String, String> amidItsContents(ShardReader<String, String> reader) throws Exception {
        ShardListener<String, String> listener = reader.subscribe(0);
        assertThat(listener.poll(NOW)).isInstanceOf(ShardEvent.Updates.class);
        return listener;
    }

    /** That it gives no more does not say that it gave all. */
    private static void assertRefuses(ShardListener<String, String> listener, String why) {
        assertThatThrownBy(() -> listener.poll(NOW))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shard=" + ID + ": the " + why + " is closed");
        assertThat(listener.frontier()).isEqualTo(Frontier.MINIMUM);
    }

    @Test
    void shouldRefuseAListenerThatWasClosedAmidItsContents() throws Exception {
        Shard<String, String> shard = clientOfPieces().shard(ID, Codec.utf8(), Codec.utf8());
        append(shard, 0);
        ShardListener<String, String> listener = amidItsContents(shard.reader());
        assertThat(open.get()).isPositive();
        listener.close();
        assertThat(open.get()).isZero();
        assertRefuses(listener, "listener");
        listener.close();
        assertRefuses(listener, "listener");
    }

    /** Also those whose leases could not be given up. */
    @Test
    void shouldRefuseListenersWhoseClientWasClosedAmidTheirContents() throws Exception {
        ShardClient client = clientOfPieces();
        Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
        append(shard, 0);
        ShardReader<String, String> reader = shard.reader();
        List<ShardListener<String, String>> listeners = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            listeners.add(amidItsContents(reader));
        }
        consensus.set(FaultyConsensus.Fault.REFUSED);
        client.close();
        assertThat(open.get()).isZero();
        listeners.forEach(listener -> assertRefuses(listener, "client"));
    }

    /** A close does not wait, and takes nothing away from the thread that polls. */
    @Test
    void shouldRefuseAListenerThatIsClosedWhileItReads() throws Exception {
        Shard<String, String> shard = clientOfPieces().shard(ID, Codec.utf8(), Codec.utf8());
        append(shard, 0);
        ShardListener<String, String> listener = amidItsContents(shard.reader());
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch mayRead = new CountDownLatch(1);
        beforeRead.set(() -> {
            reads.countDown();
            Await.latch(mayRead);
        });
        CompletableFuture<ShardEvent<String, String>> polled = CompletableFuture.supplyAsync(() -> poll(listener));
        reads.await();
        try {
            listener.close();
            assertThat(open.get()).isPositive();
        } finally {
            mayRead.countDown();
        }
        assertThat(updates(polled.get())).isEqualTo(UPDATES - 1_024);
        assertThat(open.get()).isZero();
        assertRefuses(listener, "listener");
    }

    private static int updates(ShardEvent<String, String> event) {
        return event instanceof ShardEvent.Updates<String, String> updates
                ? updates.updates().size()
                : 0;
    }

    private static ShardEvent<String, String> poll(ShardListener<String, String> listener) {
        try {
            return listener.poll(NOW);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
