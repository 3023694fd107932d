package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.model.Codec;
import io.persist.support.Await;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whoever waits for a shard is told when its handle is closed, and not at the end of its timeout. */
class ShardWaitsEndTest {

    private static final Duration FOR_EVER = Duration.ofDays(1);

    /** It only ends what hangs. */
    private static final long DEADLINE_S = 120;

    private final ShardRig rig = new ShardRig();
    private final FaultyConsensus faulty = new FaultyConsensus(rig.consensus);
    private final CountDownLatch waits = new CountDownLatch(1);
    private final Queue<Duration> timeouts = new ConcurrentLinkedQueue<>();
    private final ShardClient client = ShardClient.open(rig.blob, saysThatOneWaits(faulty), rig.config);
    private final ShardReader<String, String> reader =
            client.shard(ID, Codec.utf8(), Codec.utf8()).reader();

    private Consensus saysThatOneWaits(Consensus consensus) {
        return new ForwardingConsensus(consensus) {
            @Override
            public void awaitChange(String key, long number, Duration timeout, Runnable check)
                    throws InterruptedException {
                timeouts.add(timeout);
                waits.countDown();
                super.awaitChange(key, number, timeout, check);
            }

            @Override
            public void close() {}
        };
    }

    /** That {@code wait}, on a thread of its own, is refused when {@code close} has come amid it. */
    private void assertRefuses(Callable<?> wait, Runnable close, String what) {
        FutureTask<Object> waiting = new FutureTask<>(wait::call);
        Thread thread = new Thread(waiting, "waits");
        thread.setDaemon(true);
        thread.start();
        Await.latch(waits);
        close.run();
        assertThatThrownBy(() -> waiting.get(DEADLINE_S, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("shard=" + ID + ": the " + what + " is closed");
    }

    @Test
    void shouldRefuseAPollWhoseListenerIsClosed() {
        ShardListener<String, String> listener = reader.listen(0);
        assertRefuses(() -> listener.poll(FOR_EVER), listener::close, "listener");
        assertThat(timeouts)
                .as("one that looks for itself goes on from pause to pause")
                .allMatch(timeout -> timeout.compareTo(FOR_EVER.dividedBy(2)) > 0);
        assertThat(rig.shard().state().readers()).hasSize(1);
    }

    @Test
    void shouldRefuseAPollForContentsWhoseListenerIsClosed() {
        ShardListener<String, String> listener = reader.subscribe(0);
        assertRefuses(() -> listener.poll(FOR_EVER), listener::close, "listener");
    }

    @Test
    void shouldRefuseAPollWhoseClientIsClosed() {
        ShardListener<String, String> listener = reader.listen(0);
        assertRefuses(() -> listener.poll(FOR_EVER), client::close, "(listener|client)");
    }

    @Test
    void shouldRefuseASnapshotWhoseReaderIsClosed() {
        assertRefuses(() -> reader.snapshot(0, FOR_EVER), reader::close, "reader");
        assertThatThrownBy(() -> reader.listen(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("shard=" + ID + ": the reader is closed");
    }

    @Test
    void shouldRefuseASnapshotWhoseClientIsClosed() {
        assertRefuses(() -> reader.snapshot(0, FOR_EVER), client::close, "(reader|client)");
    }

    /** The end of a lease is a new version, which wakes whoever waits; here there is none. */
    @Test
    void shouldRefuseAPollWhoseLeaseCannotBeGivenUp() {
        ShardListener<String, String> listener = reader.listen(0);
        faulty.set(FaultyConsensus.Fault.REFUSED);
        assertRefuses(() -> listener.poll(FOR_EVER), client::close, "(listener|client)");
    }
}
