package io.persist.shard;

import static io.persist.shard.ShardRig.ID;
import static io.persist.shard.ShardRig.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.upkeep.ShardUpkeep;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** What upkeep owes to a writer that is gone it does when its places are well again. */
class ShardSweepTest {

    private final ShardRig rig =
            new ShardRig(ShardConfig.builder().partBytes(1 << 10).inlineBatchBytes(0));
    private final Shard<String, String> shard = rig.shard();
    private final FaultyConsensus consensus = new FaultyConsensus(rig.consensus);
    private final AtomicBoolean isAway = new AtomicBoolean();
    private final ForwardingBlob blob = new ForwardingBlob(rig.blob) {
        @Override
        public void list(String prefix, ObjLongConsumer<String> visitor) {
            if (isAway.get()) {
                throw new DeterminateException("the blob is away", null);
            }
            super.list(prefix, visitor);
        }

        @Override
        public void close() {}
    };
    private final PartStore store = new PartStore(blob, ID, Duration.ZERO);
    private final ShardMachine machine = ShardMachine.open(consensus, store, "utf8", "utf8", 128, Duration.ZERO);
    private final ShardUpkeep upkeep = new ShardUpkeep(machine, store, rig.config);

    /** Leaves objects of a batch that is not appended, and lets the lease of its writer run out. */
    private void leaveObjects() {
        shard.writer().compareAndAppend(updates("a", 0, 1), 0, 1);
        assertThat(upkeep.routine().swept()).as("of the first time").isZero();
        BatchBuilder<String, String> builder = rig.shard().writer().batch(Frontier.at(1));
        for (int i = 0; i < 200; i++) {
            builder.add("key" + i, "", 1, 1);
        }
        builder.finish(Frontier.at(2));
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
}
