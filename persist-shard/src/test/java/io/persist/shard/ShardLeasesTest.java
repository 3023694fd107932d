package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.contents;
import static io.persist.shard.ShardRig.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.state.ShardState;
import io.persist.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Leases live as long as the client runs, whatever becomes of upkeep. */
class ShardLeasesTest {

    private static final int BATCHES = 8; // of so many one is made

    private static final String LONG_VALUE = "x".repeat(1_000);

    private final ShardRig rig = new ShardRig();

    /** What the thread of upkeep does before it reads an object. */
    private final AtomicReference<Runnable> beforeRead = new AtomicReference<>(() -> {});

    private ShardConfig.Builder background() {
        return ShardConfig.builder()
                .clock(rig.clock)
                .inlineBatchBytes(0)
                .retryTime(Duration.ZERO)
                .readerLease(Duration.ofMinutes(15))
                .writerLease(Duration.ofMinutes(15));
    }

    private ShardClient client() {
        ForwardingBlob blob = new ForwardingBlob(rig.blob) {
            @Override
            public long read(String name, byte[] target) {
                if (Thread.currentThread().getName().equals("shard-upkeep")) {
                    beforeRead.get().run();
                }
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        return ShardClient.open(blob, rig.consensus, background().build());
    }

    private static void appendBatches(ShardWriter<String, String> writer) {
        for (int time = 0; time < BATCHES; time++) {
            writer.compareAndAppend(List.of(update("k", time, 1)), time, time + 1);
        }
    }

    private void awaitRenewal(Shard<String, String> shard) {
        long nowMs = rig.clock.millis();
        Await.until("the leases of " + shard.id() + " are renewed", () -> {
            ShardState state = shard.state();
            return state.readers().values().stream().allMatch(reader -> reader.heartbeatMs() == nowMs)
                    && state.writers().values().stream().allMatch(writer -> writer.heartbeatMs() == nowMs);
        });
    }

    @Test
    void shouldRenewAndMergeBesideAShardThatIsDamaged() {
        try (ShardClient client = client()) {
            List<Shard<String, String>> shards = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Shard<String, String> shard = client.shard("s" + i, Codec.utf8(), Codec.utf8());
                shard.reader();
                shards.add(shard);
            }
            beforeRead.set(() -> {
                throw new DamagedShardException("one for all", null);
            });
            appendBatches(shards.get(3).writer());
            Await.until("upkeep has failed", () -> client.upkeepFailure() instanceof DamagedShardException);
            String damaged = shards.get(3).state().batches().get(0).objects().get(0);
            rig.blob.set(damaged, new byte[1]);
            beforeRead.set(() -> {});
            List<Shard<String, String>> whole = new ArrayList<>(shards);
            whole.remove(3);
            whole.forEach(shard -> appendBatches(shard.writer()));
            whole.forEach(shard -> Await.until(
                    shard.id() + " is merged", () -> shard.state().batches().size() == 1));
            rig.clock.advanceMs(Duration.ofMinutes(14).toMillis());
            shards.forEach(this::awaitRenewal);
            Await.until("it is said", () -> client.upkeepFailure() instanceof DamagedShardException);
        }
    }

    /** Also the lease of what the merge itself is registered as. */
    @Test
    void shouldRenewWhileItMerges() throws Exception {
        CountDownLatch merges = new CountDownLatch(1);
        CountDownLatch mayMerge = new CountDownLatch(1);
        beforeRead.set(() -> {
            merges.countDown();
            Await.latch(mayMerge);
        });
        try (ShardClient client = client()) {
            Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
            ShardReader<String, String> reader = shard.reader();
            appendBatches(shard.writer());
            merges.await();
            try {
                assertThat(shard.state().writers()).hasSize(2);
                for (int i = 0; i < 2; i++) {
                    rig.clock.advanceMs(Duration.ofMinutes(14).toMillis());
                    awaitRenewal(shard);
                }
                assertThat(rig.client().shard(ID, Codec.utf8(), Codec.utf8()).expire())
                        .isZero();
            } finally {
                mayMerge.countDown(); // the client waits for upkeep when it closes
            }
            assertThat(contents(reader, 0)).containsEntry("k", 1L);
            Await.until(
                    "what was merged is taken", () -> shard.state().batches().size() == 1);
        }
    }

    /** Else since and all objects would be held until the time that its clock had, if it is killed then. */
    @Test
    void shouldTakeLeasesAlongIfAClockThatWasAheadIsSetBack() {
        long monthMs = Duration.ofDays(30).toMillis();
        Shard<String, String> shard = rig.shard();
        shard.reader();
        appendBatches(shard.writer());
        rig.clock.advanceMs(monthMs);
        assertThat(shard.maintain().expired()).isZero();
        rig.clock.advanceMs(-monthMs);
        assertThat(shard.maintain().expired()).isZero();
        rig.clock.advanceMs(rig.config.writerLease().toMillis() + 1); // for which it is not heard: it was killed
        assertThat(rig.shard().maintain().expired()).isEqualTo(3); // with what upkeep is registered as
    }

    /** An error does not end the thread, of which nobody would hear. */
    @Test
    void shouldGoOnAfterAnError() {
        AtomicBoolean isFull = new AtomicBoolean(true);
        beforeRead.set(() -> {
            if (isFull.get()) {
                throw new OutOfMemoryError("as if");
            }
        });
        try (ShardClient client = client()) {
            Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
            shard.reader();
            appendBatches(shard.writer());
            Await.until("it is said", () -> client.upkeepFailure() instanceof OutOfMemoryError);
            rig.clock.advanceMs(Duration.ofMinutes(14).toMillis());
            awaitRenewal(shard);
            isFull.set(false);
            Await.until("it is merged", () -> shard.state().batches().size() == 1);
            Await.until("all is well", () -> client.upkeepFailure() == null);
        }
    }

    /** The clock of a machine that has slept: a writer that does a merge of its own comes before the thread for leases. */
    @Test
    void shouldRenewBeforeAWriterDoesUpkeep() throws Exception {
        ForwardingConsensus slow = new ForwardingConsensus(rig.consensus) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                if (Thread.currentThread().getName().startsWith("shard-")) {
                    throw new DeterminateException("too slow", null);
                }
                return super.compareAndSet(key, expected, next);
            }

            @Override
            public void close() {}
        };
        ShardConfig settings = background()
                .partBytes(1 << 10)
                .mergedRuns(8)
                .writerLease(Duration.ofDays(1_000))
                .build();
        try (ShardClient client = ShardClient.open(rig.blob, slow, settings)) {
            Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
            ShardReader<String, String> reader = shard.reader();
            ShardWriter<String, String> writer = shard.writer();
            int time = 0;
            while (shard.state().batches().size() == time && time < 150) { // until the writer merges
                rig.clock.advanceMs(Duration.ofMinutes(16).toMillis());
                writer.compareAndAppend(List.of(new Update<>("k", LONG_VALUE, time, 1)), time, time + 1);
                time++;
            }
            assertThat(time).as("appends before a merge").isBetween(9, 149);
            assertThat(contents(reader, 3)).containsEntry("k", 4L);
        }
    }

    /** Its places are closed: to ask them would take as long as repetitions do. */
    @Test
    void shouldRefuseHandlesOfAClientThatIsClosed() throws Exception {
        AtomicBoolean isClosed = new AtomicBoolean();
        ForwardingConsensus closed = new ForwardingConsensus(rig.consensus) {
            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                check();
                return super.compareAndSet(key, expected, next);
            }

            @Override
            public List<Version> scan(String key, long from, int limit) {
                check();
                return super.scan(key, from, limit);
            }

            private void check() {
                if (isClosed.get()) {
                    throw new AssertionError("it is asked when it is closed");
                }
            }

            @Override
            public void close() {
                isClosed.set(true);
            }
        };
        ShardClient client = ShardClient.open(rig.blob, closed, background().build());
        Shard<String, String> shard = client.shard(ID, Codec.utf8(), Codec.utf8());
        ShardWriter<String, String> writer = shard.writer();
        ShardReader<String, String> reader = shard.reader();
        ShardListener<String, String> listener = reader.listen(0);
        SinceHandle since = shard.since("upstream");
        writer.compareAndAppend(List.of(update("k", 0, 1)), 0, 1);
        client.close();
        List<ThrowingCallable> calls = List.of(
                shard::writer,
                shard::reader,
                () -> shard.since("another"),
                shard::upper,
                shard::maintain,
                () -> writer.compareAndAppend(List.of(), 1, 2),
                () -> reader.snapshot(0, ShardRig.NOW),
                () -> listener.poll(ShardRig.NOW),
                since::token,
                () -> client.shard(ID, Codec.utf8(), Codec.utf8()));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("the client is closed");
        }
        listener.close();
        reader.close();
        writer.close();
        assertThat(rig.shard().state().writers()).isEmpty();
        assertThat(rig.shard().state().readers()).isEmpty();
    }
}
