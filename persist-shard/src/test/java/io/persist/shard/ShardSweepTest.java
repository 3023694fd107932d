package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LeaseExpiredException;
import io.persist.shard.error.ShardException;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.upkeep.ShardUpkeep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What upkeep owes to a writer that is gone it does when its places are well again. */
class ShardSweepTest {

    private final ShardRig rig =
            new ShardRig(ShardConfig.builder().partBytes(1 << 10).inlineBatchBytes(0));
    private final Shard<String, String> shard = rig.shard();
    private final FaultyConsensus consensus = new FaultyConsensus(rig.consensus);
    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicBoolean isAway = new AtomicBoolean();
    private final AtomicBoolean cannotDelete = new AtomicBoolean();
    private final ForwardingBlob blob = new ForwardingBlob(rig.blob) {
        @Override
        public void list(String prefix, ObjLongConsumer<String> visitor) {
            if (isAway.get()) {
                throw new DeterminateException("the blob is away", null);
            }
            lists.incrementAndGet();
            super.list(prefix, visitor);
        }

        @Override
        public long deleteAll(Collection<String> names) {
            if (cannotDelete.get()) {
                throw new DeterminateException("the blob is away", null);
            }
            return super.deleteAll(names);
        }

        @Override
        public void close() {}
    };
    private final PartStore store = new PartStore(blob, ID, Duration.ZERO);
    private final ShardMachine machine = ShardMachine.open(consensus, store, "utf8", "utf8", 128, Duration.ZERO);
    private final AtomicLong nowNs = new AtomicLong();
    private final ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config, nowNs::get);

    /** Leaves objects of a batch that is not appended, and lets the lease of its writer run out. */
    private void leaveObjects() {
        shard.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        assertThat(upkeep.routine().swept()).as("of the first time").isZero();
        build(rig.shard().writer()).finish(Frontier.at(2));
        assertThat(upkeep.routine().swept()).as("while the writer lives").isZero();
        assertThat(rig.objects()).isGreaterThan(1);
        rig.clock.advanceMs(5_000);
    }

    private void assertSweepsOnce() {
        assertThat(upkeep.routine().swept()).isPositive();
        assertThat(rig.objects()).isEqualTo(1);
        isAway.set(true);
        assertThat(upkeep.routine().swept()).as("it does not look again").isZero();
    }

    @Test
    void shouldSweepAgainIfTheBlobWasAway() {
        leaveObjects();
        isAway.set(true);
        assertThatThrownBy(upkeep::routine).isInstanceOf(DeterminateException.class);
        assertThat(shard.state().writers()).as("the lease has ended").isEmpty();
        assertThatThrownBy(upkeep::routine).isInstanceOf(DeterminateException.class);
        isAway.set(false);
        assertSweepsOnce();
    }

    /** Upkeep comes each second, and to list a place of many objects takes long and costs. */
    @Test
    void shouldNotLookForOrphansAgainAtOnceIfAnObjectIsMissing() {
        leaveObjects();
        String object = machine.refresh().batches().get(0).objects().get(0);
        byte[] bytes = rig.blob.get(object);
        rig.blob.delete(object);
        assertThatThrownBy(upkeep::routine).isInstanceOf(DamagedShardException.class);
        int listed = lists.get();
        for (int second = 0; second < 59; second++) {
            nowNs.addAndGet(1_000_000_000);
            assertThatThrownBy(upkeep::routine)
                    .as("it is still said")
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining(object);
        }
        assertThat(lists.get()).isEqualTo(listed);
        assertThatThrownBy(upkeep::all).as("who asks for it").isInstanceOf(DamagedShardException.class);
        assertThat(lists.get()).isGreaterThan(listed);
        rig.blob.set(object, bytes);
        nowNs.addAndGet(60_000_000_000L);
        assertSweepsOnce();
    }

    /** The lease has ended, and nothing says so. */
    @Test
    void shouldSweepIfTheAnswerToTheEndOfALeaseIsLost() {
        leaveObjects();
        machine.refresh();
        consensus.set(FaultyConsensus.Fault.ANSWER_LOST);
        assertThatThrownBy(upkeep::routine).isInstanceOf(IndeterminateException.class);
        consensus.set(FaultyConsensus.Fault.NONE);
        assertThat(shard.state().writers()).isEmpty();
        assertSweepsOnce();
    }

    /** A bucket may have things of others, below what happens to be the id of a shard. */
    @Test
    void shouldLeaveAloneWhatIsNoPart() {
        List<String> others = List.of("notes.txt", "2024/report", "w1/p1", "w1/photo-01234567-89ab-cdef-0123456789ab");
        others.forEach(other -> rig.blob.set(ID + "/" + other, new byte[] {1}));
        leaveObjects();
        assertThat(upkeep.routine().swept()).isPositive();
        assertThat(others)
                .allSatisfy(other -> assertThat(rig.blob.get(ID + "/" + other)).isNotNull());
        assertThat(rig.objects()).isEqualTo(others.size() + 1);
    }

    /** A program may end leases before upkeep does. */
    @Test
    void shouldSweepBehindWhomACallHasTakenForGone() {
        OpenShard open = new OpenShard(ID, machine, store, rig.config, new OpenShards(() -> {}));
        shard.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        assertThat(open.keepUp().swept()).as("of the first time").isZero();
        build(rig.shard().writer()).finish(Frontier.at(2));
        rig.clock.advanceMs(5_000);
        assertThat(open.expire()).isEqualTo(2);
        assertThat(open.keepUp().swept()).isPositive();
        assertThat(rig.objects()).isEqualTo(1);
    }

    private static BatchBuilder<String, String> build(ShardWriter<String, String> writer) {
        BatchBuilder<String, String> builder = writer.batch(Frontier.at(1));
        for (int i = 0; i < 200; i++) {
            builder.add("key" + i, "", 1, 1);
        }
        return builder;
    }

    /** It was stopped for longer than its lease, and others have swept the objects that it merges now. */
    @Test
    void shouldSayThatTheLeaseIsOverIfObjectsOfABatchAreSwept() {
        shard.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        ShardWriter<String, String> writer = rig.shard().writer();
        BatchBuilder<String, String> builder = writer.batch(Frontier.at(1));
        for (int i = 9_999; i >= 5_000; i--) { // each part lies below the one before, so each is a run
            builder.add("key" + i, "", 1, 1);
        }
        machine.refresh();
        rig.clock.advanceMs(5_000);
        assertThat(upkeep.routine().swept()).isGreaterThan(16);
        assertThatThrownBy(() -> builder.finish(Frontier.at(2)))
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageContaining("the lease of writer w")
                .satisfies(expired ->
                        assertThat(expired.getSuppressed()).singleElement().isInstanceOf(DamagedShardException.class));
        builder.abandon();
        assertThat(rig.objects()).isEqualTo(1);
    }

    /** What a writer makes of a batch before it is closed. */
    private interface Use {
        void of(ShardWriter<String, String> writer);
    }

    private void closeBehind(Use use) {
        Shard<String, String> other =
                ShardClient.open(blob, consensus, rig.config).shard(ID, Codec.utf8(), Codec.utf8());
        try (ShardWriter<String, String> writer = other.writer()) {
            use.of(writer);
        }
        rig.clock.advanceMs(1); // no other lease ends by that
        machine.refresh();
    }

    /** Its lease does not end: it is given up. */
    @Test
    void shouldSweepBehindWritersThatAreClosed() {
        shard.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        assertThat(upkeep.routine().swept()).as("of the first time").isZero();
        List<Use> uses = List.of(
                ShardSweepTest::build,
                writer -> build(writer).finish(Frontier.at(2)),
                writer -> {
                    Batch batch = build(writer).finish(Frontier.at(2));
                    consensus.set(FaultyConsensus.Fault.LOST);
                    assertThatThrownBy(() -> writer.appendBatch(batch)).isInstanceOf(IndeterminateException.class);
                    consensus.set(FaultyConsensus.Fault.NONE);
                },
                writer -> {
                    BatchBuilder<String, String> builder = build(writer);
                    cannotDelete.set(true);
                    assertThatThrownBy(builder::abandon).isInstanceOf(DeterminateException.class);
                    cannotDelete.set(false);
                });
        for (Use use : uses) {
            isAway.set(false);
            closeBehind(use);
            assertThat(rig.objects()).isGreaterThan(1);
            assertSweepsOnce();
            assertThat(machine.known().writers()).hasSize(1);
        }
    }

    private void append(long from, long below) {
        ShardWriter<String, String> writer = shard.writer();
        for (long time = from; time < below; time++) {
            writer.compareAndAppend(updates("a", time, time + 1), time, time + 1);
        }
        writer.close();
    }

    /** Of a client whose merge fails, which is closed when all is well again. */
    @ParameterizedTest
    @EnumSource(
            value = FaultyConsensus.Fault.class,
            names = {"LOST", "ANSWER_LOST", "REFUSED"})
    void shouldSweepBehindUpkeepThatIsClosed(FaultyConsensus.Fault fault) {
        upkeep.all(); // so that it does not look for the first time later
        append(0, 8);
        ShardClient client = ShardClient.open(blob, consensus, rig.config);
        Shard<String, String> other = client.shard(ID, Codec.utf8(), Codec.utf8());
        assertThat(other.maintain().merges()).as("it is registered").isPositive();
        append(8, 16);
        consensus.set(fault);
        cannotDelete.set(true);
        assertThatThrownBy(other::maintain).isInstanceOf(ShardException.class);
        consensus.set(FaultyConsensus.Fault.NONE);
        cannotDelete.set(false);
        client.close();
        rig.clock.advanceMs(1); // no other lease ends by that
        machine.refresh();
        upkeep.routine();
        assertThat(upkeep.all().swept()).as("what nobody has found").isZero();
    }

    /** To list a large shard takes long. */
    @Test
    void shouldNotLookBehindWritersThatLeaveNothing() {
        shard.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        assertThat(upkeep.routine().swept()).as("of the first time").isZero();
        isAway.set(true);
        List<Use> uses = List.of(
                writer -> writer.batch(Frontier.at(1)),
                writer -> build(writer).abandon(),
                writer -> build(writer).finish(Frontier.at(2)).delete(),
                writer -> {
                    consensus.set(FaultyConsensus.Fault.REFUSED);
                    assertThatThrownBy(() -> writer.append(updates("a", 1, 2), 1, 2))
                            .isInstanceOf(DeterminateException.class);
                    consensus.set(FaultyConsensus.Fault.NONE);
                },
                writer -> writer.append(updates("a", 1, 2), 1, 2),
                writer -> writer.compareAndAppend(updates("a", 1, 2), 1, 2), // a mismatch
                writer -> writer.appendBatch(
                        writer.batch(Frontier.at(2)).add("a", "", 2, 1).finish(Frontier.at(3))));
        for (Use use : uses) {
            closeBehind(use);
            assertThat(machine.known().writers()).hasSize(1);
            assertThat(upkeep.routine().swept()).isZero();
        }
        assertThat(machine.known().upper()).isEqualTo(Frontier.at(3));
    }
}
