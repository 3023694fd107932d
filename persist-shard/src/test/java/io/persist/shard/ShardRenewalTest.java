package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Codec;
import io.persist.shard.model.ShardConfig;
import io.persist.support.Await;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leases whose renewal the consensus does not answer. */
class ShardRenewalTest {

    private static final Duration LEASE = Duration.ofMinutes(15);
    private static final Duration LATE = Duration.ofMinutes(14);

    private final ShardRig rig = new ShardRig();
    private final Refusing consensus = new Refusing();

    /** Refuses so many versions as a test says, and lets others wait. */
    private final class Refusing extends ForwardingConsensus {

        private final AtomicInteger toRefuse = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();
        private volatile CountDownLatch mayRefuse = new CountDownLatch(0);
        private final AtomicInteger unanswered = new AtomicInteger();
        private volatile CountDownLatch mayAnswer = new CountDownLatch(0);
        private final Set<String> renewing = ConcurrentHashMap.newKeySet();
        private volatile CountDownLatch mayRenew = new CountDownLatch(0);

        Refusing() {
            super(rig.consensus);
        }

        @Override
        public boolean compareAndSet(String key, long expected, Version next) {
            if (key.startsWith("stuck") && mayAnswer.getCount() > 0) {
                unanswered.incrementAndGet();
                Await.latch(mayAnswer);
            }
            renewing.add(key);
            Await.latch(mayRenew);
            if (toRefuse.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                return super.compareAndSet(key, expected, next);
            }
            refused.incrementAndGet();
            Await.latch(mayRefuse);
            throw new DeterminateException("no answer", null);
        }

        @Override
        public void close() {}
    }

    private ShardClient client(ShardConfig.Upkeep upkeep, Duration retryTime) {
        ShardConfig config = ShardConfig.builder()
                .clock(rig.clock)
                .readerLease(LEASE)
                .writerLease(LEASE)
                .retryTime(retryTime)
                .upkeep(upkeep)
                .build();
        return ShardClient.open(rig.blob, consensus, config);
    }

    private static Shard<String, String> shard(ShardClient client, String id) {
        return client.shard(id, Codec.utf8(), Codec.utf8());
    }

    private boolean areRenewed(Shard<String, String> shard) {
        long nowMs = rig.clock.millis();
        return shard.state().readers().values().stream().allMatch(reader -> reader.heartbeatMs() == nowMs);
    }

    /** Repetitions would keep writers from their turn, and the client from its end. */
    @Test
    void shouldNotRepeatARenewalBeforeItIsTimeAgain() {
        try (ShardClient client = client(ShardConfig.Upkeep.BACKGROUND, Duration.ofHours(1))) {
            Shard<String, String> shard = shard(client, ShardRig.ID);
            shard.reader();
            consensus.toRefuse.set(Integer.MAX_VALUE);
            rig.clock.advanceMs(LATE.toMillis());
            try {
                Await.until("it is said", () -> client.upkeepFailure() instanceof DeterminateException);
            } finally {
                consensus.toRefuse.set(0);
            }
            Await.until("the lease is renewed", () -> areRenewed(shard));
            Await.until("all is well", () -> client.upkeepFailure() == null);
        }
    }

    /** One attempt of each thread, and one to give leases up. */
    @Test
    void shouldCloseAfterAFewAttemptsHoweverManyHandlesThereAre() throws Exception {
        ShardClient client = client(ShardConfig.Upkeep.BACKGROUND, Duration.ZERO);
        for (int i = 0; i < 5; i++) {
            Shard<String, String> shard = shard(client, "s" + i);
            for (int j = 0; j < 5; j++) {
                shard.reader();
            }
        }
        CountDownLatch mayRefuse = new CountDownLatch(1);
        consensus.mayRefuse = mayRefuse;
        consensus.toRefuse.set(Integer.MAX_VALUE);
        rig.clock.advanceMs(LATE.toMillis());
        Await.until("a thread of the client is at it", () -> consensus.refused.get() > 0);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
        Await.until("the client is being closed", () -> isClosed(client));
        mayRefuse.countDown();
        closing.get();
        assertThat(consensus.refused.get()).isBetween(2, 6);
    }

    private static boolean isClosed(ShardClient client) {
        try {
            shard(client, "s0");
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    /** Two threads renew. Each would come to the others once at most if it waited for the answer behind them. */
    @Test
    void shouldRenewOtherLeasesWhileAnAppendHasNoAnswer() throws Exception {
        try (ShardClient client = client(ShardConfig.Upkeep.BACKGROUND, Duration.ofHours(1))) {
            Shard<String, String> stuck = shard(client, "stuck");
            ShardWriter<String, String> writer = stuck.writer();
            List<Shard<String, String>> others = List.of(shard(client, "a"), shard(client, "b"));
            others.forEach(Shard::reader);
            CountDownLatch mayAnswer = new CountDownLatch(1);
            consensus.mayAnswer = mayAnswer;
            CompletableFuture<AppendResult> append = CompletableFuture.supplyAsync(
                    () -> writer.compareAndAppend(ShardRig.updates("k", 0, 1), 0, 1), task -> new Thread(task).start());
            try {
                Await.until("it waits for its answer", () -> consensus.unanswered.get() > 0);
                for (int round = 0; round < 3; round++) {
                    rig.clock.advanceMs(LEASE.toMillis() / 4 + 1);
                    Await.until("they are renewed", () -> others.stream().allMatch(this::areRenewed));
                }
                Await.until("it is said", () -> client.upkeepFailure() instanceof DeterminateException);
            } finally {
                mayAnswer.countDown();
            }
            assertThat(append.get().isAppended()).isTrue();
            Await.until("all is well", () -> client.upkeepFailure() == null);
        }
    }

    /** The thread of upkeep waits for an answer, too. */
    @Test
    void shouldRenewOtherLeasesWhileThoseOfSomeShardsHaveNoAnswer() {
        try (ShardClient client = client(ShardConfig.Upkeep.BACKGROUND, Duration.ofHours(1))) {
            for (int i = 0; i < 3; i++) {
                shard(client, "stuck-" + i).reader();
            }
            List<Shard<String, String>> others = List.of(shard(client, "a"), shard(client, "b"));
            others.forEach(Shard::reader);
            CountDownLatch mayAnswer = new CountDownLatch(1);
            consensus.mayAnswer = mayAnswer;
            try {
                for (int round = 0; round < 3; round++) {
                    rig.clock.advanceMs(LEASE.toMillis() / 4 + 1);
                    Await.until("the others are renewed", () -> others.stream().allMatch(this::areRenewed));
                    Await.until("the three wait for answers", () -> consensus.unanswered.get() >= 3);
                }
            } finally {
                mayAnswer.countDown();
            }
        }
    }

    /** Where the system has no threads left it says so at once, and not when leases run out. */
    @Test
    void shouldHaveItsThreadsFromTheBeginning() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (ShardClient client = client(ShardConfig.Upkeep.BACKGROUND, Duration.ZERO)) {
            assertThat(client.ids()).isEmpty();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !before.contains(thread))
                    .extracting(Thread::getName)
                    .contains("shard-leases-1", "shard-leases-2", "shard-leases-3", "shard-leases-4");
        }
    }

    private void openWithAReader(String id, OpenShards shards) {
        PartStore store = new PartStore(rig.blob, id, Duration.ZERO);
        ShardMachine machine = ShardMachine.open(consensus, store, "utf8", "utf8", 128, Duration.ZERO);
        OpenShard open = shards.of(id, () -> new OpenShard(id, machine, store, rig.config, shards));
        ShardReader<String, String> unused = new ShardReader<>(open, Codec.utf8(), Codec.utf8());
    }

    /** Nothing is renewed before so many are at it as there are threads. */
    @Test
    void shouldRenewFirstWhatEndsFirst() {
        OpenShards shards = new OpenShards(() -> {});
        for (String id : List.of("c", "h", "a", "f", "d", "b", "g", "e")) {
            openWithAReader(id, shards);
            rig.clock.advanceMs(1);
        }
        rig.clock.advanceMs(rig.config.readerLease().toMillis() / 2);
        CountDownLatch mayRenew = new CountDownLatch(1);
        consensus.renewing.clear();
        consensus.mayRenew = mayRenew;
        try (Renewals renewals = new Renewals(shards, () -> false)) {
            try {
                Await.until("four are at it", () -> consensus.renewing.size() == 4);
                assertThat(consensus.renewing).containsExactlyInAnyOrder("c", "h", "a", "f");
            } finally {
                mayRenew.countDown();
            }
            Await.until("all had their turn", () -> consensus.renewing.size() == 8);
            assertThat(renewals.failure()).isNull();
        }
    }

    @Test
    void shouldRenewLastWhatHasFailed() {
        Renewals.Rank early = new Renewals.Rank(false, 1);
        Renewals.Rank late = new Renewals.Rank(false, 2);
        Renewals.Rank failed = new Renewals.Rank(true, 0);
        assertThat(Stream.of(failed, late, early).sorted()).containsExactly(early, late, failed);
    }

    /** Who does upkeep by call may not come again soon. */
    @Test
    void shouldRepeatTheRenewalsOfACall() {
        try (ShardClient client = client(ShardConfig.Upkeep.BY_CALL, Duration.ofHours(1))) {
            Shard<String, String> shard = shard(client, ShardRig.ID);
            shard.reader();
            shard.reader();
            rig.clock.advanceMs(LATE.toMillis());
            consensus.toRefuse.set(3);
            assertThat(shard.maintain().expired()).isZero();
            assertThat(consensus.refused.get()).isEqualTo(3);
            assertThat(areRenewed(shard)).isTrue();
        }
    }
}
